/// Random values that nobody can guess.
enum RandomText {
  /// `count` random bytes in base64url. `SystemRandomNumberGenerator` reads getrandom(2): the kernel's generator, fit for
  /// secrets, and never failing once the machine has booted.
  static func base64url(bytes count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64URL.encode((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}
