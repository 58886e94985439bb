/// A place in a text that a person can go to.
struct TextPosition: Sendable, Hashable, Comparable {
  /// 1 is the first.
  let line: Int
  /// 1 is the first; counted in Unicode scalars, as TOMLKit counts.
  let column: Int

  static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// Goes through a text byte by byte and knows the line and the column.
struct TextCursor: Sendable {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var column = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
    // A byte order mark stands before the first column.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  var position: TextPosition { TextPosition(line: line, column: column) }

  /// How many bytes lie behind.
  var offset: Int { index }

  /// The next byte; nil at the end.
  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Whether `text` comes next.
  func isAt(_ text: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return bytes.count - index >= wanted.count && bytes[index..<index + wanted.count].elementsEqual(wanted)
  }

  /// Takes the next byte.
  @discardableResult
  mutating func take() -> UInt8? {
    guard let byte = peek else { return nil }
    index += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      // The bytes that continue a scalar have no column of their own.
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

  /// Goes on to `wanted`, or to the end of its line where that is nearer: at the end of a text TOMLKit points behind the
  /// last line's end.
  mutating func skip(to wanted: TextPosition) {
    while let byte = peek, position < wanted, position.line < wanted.line || byte != UInt8(ascii: "\n") { take() }
  }
}
