/// Random values that nobody can guess.
package enum RandomText {
  /// `count` random bytes in lowercase hex: no argument of a command begins with a hyphen by it. `SystemRandomNumberGenerator` reads getrandom(2): the kernel's generator, fit for
  /// secrets, and never failing once the machine has booted.
  package static func hexadecimal(bytes count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
  }

  /// The same in base64url.
  package static func base64url(bytes count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64URL.encode((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}
