/// Walks through a TOML text (toml.io, version 1.0.0) and notes where keys and values begin. It judges nothing: of text
/// that is no TOML it notes what it can and comes to an end.
struct TOMLWalk {
  struct Entry {
    let path: [String]
    let key: TextPosition
    var value: TextPosition?
  }

  /// More parts than any key of ours has. TOMLKit frees a table by recursion and dies of a key with 100,000 parts.
  private static let longestKey = 32
  /// The depth at which TOMLKit itself gives up.
  private static let deepestValue = 256

  private(set) var entries: [Entry] = []
  private(set) var hazard: KeyPositions.Hazard?
  private var cursor: TextCursor
  private var table: [String] = []
  /// How many elements each array of tables has so far.
  private var elements: [[String]: Int] = [:]

  init(_ text: String) { cursor = TextCursor(text) }

  mutating func run() {
    while true {
      skipBlank()
      guard let byte = cursor.peek else { return }
      if byte == UInt8(ascii: "[") { header() } else { pair(under: table, depth: 0) }
      skipLine()
    }
  }

  // MARK: - Statements

  private mutating func header() {
    let position = cursor.position
    let isElement = cursor.isAt("[[")
    cursor.take(isElement ? 2 : 1)
    skipSpaces()
    if let byte = cursor.peek, byte != UInt8(ascii: "]"), !Self.beginsKey(byte) {
      note(cursor.position, "the name of a table is meant")
    }
    table = key()
    if isElement, !table.isEmpty {
      // Each is a table of its own, told apart by its number.
      elements[table, default: 0] += 1
      table.append("\((elements[table] ?? 1) - 1)")
    }
    if !table.isEmpty { entries.append(Entry(path: table, key: position)) }
  }

  /// `key = value`. Inside an array there is no path, and nothing is noted.
  private mutating func pair(under parent: [String]?, depth: Int) {
    let position = cursor.position
    let names = key()
    skipSpaces()
    guard !names.isEmpty, cursor.peek == UInt8(ascii: "=") else { return }
    cursor.take()
    skipSpaces()
    let path = parent.map { $0 + names }
    if let path { entries.append(Entry(path: path, key: position, value: cursor.position)) }
    value(of: path, depth: depth)
  }

  private mutating func key() -> [String] {
    let position = cursor.position
    var names: [String] = []
    while true {
      skipSpaces()
      guard let name = simpleKey() else { return names }
      guard names.count < Self.longestKey else {
        note(position, "a key has \(Self.longestKey) parts at most")
        return []
      }
      names.append(name)
      skipSpaces()
      guard cursor.peek == UInt8(ascii: ".") else { return names }
      cursor.take()
    }
  }

  private mutating func simpleKey() -> String? {
    switch cursor.peek {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return text()
    default: break
    }
    var bytes: [UInt8] = []
    while let byte = cursor.peek, !" \t\r\n.=[]{},#\"'".utf8.contains(byte) {
      bytes.append(byte)
      take()
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Values

  private mutating func value(of path: [String]?, depth: Int) {
    guard depth < Self.deepestValue else { return cursor.skipToEnd() }
    switch cursor.peek {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = text()
    case UInt8(ascii: "["): items(until: UInt8(ascii: "]")) { $0.item(depth: depth + 1) }
    case UInt8(ascii: "{"): items(until: UInt8(ascii: "}")) { $0.pair(under: path, depth: depth + 1) }
    default: word()
    }
  }

  /// A number, a truth or a date: what has no quotes.
  private mutating func word() {
    let position = cursor.position
    var bytes: [UInt8] = []
    while let byte = cursor.peek, !",]}#\r\n".utf8.contains(byte) {
      // TOMLKit passes over underscores when it asks whether this is a date.
      if byte != UInt8(ascii: "_") { bytes.append(byte) }
      take()
    }
    let isDate =
      bytes.count > 4 && bytes[4] == UInt8(ascii: "-") && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[0])
    if isDate { note(position, "no key takes a date") }
  }

  /// One value of an array.
  private mutating func item(depth: Int) {
    if cursor.peek == UInt8(ascii: "}") { note(cursor.position, "a value or ] is meant") }
    value(of: nil, depth: depth)
  }

  private mutating func items(until end: UInt8, _ item: (inout TOMLWalk) -> Void) {
    take()
    while true {
      skipBlank()
      guard let byte = cursor.peek else { return }
      if byte == end {
        take()
        return
      }
      let before = cursor.offset
      item(&self)
      skipBlank()
      if cursor.peek == UInt8(ascii: ",") || cursor.offset == before { take() }
    }
  }

  // MARK: - Texts

  /// Takes a text in quotes and returns it.
  private mutating func text() -> String {
    let isLiteral = cursor.peek == UInt8(ascii: "'")
    if cursor.isAt("\"\"\"") || cursor.isAt("'''") { return longText(isLiteral: isLiteral) }
    let quote = cursor.take()
    var bytes: [UInt8] = []
    while let byte = cursor.peek, byte != quote, byte != UInt8(ascii: "\n") {
      if byte == UInt8(ascii: "\\"), !isLiteral { bytes += escape() } else { bytes.append(take() ?? byte) }
    }
    if cursor.peek == quote { take() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A text of several lines; no key can be one, so what it holds does not matter.
  private mutating func longText(isLiteral: Bool) -> String {
    cursor.take(3)
    while let byte = cursor.peek {
      if isLiteral ? cursor.isAt("'''") : cursor.isAt("\"\"\"") {
        // Up to two quotes may stand before the three that end it.
        cursor.skip { $0 == byte }
        break
      }
      if byte == UInt8(ascii: "\\"), !isLiteral { _ = escape() } else { take() }
    }
    return ""
  }

  private mutating func escape() -> [UInt8] {
    let position = cursor.position
    take()
    guard let letter = take() else { return [] }
    switch letter {
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "u"): return scalar(digits: 4, position)
    case UInt8(ascii: "U"): return scalar(digits: 8, position)
    default: return [letter]
    }
  }

  private mutating func scalar(digits: Int, _ position: TextPosition) -> [UInt8] {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let byte = cursor.peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return [] }
      value = value << 4 | UInt32(digit)
      take()
    }
    // TOMLKit hands texts over as C does, and would cut this one there.
    if value == 0 { note(position, "a text must not contain the character U+0000") }
    return Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
  }

  // MARK: - Between

  /// All that has no meaning: spaces, line ends and comments.
  private mutating func skipBlank() {
    while let byte = cursor.peek {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): take()
      case UInt8(ascii: "#"): skipLine()
      default: return
      }
    }
  }

  private mutating func skipSpaces() {
    cursor.skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  private mutating func skipLine() {
    while let byte = cursor.peek, byte != UInt8(ascii: "\n") { take() }
  }

  @discardableResult
  private mutating func take() -> UInt8? {
    if cursor.peek == 0 { note(cursor.position, "a text must not contain the character U+0000") }
    return cursor.take()
  }

  private static func beginsKey(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-_\"'".utf8.contains(byte)
    }
  }

  private mutating func note(_ position: TextPosition, _ message: String) {
    if hazard == nil { hazard = KeyPositions.Hazard(position: position, message: message) }
  }
}
