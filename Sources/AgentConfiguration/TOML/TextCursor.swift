/// A place in a text that a person can go to.
package struct TextPosition: Sendable, Hashable {
  /// 1 is the first.
  package let line: Int
  /// 1 is the first; counted in Unicode scalars.
  package let column: Int

  package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}

/// Reads a text byte by byte and knows the offset, the line and the column.
struct TextCursor {
  let bytes: [UInt8]
  private(set) var offset = 0
  private var line = 1
  private var column = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
    // A byte order mark stands before the first column.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  var position: TextPosition { TextPosition(line: line, column: column) }

  /// The next byte; nil at the end.
  var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Whether `text` comes next.
  func isAt(_ text: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return bytes.count - offset >= wanted.count && bytes[offset..<offset + wanted.count].elementsEqual(wanted)
  }

  /// Takes the next byte.
  @discardableResult
  mutating func take() -> UInt8? {
    guard let byte = peek else { return nil }
    offset += 1
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
}
