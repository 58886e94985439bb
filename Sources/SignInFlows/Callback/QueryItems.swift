import SystemSupport

/// The parameters of a query in form encoding (application/x-www-form-urlencoded), in order.
struct QueryItems: Sendable, Hashable {
  private(set) var items: [Item] = []

  struct Item: Sendable, Hashable {
    let name: String
    let value: String
  }

  init() {}

  /// Returns nil for invalid percent-encoding or bytes that are not UTF-8.
  init?(_ bytes: some Sequence<UInt8>) {
    for pair in Array(bytes).split(separator: UInt8(ascii: "&")) {
      let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decode(halves[0]), let value = Self.decode(halves.count > 1 ? halves[1] : []) else {
        return nil
      }
      items.append(Item(name: name, value: value))
    }
  }

  var names: [String] { items.map(\.name) }

  var hasDuplicates: Bool { Set(names).count != items.count }

  /// Returns the value of a name that occurs once; nil if the name is missing or repeated.
  func only(_ name: String) -> String? {
    let found = items.filter { $0.name == name }
    return found.count == 1 ? found[0].value : nil
  }

  private static func decode(_ text: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let byte = PercentEncoding.escape(text[(rest.startIndex - 1)...]) else { return nil }
        bytes.append(byte)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

enum PastedText {
  /// What a person may have copied around a URL. None of it can be part of one (RFC 3986, appendix C), but the
  /// apostrophe, which no server of ours leaves unescaped.
  private static let quotes = [("\"", "\""), ("'", "'"), ("<", ">"), ("`", "`"), ("\u{201C}", "\u{201D}")]

  /// Returns the text without the white space of pasting at both ends, and without one pair of quotes.
  static func trimmed(_ text: String) -> ArraySlice<UInt8> {
    let bytes = spaceTrimmed(ArraySlice(text.utf8))
    for (first, last) in quotes
    where bytes.count >= first.utf8.count + last.utf8.count && bytes.starts(with: first.utf8)
      && bytes.suffix(last.utf8.count).elementsEqual(last.utf8)
    {
      return spaceTrimmed(bytes.dropFirst(first.utf8.count).dropLast(last.utf8.count))
    }
    return bytes
  }

  private static func spaceTrimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = text
    while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return bytes
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
