extension TOMLParser {
  /// The value that begins here, with its place.
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
        throw error("a value or ] is meant")
      }
      elements.append(try readValue(depth: depth))
      try skipBlankLines()
      if cursor.peek == UInt8(ascii: ",") {
        cursor.take()
      } else if cursor.peek != UInt8(ascii: "]") {
        throw error(", or ] is meant")
      }
    }
    cursor.take()
    return elements
  }

  /// On one line, without a comma at the end.
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
    guard cursor.peek == UInt8(ascii: "}") else { throw error(", or } is meant, on the same line") }
    cursor.take()
    table.close()
    return table
  }

  // MARK: - Numbers and truths

  /// Reads an unquoted value.
  private mutating func readWord() throws(TOMLError) -> TOMLNode.Value {
    let position = cursor.position
    let start = cursor.offset
    cursor.skip { $0 > 0x20 && !",]}#=".utf8.contains($0) }
    let word = Array(cursor.bytes[start..<cursor.offset])
    func failure(_ message: String) -> TOMLError { TOMLError(position: position, message: message) }
    guard let first = word.first else { throw failure("a value is meant") }
    if word == Array("true".utf8) { return .truth(true) }
    if word == Array("false".utf8) { return .truth(false) }
    if Self.isFraction(word) { return .fraction }
    if let (digits, radix) = Self.whole(word) {
      guard let number = Int(digits, radix: radix) else { throw failure("this number is too large") }
      return .whole(number)
    }
    // 1979-05-27 and 07:32:00 (RFC 3339).
    if Self.isDigit(first), word.dropFirst(2).first == UInt8(ascii: ":") || word.dropFirst(4).first == UInt8(ascii: "-")
    {
      throw failure("no key takes a date")
    }
    throw failure("this is no value: a text needs quotes")
  }

  /// The digits of a whole number, with its sign; nil for what is none.
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

  /// The digits without their underscores, each of which stands between two digits.
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
