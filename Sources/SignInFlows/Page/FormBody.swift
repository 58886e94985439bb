/// The body of a form, application/x-www-form-urlencoded (WHATWG URL, section 5), read strictly: exactly what a browser
/// writes for the fields that are expected. Holds a password, so it never shows what is in it.
struct FormBody: Sendable, CustomStringConvertible, CustomReflectable {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The values of `names`, in their order; nil if one is missing or there twice, if there is any other, or for an encoding
  /// that no browser writes.
  func values(of names: [String]) -> [String]? {
    let pairs = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    guard !bytes.isEmpty else { return names.isEmpty ? [] : nil }
    guard pairs.count == names.count, pairs.allSatisfy(Self.isPair), let items = QueryItems(bytes) else { return nil }
    let values = names.compactMap(items.only)
    guard values.count == names.count, values.allSatisfy(Self.isPlain) else { return nil }
    return values
  }

  /// `name=value`, of the bytes that the serializer leaves or makes.
  private static func isPair(_ pair: ArraySlice<UInt8>) -> Bool {
    pair.count { $0 == UInt8(ascii: "=") } == 1 && pair.first != UInt8(ascii: "=") && pair.allSatisfy(isWritten)
  }

  private static func isWritten(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "*-._+%=".utf8.contains(byte)
    }
  }

  /// One line: no field of ours takes more, and browsers strip line breaks from such fields.
  private static func isPlain(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  var description: String { "FormBody(\(bytes.count) bytes)" }
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
