/// Thrown if the text is not JSON (RFC 8259), or exceeds the maximum nesting depth.
struct NotJSON: Error {}

/// Reads JSON text in place: checks the grammar of RFC 8259 strictly and returns the ranges of
/// values. It allocates nothing and uses no stack for nesting, so it can run before a decoder that
/// recurses.
///
/// It does not check UTF-8; the caller does so once for the whole frame.
struct JSONReader {
  /// Maximum nesting depth of a message: far more than any method uses, and one machine word of
  /// memory.
  static let depthLimit = 64

  private(set) var position: Int

  init(at position: Int = 0) { self.position = position }

  /// Skips white space and returns the next byte without reading it; nil at the end.
  mutating func peek(_ bytes: Span<UInt8>) -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      // RFC 8259, section 2: space, tab, line feed, carriage return.
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      position += 1
    }
    return nil
  }

  /// Skips white space, and reads `byte` if it comes next. Returns true if it did.
  mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard peek(bytes) == byte else { return false }
    position += 1
    return true
  }

  /// Skips white space, and reads `byte`, which must come next.
  mutating func expect(_ byte: UInt8, _ bytes: Span<UInt8>) throws(NotJSON) {
    guard take(byte, bytes) else { throw NotJSON() }
  }

  /// Reads one value of any kind inside `depth` open containers, and returns its range.
  mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(NotJSON) -> Range<Int> {
    guard peek(bytes) != nil else { throw NotJSON() }
    let start = position
    var open = OpenContainers(limit: Self.depthLimit - depth)
    repeat {
      try descend(bytes, &open)
      try ascend(bytes, &open)
    } while !open.isEmpty
    return start..<position
  }

  /// Opens containers down to the next scalar or empty container, and reads the scalar.
  private mutating func descend(_ bytes: Span<UInt8>, _ open: inout OpenContainers) throws(NotJSON) {
    while true {
      switch peek(bytes) {
      case UInt8(ascii: "{"):
        position += 1
        try open.push(isObject: true)
        if peek(bytes) == UInt8(ascii: "}") { return }
        try name(bytes)
      case UInt8(ascii: "["):
        position += 1
        try open.push(isObject: false)
        if peek(bytes) == UInt8(ascii: "]") { return }
      default: return try scalar(bytes)
      }
    }
  }

  /// Closes containers that end here, and stops after the comma (and name) before the next value.
  private mutating func ascend(_ bytes: Span<UInt8>, _ open: inout OpenContainers) throws(NotJSON) {
    while !open.isEmpty {
      if take(UInt8(ascii: ","), bytes) {
        if open.isObject { try name(bytes) }
        // A value must follow a comma: `[1,]` is invalid.
        guard let next = peek(bytes), next != UInt8(ascii: "]"), next != UInt8(ascii: "}") else { throw NotJSON() }
        return
      }
      try expect(UInt8(ascii: open.isObject ? "}" : "]"), bytes)
      open.pop()
    }
  }

  private mutating func name(_ bytes: Span<UInt8>) throws(NotJSON) {
    _ = try string(bytes)
    try expect(UInt8(ascii: ":"), bytes)
  }

  private mutating func scalar(_ bytes: Span<UInt8>) throws(NotJSON) {
    switch peek(bytes) {
    case UInt8(ascii: "\""): _ = try string(bytes)
    case UInt8(ascii: "t"): try literal("true", bytes)
    case UInt8(ascii: "f"): try literal("false", bytes)
    case UInt8(ascii: "n"): try literal("null", bytes)
    default: try number(bytes)
    }
  }

  private mutating func literal(_ word: StaticString, _ bytes: Span<UInt8>) throws(NotJSON) {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count, bytes.holds(word, at: position..<end) else { throw NotJSON() }
    position = end
  }

  /// Reads a string, and returns the range between its quotes.
  mutating func string(_ bytes: Span<UInt8>) throws(NotJSON) -> Range<Int> {
    try expect(UInt8(ascii: "\""), bytes)
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return start..<(position - 1) }
      // RFC 8259, section 7: control characters must be escaped.
      guard byte >= 0x20 else { throw NotJSON() }
      if byte == UInt8(ascii: "\\") { try escape(bytes) }
    }
    throw NotJSON()
  }

  private mutating func escape(_ bytes: Span<UInt8>) throws(NotJSON) {
    guard position < bytes.count else { throw NotJSON() }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return
    case UInt8(ascii: "u"):
      guard position + 4 <= bytes.count else { throw NotJSON() }
      for index in position..<(position + 4) where !bytes[index].isHexadecimalDigit { throw NotJSON() }
      position += 4
    default: throw NotJSON()
    }
  }

  // RFC 8259, section 6: [ minus ] int [ frac ] [ exp ], without leading zeros.
  private mutating func number(_ bytes: Span<UInt8>) throws(NotJSON) {
    skip(UInt8(ascii: "-"), bytes)
    if !skip(UInt8(ascii: "0"), bytes) { try digits(bytes) }
    if skip(UInt8(ascii: "."), bytes) { try digits(bytes) }
    if skip(UInt8(ascii: "e"), bytes) || skip(UInt8(ascii: "E"), bytes) {
      if !skip(UInt8(ascii: "+"), bytes) { skip(UInt8(ascii: "-"), bytes) }
      try digits(bytes)
    }
  }

  private mutating func digits(_ bytes: Span<UInt8>) throws(NotJSON) {
    let start = position
    while position < bytes.count, bytes[position].isDigit { position += 1 }
    guard position > start else { throw NotJSON() }
  }

  @discardableResult
  private mutating func skip(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }
}

/// The open containers, one bit each, set for an object. The innermost is the lowest bit.
private struct OpenContainers {
  private var kinds: UInt64 = 0
  private var count = 0
  private let limit: Int

  init(limit: Int) { self.limit = min(limit, UInt64.bitWidth) }

  var isEmpty: Bool { count == 0 }
  var isObject: Bool { kinds & 1 == 1 }

  mutating func push(isObject: Bool) throws(NotJSON) {
    guard count < limit else { throw NotJSON() }
    count += 1
    kinds = kinds << 1 | (isObject ? 1 : 0)
  }

  mutating func pop() {
    count -= 1
    kinds >>= 1
  }
}

extension Span<UInt8> {
  /// Whether the bytes of `range` equal `text`.
  func holds(_ text: StaticString, at range: Range<Int>) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    for offset in 0..<range.count where self[range.lowerBound + offset] != text.utf8Start[offset] { return false }
    return true
  }

  /// Whether `range` contains a backslash. A string with a backslash must be decoded before it is
  /// compared.
  func hasEscape(_ range: Range<Int>) -> Bool {
    for index in range where self[index] == UInt8(ascii: "\\") { return true }
    return false
  }
}

extension UInt8 {
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  var isHexadecimalDigit: Bool { isDigit || (self | 0x20 >= 0x61 && self | 0x20 <= 0x66) }
}
