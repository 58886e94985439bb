import SystemSupport

/// A parser for TOML 1.0.0 (toml.io) that records the line, column and byte range of every key and
/// value. Dates and times are rejected, because no key takes one.
struct TOMLParser {
  /// The maximum number of parts of a key, and the maximum nesting of values: far above what a
  /// configuration needs, and far below what would exhaust the stack.
  private static let maxKeyParts = 32
  static let maxDepth = 64

  var cursor: TextCursor
  private let root = TOMLTable(.header)
  /// The table of the last header.
  private var current: TOMLTable

  private init(_ text: String) {
    cursor = TextCursor(text)
    current = root
  }

  static func parse(_ text: String) throws(TOMLError) -> TOMLTable {
    var parser = TOMLParser(text)
    try parser.run()
    return parser.root
  }

  private mutating func run() throws(TOMLError) {
    while true {
      try skipBlankLines()
      guard let byte = cursor.peek else { return }
      if byte == UInt8(ascii: "[") { try readHeader() } else { try readPair(into: current, depth: 0) }
      try endLine()
    }
  }

  // MARK: - Headers

  private mutating func readHeader() throws(TOMLError) {
    let (position, start) = (cursor.position, cursor.offset)
    let isArray = cursor.isAt("[[")
    cursor.take(isArray ? 2 : 1)
    skipSpaces()
    guard let byte = cursor.peek, Self.beginsKey(byte) else { throw error("expected a table name") }
    let names = try readKey().names
    guard isArray ? cursor.isAt("]]") : cursor.peek == UInt8(ascii: "]") else {
      throw error(isArray ? "expected ]]" : "expected ]")
    }
    cursor.take(isArray ? 2 : 1)
    let header = Header(names: names, position: position, range: start..<cursor.offset)
    current = try isArray ? element(header) : table(header)
  }

  private struct Header {
    let names: [String]
    let position: TextPosition
    let range: Range<Int>

    func entry(_ name: String, _ value: TOMLNode.Value) -> TOMLTable.Entry {
      let node = TOMLNode(value: value, position: position, range: range)
      return TOMLTable.Entry(name: name, position: position, prefix: nil, node: node)
    }

    func failure(_ words: String) -> TOMLError {
      TOMLError(position: position, message: "\(TOMLText.shownKey(names)) \(words)")
    }
  }

  /// `[a.b.c]`
  private func table(_ header: Header) throws(TOMLError) -> TOMLTable {
    let (parent, name) = try parent(of: header)
    guard let known = parent[name] else {
      let table = TOMLTable(.header)
      parent.add(header.entry(name, .table(table)))
      return table
    }
    guard let table = known.node.table, table.origin == .implicit else { throw header.failure("is already defined") }
    table.origin = .header
    return table
  }

  /// `[[a.b.c]]`
  private func element(_ header: Header) throws(TOMLError) -> TOMLTable {
    let (parent, name) = try parent(of: header)
    let table = TOMLTable(.header)
    let node = TOMLNode(value: .table(table), position: header.position, range: header.range)
    guard let known = parent[name] else {
      var entry = header.entry(name, .array([node]))
      entry.isArrayOfTables = true
      parent.add(entry)
      return table
    }
    guard known.isArrayOfTables, case .array(let elements) = known.node.value else {
      throw header.failure("is already defined and is not an array of tables")
    }
    parent.update(name) { $0.node.value = .array(elements + [node]) }
    return table
  }

  /// Returns the table that contains the header's last name. Missing tables on the path are
  /// created; in an array of tables the last element is used.
  private func parent(of header: Header) throws(TOMLError) -> (TOMLTable, String) {
    var table = root
    for name in header.names.dropLast() {
      guard let known = table[name] else {
        let new = TOMLTable(.implicit)
        table.add(header.entry(name, .table(new)))
        table = new
        continue
      }
      switch known.node.value {
      case .table(let next) where next.origin != .inline: table = next
      case .array(let elements) where known.isArrayOfTables: table = elements.last?.table ?? table
      default: throw header.failure("cannot be added: \(TOMLText.shownKey([name])) is not a table")
      }
    }
    return (table, header.names.last ?? "")
  }

  // MARK: - Keys and values

