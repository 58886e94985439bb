/// Comparison of secrets.
package enum ConstantTime {
  /// Whether the two are equal, in a time that depends on their lengths alone: how many leading characters of a guess
  /// were right cannot be measured (SI-8).
  package static func equal(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
