extension TOMLParser {
  /// Reads the value at the cursor, with its position and range.
  mutating func readValue(depth: Int) throws(TOMLError) -> TOMLNode {
    let (position, start) = (cursor.position, cursor.offset)
    guard depth < Self.maxDepth else { throw error("values are nested too deeply") }
    let value: TOMLNode.Value
    switch cursor.peek {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      value = .text(try cursor.isAt("\"\"\"") || cursor.isAt("'''") ? readLongText() : readText())
    case UInt8(ascii: "["): value = .array(try readArray(depth: depth + 1))
    case UInt8(ascii: "{"): value = .table(try readInlineTable(depth: depth + 1))
    default: value = try readWord()
    }
    return TOMLNode(value: value, position: position, range: start..<cursor.offset)
  }

  private mutating func readArray(depth: Int) throws(TOMLError) -> [TOMLNode] {
    cursor.take()
    var elements: [TOMLNode] = []
    while true {
      try skipBlankLines()
      if cursor.peek == UInt8(ascii: "]") { break }
      guard cursor.peek != nil, cursor.peek != UInt8(ascii: ","), cursor.peek != UInt8(ascii: "}") else {
        throw error("expected a value or ]")
      }
      elements.append(try readValue(depth: depth))
      try skipBlankLines()
      if cursor.peek == UInt8(ascii: ",") {
        cursor.take()
      } else if cursor.peek != UInt8(ascii: "]") {
        throw error("expected , or ]")
      }
    }
    cursor.take()
    return elements
  }

  /// Reads an inline table: on one line, without a trailing comma.
  private mutating func readInlineTable(depth: Int) throws(TOMLError) -> TOMLTable {
    let table = TOMLTable(.header)
    cursor.take()
    skipSpaces()
    if cursor.peek != UInt8(ascii: "}") {
      while true {
        try readPair(into: table, depth: depth)
        skipSpaces()
        guard cursor.peek == UInt8(ascii: ",") else { break }
        cursor.take()
        skipSpaces()
      }
    }
    guard cursor.peek == UInt8(ascii: "}") else { throw error("expected , or } on the same line") }
    cursor.take()
    table.close()
    return table
  }

  // MARK: - Numbers and booleans

  /// Reads an unquoted value.
  private mutating func readWord() throws(TOMLError) -> TOMLNode.Value {
    let position = cursor.position
    let start = cursor.offset
    cursor.skip { $0 > 0x20 && !",]}#=".utf8.contains($0) }
    let word = Array(cursor.bytes[start..<cursor.offset])
    func failure(_ message: String) -> TOMLError { TOMLError(position: position, message: message) }
    guard let first = word.first else { throw failure("expected a value") }
    if word == Array("true".utf8) { return .boolean(true) }
    if word == Array("false".utf8) { return .boolean(false) }
    if Self.isFraction(word) { return .float }
    if let (digits, radix) = Self.whole(word) {
      guard let number = Int(digits, radix: radix) else { throw failure("the number is too large") }
      return .integer(number)
    }
    // 1979-05-27 and 07:32:00 (RFC 3339).
    if Self.isDigit(first), word.dropFirst(2).first == UInt8(ascii: ":") || word.dropFirst(4).first == UInt8(ascii: "-")
    {
      throw failure("dates are not supported")
    }
    throw failure("not a value: strings need quotes")
  }

  /// Returns the digits of an integer, with a minus sign; nil if `word` is not an integer.
  private static func whole(_ word: [UInt8]) -> (digits: String, radix: Int)? {
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.starts(with: prefix.utf8) {
      return digits(word.dropFirst(2), radix: radix).map { ($0, radix) }
    }
    let isSigned = word.first.map { "+-".utf8.contains($0) } ?? false
    guard let digits = digits(word.dropFirst(isSigned ? 1 : 0), radix: 10), digits == "0" || digits.first != "0" else {
      return nil
    }
    return ((word.first == UInt8(ascii: "-") ? "-" : "") + digits, 10)
  }

  private static func isFraction(_ word: [UInt8]) -> Bool {
    var rest = word[...]
    if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
    if rest.elementsEqual("inf".utf8) || rest.elementsEqual("nan".utf8) { return true }
    let mantissa = rest.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    var exponent = rest.dropFirst(mantissa.count + 1)
    let parts = mantissa.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 || mantissa.count < rest.count, let whole = parts.first.flatMap({ digits($0, radix: 10) }),
      whole == "0" || whole.first != "0", parts.dropFirst().allSatisfy({ digits($0, radix: 10) != nil })
    else { return false }
    guard mantissa.count < rest.count else { return true }
    if let sign = exponent.first, "+-".utf8.contains(sign) { exponent = exponent.dropFirst() }
    return digits(exponent, radix: 10) != nil
  }

