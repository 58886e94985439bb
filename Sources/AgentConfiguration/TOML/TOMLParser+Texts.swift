extension TOMLParser {
  /// A text on one line, in single or double quotes.
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
    throw error("the quote that ends the text is missing")
  }

  /// A text of several lines, in three single or double quotes. A line end right behind the opening quotes is left out.
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
        // Up to two quotes of the text may stand before the three that end it.
        while cursor.peek == quote, cursor.offset < start + 5 { cursor.take() }
        bytes += [UInt8](repeating: quote, count: cursor.offset - start - 3)
        return String(decoding: bytes, as: UTF8.self)
      case UInt8(ascii: "\\") where !isLiteral: if try !skipLineContinuation() { bytes += try readEscape() }
      case UInt8(ascii: "\n"): bytes.append(cursor.take() ?? byte)
      case UInt8(ascii: "\r") where cursor.isAt("\r\n"): bytes.append(cursor.take() ?? byte)
      default: bytes.append(try takePrintable(byte))
      }
    }
    throw error("end of the file: the three quotes that end the text are missing")
  }

  /// A backslash at the end of a line leaves out all blanks up to the next character.
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
        position: position, message: "there is no such escape; write \\\\ for a backslash, or use single quotes")
    }
  }

  private mutating func readScalar(digits: Int, _ position: TextPosition) throws(TOMLError) -> [UInt8] {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let byte = cursor.peek, Self.isDigit(byte, radix: 16),
        let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { throw TOMLError(position: position, message: "\(digits) hexadecimal digits are meant") }
      value = value << 4 | UInt32(digit)
      cursor.take()
    }
    // The system calls that take a path, and the C libraries, would end a text there.
    guard value != 0 else { throw TOMLError(position: position, message: Self.control(0)) }
    guard let scalar = Unicode.Scalar(value) else {
      throw TOMLError(position: position, message: "there is no such character")
    }
    return Array(String(scalar).utf8)
  }
}
