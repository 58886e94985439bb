/// The rule for account names (SI-15): `[a-z0-9][a-z0-9._-]{0,31}`. Project names keep to it as well.
public enum AccountName {
  /// The name of the account that a first sign-in makes.
  public static let `default` = "default"

  /// The longest name, in characters: fits a status table and a unit name.
  public static let longest = 32

  /// Whether `name` may name an account.
  public static func isValid(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, bytes.count <= longest, isAlphanumeric(first) else { return false }
    return bytes.allSatisfy { isAlphanumeric($0) || ".-_".utf8.contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