  /// Returns the digits without underscores; nil unless each underscore is between two digits.
  private static func digits(_ word: ArraySlice<UInt8>, radix: Int) -> String? {
    let groups = word.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    guard groups.allSatisfy({ !$0.isEmpty && $0.allSatisfy { isDigit($0, radix: radix) } }) else { return nil }
    return String(decoding: groups.joined(), as: UTF8.self)
  }

  static func isDigit(_ byte: UInt8, radix: Int = 10) -> Bool {
    guard byte < 0x80 else { return false }
    return Character(Unicode.Scalar(byte)).hexDigitValue.map { $0 < radix } ?? false
  }
}

extension TOMLParser {
  /// Reads a single-line string in single or double quotes.
  mutating func readText() throws(TOMLError) -> String {
    guard let quote = cursor.take() else { return "" }
    var bytes: [UInt8] = []
    while let byte = cursor.peek, byte != UInt8(ascii: "\n"), !cursor.isAt("\r\n") {
      if byte == quote {
        cursor.take()
        return String(decoding: bytes, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        bytes += try readEscape()
      } else {
        bytes.append(try takePrintable(byte))
      }
    }
    throw error("the closing quote is missing")
  }

  /// Reads a multi-line string in three single or double quotes. A newline directly after the
  /// opening quotes is skipped.
  mutating func readLongText() throws(TOMLError) -> String {
    let isLiteral = cursor.isAt("'''")
    let quote = isLiteral ? UInt8(ascii: "'") : UInt8(ascii: "\"")
    cursor.take(3)
    if cursor.isAt("\r\n") { cursor.take() }
    if cursor.peek == UInt8(ascii: "\n") { cursor.take() }
    var bytes: [UInt8] = []
    while let byte = cursor.peek {
      switch byte {
      case quote where isLiteral ? cursor.isAt("'''") : cursor.isAt("\"\"\""):
        let start = cursor.offset
        // Up to two quotes of the string may precede the closing three.
        while cursor.peek == quote, cursor.offset < start + 5 { cursor.take() }
        bytes += [UInt8](repeating: quote, count: cursor.offset - start - 3)
        return String(decoding: bytes, as: UTF8.self)
      case UInt8(ascii: "\\") where !isLiteral: if try !skipLineContinuation() { bytes += try readEscape() }
      case UInt8(ascii: "\n"): bytes.append(cursor.take() ?? byte)
      case UInt8(ascii: "\r") where cursor.isAt("\r\n"): bytes.append(cursor.take() ?? byte)
      default: bytes.append(try takePrintable(byte))
      }
    }
    throw error("unexpected end of file: the three closing quotes are missing")
  }

  /// Skips a backslash at the end of a line and all whitespace up to the next character. Returns
  /// false if the backslash is not at the end of a line.
  private mutating func skipLineContinuation() throws(TOMLError) -> Bool {
    var ahead = cursor
    ahead.take()
    ahead.skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard ahead.peek == UInt8(ascii: "\n") || ahead.isAt("\r\n") else { return false }
    while true {
      ahead.skip { " \t\n".utf8.contains($0) }
      guard ahead.isAt("\r\n") else { break }
      ahead.take()
    }
    cursor = ahead
    return true
  }

  private mutating func readEscape() throws(TOMLError) -> [UInt8] {
    let position = cursor.position
    cursor.take()
    switch cursor.take() {
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "\""): return [UInt8(ascii: "\"")]
    case UInt8(ascii: "\\"): return [UInt8(ascii: "\\")]
    case UInt8(ascii: "u"): return try readScalar(digits: 4, position)
    case UInt8(ascii: "U"): return try readScalar(digits: 8, position)
    default:
      throw TOMLError(
        position: position, message: "unknown escape sequence; write \\\\ for a backslash, or use single quotes")
    }
  }

  private mutating func readScalar(digits: Int, _ position: TextPosition) throws(TOMLError) -> [UInt8] {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let byte = cursor.peek, Self.isDigit(byte, radix: 16),
        let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { throw TOMLError(position: position, message: "expected \(digits) hexadecimal digits") }
      value = value << 4 | UInt32(digit)
      cursor.take()
    }
    // System calls that take a path, and C libraries, would truncate the string at a NUL.
    guard value != 0 else { throw TOMLError(position: position, message: Self.control(0)) }
    guard let scalar = Unicode.Scalar(value) else {
      throw TOMLError(position: position, message: "not a valid Unicode character")
    }
    return Array(String(scalar).utf8)
  }
}
