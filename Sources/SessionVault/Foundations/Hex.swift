/// Lower-case hexadecimal of what is not secret (libsodium's own functions take the secret parts).
enum Hex {
  private static let digits = Array("0123456789abcdef".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// nil unless `text` is pairs of hexadecimal digits.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let values = text.map { $0.isASCII ? $0.hexDigitValue : nil }
    guard values.count.isMultiple(of: 2), !values.contains(nil) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0]! << 4 | values[$0 + 1]!) }
  }
}
