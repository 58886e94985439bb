import AgentProtocol

/// A value of a TOML text and its position.
struct TOMLNode {
  indirect enum Value {
    case text(String)
    case integer(Int)
    case boolean(Bool)
    /// A float. Its value is not kept, because no key takes one.
    case float
    case array([TOMLNode])
    case table(TOMLTable)
  }

  var value: Value
  /// The start of the value; for a table with a header, the start of the header.
  let position: TextPosition
  /// The byte range of the value; for a table with a header, of the header.
  var range: Range<Int>

  var table: TOMLTable? { if case .table(let table) = value { table } else { nil } }
  var text: String? { if case .text(let text) = value { text } else { nil } }
}

/// A table of a TOML text: its keys in the order of the text, with their positions.
final class TOMLTable {
  /// How the table was defined, which determines what may be added to it (TOML 1.0.0, "Table").
  enum Origin {
    /// Only named as a parent in another table's header.
    case implicit
    /// Defined by its own header, or an element of an array of tables.
    case header
    /// Defined by a dotted key.
    case dotted
    /// An inline table, or a table inside one. Closed to additions.
    case inline
  }

  struct Entry {
    let name: String
    /// The start of the key, or of the header that defined the table.
    let position: TextPosition
    /// The byte range of the key before its last part, such as `default.` in `default.url`; nil if
    /// the entry has no key of its own.
    let prefix: Range<Int>?
    var node: TOMLNode
    /// True for an array of tables, defined by headers in double brackets.
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

  /// Closes this table and all tables in it to additions.
  func close() {
    origin = .inline
    for entry in entries { entry.node.table?.close() }
  }
}

/// A syntax error and its position.
struct TOMLError: Error {
  let position: TextPosition
  let message: String
}

enum TOMLText {
  /// Returns `text` as a basic string. Control characters are escaped.
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

  /// Returns the name of an account or project as a part of a key. A name with a dot is quoted,
  /// because the dot would split the key.
  static func key(_ name: String) -> String { name.utf8.contains(UInt8(ascii: ".")) ? basicString(name) : name }

  /// Returns a key of the file as shown in errors.
  static func shownKey(_ names: [String]) -> String { ForeignText.shown(names.joined(separator: "."), limit: 40) }
}
