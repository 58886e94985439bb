import AgentProtocol

/// A value of a TOML text, with its place.
struct TOMLNode {
  indirect enum Value {
    case text(String)
    case whole(Int)
    case truth(Bool)
    /// A number with a fraction or an exponent, `inf` or `nan`: no key takes one.
    case fraction
    case array([TOMLNode])
    case table(TOMLTable)
  }

  var value: Value
  /// Where the value begins; of a table with a header, where the header begins.
  let position: TextPosition
  /// The bytes of the value; of a table with a header, of the header.
  var range: Range<Int>

  var table: TOMLTable? { if case .table(let table) = value { table } else { nil } }
  var text: String? { if case .text(let text) = value { text } else { nil } }
}

/// A table of a TOML text: its keys in the order of the text, with their places.
final class TOMLTable {
  /// How the table came to be, which decides what may still be added to it (TOML 1.0.0, "Table").
  enum Origin {
    /// Named only on the way to another table, by the header of that one.
    case implicit
    /// By a header of its own, or an element of an array of tables.
    case header
    /// By a dotted key.
    case dotted
    /// Written in braces, with all that is in it.
    case inline
  }

  struct Entry {
    let name: String
    /// Where the key begins, or the header that has defined the table.
    let position: TextPosition
    /// The bytes of the key before its last part, such as `default.` in `default.url`; nil without a key of its own.
    let prefix: Range<Int>?
    var node: TOMLNode
    /// True for an array that headers in double brackets have made.
    var isArrayOfTables = false
  }

  var origin: Origin
  private(set) var entries: [Entry] = []
  private var places: [String: Int] = [:]

  init(_ origin: Origin) { self.origin = origin }

  subscript(name: String) -> Entry? { places[name].map { entries[$0] } }

  func add(_ entry: Entry) {
    places[entry.name] = entries.count
    entries.append(entry)
  }

  func update(_ name: String, _ change: (inout Entry) -> Void) {
    if let place = places[name] { change(&entries[place]) }
  }

  /// Nothing may be added any more, here and below.
  func close() {
    origin = .inline
    for entry in entries { entry.node.table?.close() }
  }
}

/// What is no TOML, and where.
struct TOMLError: Error {
  let position: TextPosition
  let message: String
}

/// Writing TOML 1.0.0.
enum TOMLText {
  /// A basic string. Control characters are escaped.
  static func basicString(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": result += "\\" + String(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A part of a key that is an account's or a project's name: bare where it may be; a dot would divide it.
  static func key(_ name: String) -> String { name.utf8.contains(UInt8(ascii: ".")) ? basicString(name) : name }

  /// A key of the file as an error shows it.
  static func shownKey(_ names: [String]) -> String { ForeignText.shown(names.joined(separator: "."), limit: 40) }
}
