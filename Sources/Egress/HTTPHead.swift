import NIOCore

/// The head of an HTTP/1.1 message (RFC 9112) as slices of the bytes in which it arrived. Parsing follows the
/// grammar strictly: no line folding, no bare line feeds, no space before a colon. Its description
/// shows no value. A class, because each message passes it on several times.
package final class HTTPHead: Sendable, CustomStringConvertible, CustomReflectable {
  /// A field line.
  struct Field: Sendable {
    let name: Range<Int>
    /// Without the spaces around it.
    let value: Range<Int>
    let known: KnownField
    /// True if clients cannot set it (`ReservedHeader`), in any spelling.
    let isReserved: Bool
    /// True if it ends at the proxy in an answer.
    let endsHere: Bool
    /// The whole line, with its end.
    var line: Range<Int> { name.lowerBound..<lineEnd }
    let lineEnd: Int
  }

  /// The bytes of the head, from the beginning of the first line. Ranges count from their start.
  let bytes: ByteBuffer
  /// The method and the target of a request; the code and the reason of an answer.
  let first: Range<Int>
  let second: Range<Int>
  /// True for HTTP/1.0, in answers only.
  let isOld: Bool
  let fields: [Field]

  package var description: String { "HTTPHead" }
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

  fileprivate init(_ bytes: ByteBuffer, _ parser: HTTPParser) {
    (self.bytes, fields) = (bytes, parser.fields)
    (first, second, isOld) = (parser.first, parser.second, parser.isOld)
  }

  // MARK: - Reading

  var method: String { text(first) }
  var target: String { text(second) }
  /// The status of an answer.
  var status: Int { withBytes { bytes in bytes[first].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } } }

  func text(_ range: Range<Int>) -> String { withBytes { String(decoding: $0[range], as: UTF8.self) } }

  func values(_ known: KnownField) -> [String] { fields.filter { $0.known == known }.map { text($0.value) } }

  func contains(_ known: KnownField) -> Bool { fields.contains { $0.known == known } }

  /// True if the bytes are `text`, which is in small letters, whatever their case.
  func matches(_ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    return withBytes { bytes in
      for (offset, index) in range.enumerated() where Self.lower(bytes[index]) != text.utf8Start[offset] {
        return false
      }
      return true
    }
  }

  func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value { bytes.withUnsafeReadableBytes(body) }

  /// Writes the lines of the fields that `isKept` names, byte for byte.
  func write(to out: inout ByteBuffer, _ isKept: (Field) -> Bool) {
    withBytes { bytes in
      var run = 0..<0
      for field in fields where isKept(field) {
        if field.line.lowerBound == run.upperBound {
          run = run.lowerBound..<field.line.upperBound
        } else {
          out.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[run]))
          run = field.line
        }
      }
      out.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[run]))
    }
  }

  /// The members of a list such as `Connection`, in small letters (RFC 9110, section 5.6.1).
  func list(_ known: KnownField) -> [String] {
    values(known).flatMap { value in
      value.utf8.split(separator: UInt8(ascii: ",")).map { member in
        String(decoding: member.filter { $0 != 0x20 && $0 != 0x09 }.map(Self.lower), as: UTF8.self)
      }
    }.filter { !$0.isEmpty }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

/// Why the bytes of a peer are not HTTP/1.1.
enum HTTPFault: Error, Equatable {
  case syntax
  /// Another version (RFC 9110, section 15.6.6).
  case version
  /// The method of a request is not in capital letters.
  case method
  case tooLarge
}

// MARK: - Parsing

extension HTTPHead {
  /// The maximum size of a head, in bytes: more than the limits of servers (8 to 16 KiB).
  package static let maxBytes = 32 * 1024
  /// The maximum length of a method: longer than any in the IANA registry.
  static let maxMethodLength = 20

  enum Kind { case request, answer }

  /// Takes a head from the beginning of `input`, with empty lines before it (RFC 9112, section 2.2).
  ///
  /// - Returns: nil if it goes on in what has not arrived yet.
  static func take(_ kind: Kind, from input: inout ByteBuffer) throws(HTTPFault) -> HTTPHead? {
    let result = input.withUnsafeReadableBytes { bytes -> Result<HTTPParser?, HTTPFault> in
      Result { () throws(HTTPFault) in
        var parser = HTTPParser(UnsafeRawBufferPointer(rebasing: bytes.prefix(maxBytes)))
        return try parser.parse(kind) ? parser : nil
      }
    }
    guard let parser = try result.get() else {
      guard input.readableBytes < maxBytes else { throw .tooLarge }
      return nil
    }
    input.moveReaderIndex(forwardBy: parser.start)
    guard let bytes = input.readSlice(length: parser.index - parser.start) else { return nil }
    return HTTPHead(bytes, parser)
  }

  /// True if the bytes begin with a request whose answer has no body.
  static func beginsWithHead(_ input: ByteBuffer) -> Bool {
    input.readableBytesView.drop { $0 == HTTPParser.cr || $0 == HTTPParser.lf }.starts(with: "HEAD ".utf8)
  }
}

/// Reads a head from the beginning of bytes; all ranges count from `start`.
private struct HTTPParser {
  static let cr = UInt8(ascii: "\r")
  static let lf = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
  private static let tab = UInt8(ascii: "\t")

  private let bytes: UnsafeRawBufferPointer
  /// The beginning of the first line.
  private(set) var start = 0
  /// The first byte that is not read yet.
  private(set) var index = 0
  private(set) var first = 0..<0
  private(set) var second = 0..<0
  private(set) var isOld = false
  private(set) var fields: [HTTPHead.Field] = []

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Returns false if the head is not complete.
  mutating func parse(_ kind: HTTPHead.Kind) throws(HTTPFault) -> Bool {
    while let byte = peek, byte == Self.cr {
      guard try lineEnd() else { return false }
      start = index
    }
    guard try kind == .request ? requestLine() : statusLine() else { return false }
    fields.reserveCapacity(16)
    while let byte = peek {
      if byte == Self.cr { return try lineEnd() }
      guard try field() else { return false }
    }
    return false
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Returns false if the end of the line has not arrived yet.
  private mutating func lineEnd() throws(HTTPFault) -> Bool {
    guard bytes[index] == Self.cr else { throw .syntax }
    guard index + 1 < bytes.count else { return false }
    guard bytes[index + 1] == Self.lf else { throw .syntax }
    index += 2
    return true
  }

  /// Returns the range of the bytes up to the first one that is not `isPart`; nil if it may go on.
  private mutating func take(_ isPart: (UInt8) -> Bool) -> Range<Int>? {
    let from = index
    while index < bytes.count {
      guard isPart(bytes[index]) else { return from - start..<index - start }
      index += 1
    }
    return nil
  }

  // MARK: - The first line

  private mutating func requestLine() throws(HTTPFault) -> Bool {
    guard let method = take({ (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "-") }) else {
      guard index - start <= HTTPHead.maxMethodLength else { throw .method }
      return false
    }
    guard bytes[index] == Self.space, (1...HTTPHead.maxMethodLength).contains(method.count) else {
      throw (0x61...0x7A).contains(bytes[index]) ? .method : .syntax
    }
    index += 1
    guard let target = take({ (0x21...0x7E).contains($0) }) else { return false }
    guard bytes[index] == Self.space, !target.isEmpty else { throw .syntax }
    index += 1
    (first, second) = (method, target)
    guard let version = try version() else { return false }
    guard version == (1, 1) else {
      if version.1 == 0 { throw .version }
      throw .syntax
    }
    guard peek != nil else { return false }
    return try lineEnd()
  }

  private mutating func statusLine() throws(HTTPFault) -> Bool {
    guard let version = try version() else { return false }
    guard version == (1, 1) || version == (1, 0), peek ?? Self.space == Self.space else { throw .syntax }
    isOld = version == (1, 0)
    index += 1
    guard let code = take({ (0x30...0x39).contains($0) }) else { return false }
    guard code.count == 3, bytes[start + code.lowerBound] != UInt8(ascii: "0") else { throw .syntax }
    first = code
    // Some servers leave out the space before an empty reason.
    if bytes[index] == Self.space { index += 1 } else if bytes[index] != Self.cr { throw .syntax }
    guard let reason = take(Self.isValue) else { return false }
    second = reason
    return try lineEnd()
  }

  private mutating func version() throws(HTTPFault) -> (UInt8, UInt8)? {
    let pattern = "HTTP/0.0".utf8
    let from = index
    for expected in pattern {
      guard let byte = peek else {
        index = from
        return nil
      }
      guard expected == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == expected else { throw .syntax }
      index += 1
    }
    return (bytes[from + 5] - 0x30, bytes[from + 7] - 0x30)
  }

  // MARK: - Field lines

  private mutating func field() throws(HTTPFault) -> Bool {
    var key = FieldTable.Key()
    let from = index
    let end = FieldTable.tokens.withUnsafeBufferPointer { tokens -> Int in
      while index < bytes.count {
        let byte = tokens[Int(bytes[index])]
        guard byte != 0 else { return index }
        key.add(byte, isUnderscore: bytes[index] == UInt8(ascii: "_"))
        index += 1
      }
      return bytes.count
    }
    guard end < bytes.count else { return false }
    guard bytes[end] == UInt8(ascii: ":"), end > from else { throw .syntax }
    index += 1
    while let byte = peek, Self.isSpace(byte) { index += 1 }
    guard let value = take(Self.isValue) else { return false }
    guard try lineEnd() else { return false }
    let found = FieldTable.shared.find(key, UnsafeRawBufferPointer(rebasing: bytes[from..<end]))
    fields.append(
      HTTPHead.Field(
        name: from - start..<end - start, value: trimmed(value), known: found.known, isReserved: found.isReserved,
        endsHere: found.endsHere, lineEnd: index - start))
    return true
  }

  private func trimmed(_ value: Range<Int>) -> Range<Int> {
    var end = value.upperBound
    while end > value.lowerBound, Self.isSpace(bytes[start + end - 1]) { end -= 1 }
    return value.lowerBound..<end
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  private static func isValue(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == tab }
}
