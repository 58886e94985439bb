/// Which keys a TOML 1.0 text defines, headers included: enough to know what may be appended. What is wrong with the text
/// otherwise is the agent's to say, with line and column.
struct TOMLKeys {
  struct Entry: Equatable {
    let path: [String]
    let isHeader: Bool
  }

  private(set) var entries: [Entry] = []
  private var rest: Substring.UTF8View
  private var table: [String] = []

  init(_ text: String) {
    rest = Substring(text).utf8
    while skipToStatement() {
      if rest.first == UInt8(ascii: "[") { readHeader() } else { readAssignment() }
    }
  }

  /// Skips spaces, empty lines and comments; false at the end of the text.
  private mutating func skipToStatement() -> Bool {
    while let byte = rest.first {
      if byte == UInt8(ascii: "#") {
        skipLine()
      } else if isSpace(byte) || isNewline(byte) {
        rest.removeFirst()
      } else {
        return true
      }
    }
    return false
  }

  private mutating func readHeader() {
    rest = rest.drop { $0 == UInt8(ascii: "[") }
    table = readPath()
    if !table.isEmpty { entries.append(Entry(path: table, isHeader: true)) }
    skipLine()
  }

  private mutating func readAssignment() {
    let path = readPath()
    guard !path.isEmpty, rest.first == UInt8(ascii: "=") else { return skipLine() }
    entries.append(Entry(path: table + path, isHeader: false))
    skipValue()
  }

  /// A dotted key; empty where there is none.
  private mutating func readPath() -> [String] {
    var path: [String] = []
    while true {
      rest = rest.drop { isSpace($0) }
      guard let part = readKey() else { return path }
      path.append(part)
      rest = rest.drop { isSpace($0) }
      guard rest.first == UInt8(ascii: ".") else { return path }
      rest.removeFirst()
    }
  }

  private mutating func readKey() -> String? {
    if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") { return readString(quote) }
    let bare = rest.prefix { isBare($0) }
    rest = rest.dropFirst(bare.count)
    return bare.isEmpty ? nil : String(decoding: bare, as: UTF8.self)
  }

  /// A string on one line, without its quotes. Escapes other than of quote and backslash stay as they are written.
  private mutating func readString(_ quote: UInt8) -> String {
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.first, !isNewline(byte) {
      rest.removeFirst()
      if byte == quote { break }
      let escapes = byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
      if escapes, let next = rest.first, next == quote || next == byte {
        rest.removeFirst()
        bytes.append(next)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Skips a value: to the end of its line, and over the lines of arrays and long strings.
  private mutating func skipValue() {
    var depth = 0
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(byte)
      case UInt8(ascii: "#"): skipLine()
      case _ where isNewline(byte):
        if depth <= 0 { return }
        rest.removeFirst()
      default:
        if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
        rest.removeFirst()
      }
    }
  }

  private mutating func skipString(_ quote: UInt8) {
    let long = [quote, quote, quote]
    guard rest.starts(with: long) else {
      _ = readString(quote)
      return
    }
    rest = rest.dropFirst(long.count)
    while let byte = rest.first, !rest.starts(with: long) {
      rest = rest.dropFirst(byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1)
    }
    // Up to two quotes more may belong to the string's end.
    rest = rest.drop { $0 == quote }
  }

  private mutating func skipLine() { rest = rest.drop { !isNewline($0) } }

  private func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  private func isNewline(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

  private func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
