/// The parameters of a query in the form encoding of URLs (application/x-www-form-urlencoded), in their order.
struct QueryItems: Sendable, Hashable {
  private(set) var items: [Item] = []

  struct Item: Sendable, Hashable {
    let name: String
    let value: String
  }

  init() {}

  /// Nil for a broken percent-encoding or bytes that are not UTF-8.
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

  /// The value of a name that is there once; nil if it is missing or there twice.
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
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