  /// `a.b.c = value`
  mutating func readPair(into table: TOMLTable, depth: Int) throws(TOMLError) {
    let (position, start) = (cursor.position, cursor.offset)
    let key = try readKey()
    guard cursor.peek == UInt8(ascii: "=") else { throw error("expected = after the key") }
    cursor.take()
    skipSpaces()
    let prefix = start..<key.last
    var parent = table
    func failure(_ words: String) -> TOMLError {
      TOMLError(position: position, message: "\(TOMLText.shownKey(key.names)) \(words)")
    }
    for name in key.names.dropLast() {
      guard let known = parent[name] else {
        let new = TOMLTable(.dotted)
        let node = TOMLNode(value: .table(new), position: position, range: start..<start)
        parent.add(TOMLTable.Entry(name: name, position: position, prefix: nil, node: node))
        parent = new
        continue
      }
      guard let next = known.node.table, next.origin == .dotted else {
        throw failure("cannot be added: \(TOMLText.shownKey([name])) is already defined")
      }
      parent = next
    }
    guard let name = key.names.last, parent[name] == nil else { throw failure("is already defined") }
    let node = try readValue(depth: depth)
    parent.add(TOMLTable.Entry(name: name, position: position, prefix: prefix, node: node))
  }

  /// Reads a dotted key and the whitespace after it. Also returns the offset of its last part.
  private mutating func readKey() throws(TOMLError) -> (names: [String], last: Int) {
    let position = cursor.position
    var names: [String] = []
    while true {
      let last = cursor.offset
      names.append(try readSimpleKey())
      guard names.count <= Self.maxKeyParts else {
        throw TOMLError(position: position, message: "a key can have at most \(Self.maxKeyParts) parts")
      }
      skipSpaces()
      guard cursor.peek == UInt8(ascii: ".") else { return (names, last) }
      cursor.take()
      skipSpaces()
    }
  }

  private mutating func readSimpleKey() throws(TOMLError) -> String {
    guard let byte = cursor.peek, Self.beginsKey(byte) else { throw error("expected a key") }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      guard !cursor.isAt("\"\"\""), !cursor.isAt("'''") else {
        throw error("a key cannot be a multi-line string")
      }
      return try readText()
    }
    let start = cursor.offset
    cursor.skip(while: Self.isBare)
    return String(decoding: cursor.bytes[start..<cursor.offset], as: UTF8.self)
  }

  private static func beginsKey(_ byte: UInt8) -> Bool { isBare(byte) || "\"'".utf8.contains(byte) }

  private static func isBare(_ byte: UInt8) -> Bool { byte.isASCIIAlphanumeric || "-_".utf8.contains(byte) }

  // MARK: - Whitespace and comments

  /// Skips whitespace, line ends and comments.
  mutating func skipBlankLines() throws(TOMLError) {
    while true {
      skipSpaces()
      guard let byte = cursor.peek, "#\r\n".utf8.contains(byte) else { return }
      try endLine()
    }
  }

  mutating func skipSpaces() { cursor.skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

  /// Reads the rest of a line after a statement: whitespace, a comment and the line end.
  private mutating func endLine() throws(TOMLError) {
    skipSpaces()
    if cursor.peek == UInt8(ascii: "#") {
      while let byte = cursor.peek, byte != UInt8(ascii: "\n"), !cursor.isAt("\r\n") { try takePrintable(byte) }
    }
    guard cursor.peek != nil else { return }
    if cursor.isAt("\r\n") { cursor.take() }
    guard cursor.peek == UInt8(ascii: "\n") else { throw error("expected the end of the line") }
    cursor.take()
  }

  /// Consumes a byte of a string or a comment. Rejects control characters (TOML 1.0.0, "Comment",
  /// "String").
  @discardableResult
  mutating func takePrintable(_ byte: UInt8) throws(TOMLError) -> UInt8 {
    guard byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t") else { throw error(Self.control(UInt32(byte))) }
    cursor.take()
    return byte
  }

  static func control(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return "the control character U+" + String(repeating: "0", count: 4 - digits.count) + digits
      + " is not allowed here"
  }

  func error(_ message: String) -> TOMLError { TOMLError(position: cursor.position, message: message) }
}

/// A position in a text, for display to the user.
package struct TextPosition: Sendable, Hashable {
  /// The line, counted from 1.
  package let line: Int
  /// The column, counted from 1 in Unicode scalars.
  package let column: Int

  package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}

/// Reads a text byte by byte and tracks the offset, line and column.
struct TextCursor {
  let bytes: [UInt8]
  private(set) var offset = 0
  private var line = 1
  private var column = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
    // A byte order mark has no column.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  var position: TextPosition { TextPosition(line: line, column: column) }

  /// The next byte; nil at the end.
  var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func isAt(_ text: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return bytes.count - offset >= wanted.count && bytes[offset..<offset + wanted.count].elementsEqual(wanted)
  }

  @discardableResult
  mutating func take() -> UInt8? {
    guard let byte = peek else { return nil }
    offset += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      // Continuation bytes of a scalar have no column.
      column += 1
    }
    return byte
  }

  mutating func take(_ count: Int) {
    for _ in 0..<count { take() }
  }

  mutating func skip(while condition: (UInt8) -> Bool) {
    while let byte = peek, condition(byte) { take() }
  }

  mutating func skipToEnd() {
    while take() != nil {}
  }
}
