import SystemSupport

/// Reads one HTTP/1.1 response (RFC 9112) from the pieces of a stream. Pure.
///
/// Strict: a response whose end could be read in two ways is malformed. Apart from the head, nothing
/// is kept but an unfinished line.
struct HTTPReader {
  struct Head {
    let status: Int
    /// In the order of arrival.
    let headers: [(name: String, value: String)]

    /// The values of the headers of that name, which is in lower case.
    func values(_ name: String) -> [String] { headers.filter { $0.name.lowercased() == name }.map(\.value) }
  }

  struct Malformed: Error, Equatable { let what: String }

  private enum State: Equatable {
    case head
    /// Bytes of the body that are left.
    case body(Int)
    /// The body ends with the stream.
    case toEnd
    case chunkSize
    case chunk(Int)
    case chunkEnd
    case trailers
    case complete
  }

  /// The maximum size of all heads of a response, or of its trailers, in bytes. The agent accepts at most
  /// 80 KiB from a server.
  static let maxHead = 128 * 1024
  /// The maximum length of the line of a chunk's size with its extensions, which have no use here.
  static let maxChunkLine = 4 * 1024
  /// The maximum number of digits of a size: 15 hexadecimal and 18 decimal digits fit into `Int`.
  private static let (maxHexDigits, maxDigits) = (15, 18)

  private let isAnswerToHEAD: Bool
  private var state = State.head
  private var line: [UInt8] = []
  private var status: Int?
  private var fields: [(name: String, value: String)] = []
  /// The bytes of the lines that count for `maxHead`.
  private var count = 0
  /// The head of the response, once it is complete. An informational one (1xx) is skipped.
  private(set) var head: Head?

  var isComplete: Bool { state == .complete }

  init(method: String) { isAnswerToHEAD = method == "HEAD" }

  /// Takes the next bytes of the stream, and returns the part of the body in them. Bytes after the
  /// response are ignored.
  mutating func take(_ piece: ArraySlice<UInt8>) throws(Malformed) -> [UInt8] {
    var (rest, body) = (piece, [UInt8]())
    while !rest.isEmpty, state != .complete {
      switch state {
      case .body(let left):
        let part = rest.prefix(left)
        body += part
        state = part.count == left ? .complete : .body(left - part.count)
        rest = rest.dropFirst(part.count)
      case .chunk(let left):
        let part = rest.prefix(left)
        body += part
        state = part.count == left ? .chunkEnd : .chunk(left - part.count)
        rest = rest.dropFirst(part.count)
      case .toEnd:
        body += rest
        rest = []
      default:
        if let line = try nextLine(of: &rest) { try take(line: line) }
      }
    }
    return body
  }

  /// Takes the end of the stream. The response is complete then, or it was cut off.
  mutating func takeEnd() { if state == .toEnd { state = .complete } }

  /// Returns the next line without its CRLF; nil if it is not complete yet.
  private mutating func nextLine(of rest: inout ArraySlice<UInt8>) throws(Malformed) -> [UInt8]? {
    let end = rest.firstIndex(of: UInt8(ascii: "\n"))
    let part = end.map { rest[...$0] } ?? rest
    rest = rest.dropFirst(part.count)
    let isChunkLine = state == .chunkSize || state == .chunkEnd
    guard (isChunkLine ? line.count : count) + part.count <= (isChunkLine ? Self.maxChunkLine : Self.maxHead) else {
      throw Malformed(what: isChunkLine ? "the line of a chunk is too long" : "its head is too long")
    }
    if !isChunkLine { count += part.count }
    line += part
    guard end != nil else { return nil }
    defer { line = [] }
    guard line.dropLast().last == UInt8(ascii: "\r") else { throw Malformed(what: "a line does not end with CRLF") }
    let text = Array(line.dropLast(2))
    guard text.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
      throw Malformed(what: "a line contains control characters")
    }
    return text
  }

  private mutating func take(line: [UInt8]) throws(Malformed) {
    switch state {
    case .chunkSize:
      let size = try Self.chunkSize(line)
      if size == 0 { count = 0 }
      state = size == 0 ? .trailers : .chunk(size)
    case .chunkEnd:
      guard line.isEmpty else { throw Malformed(what: "a chunk is longer than its size") }
      state = .chunkSize
    case .trailers: if line.isEmpty { state = .complete }
    default: try take(headLine: line)
    }
  }

  // MARK: - The head

  private mutating func take(headLine line: [UInt8]) throws(Malformed) {
    guard let status else {
      self.status = try Self.status(line)
      return
    }
    guard line.isEmpty else { return fields.append(try Self.field(line)) }
    // Switching protocols was not requested.
    guard status != 101 else { throw Malformed(what: "it switches protocols") }
    let head = Head(status: status, headers: fields)
    (self.status, fields) = (nil, [])
    if status < 200 { return }
    self.head = head
    state = try framing(of: head)
  }

  /// `HTTP/1.1 200 OK` (RFC 9112, section 4).
  private static func status(_ line: [UInt8]) throws(Malformed) -> Int {
    let start = Array("HTTP/1.1 ".utf8)
    let digits = line.dropFirst(start.count).prefix(3)
    guard line.starts(with: start), digits.count == 3, let status = number(digits, maxDigits: 3), status >= 100,
      line.count == start.count + 3 || line[start.count + 3] == UInt8(ascii: " ")
    else { throw Malformed(what: "it is not HTTP/1.1") }
    return status
  }

  /// A line that begins with white space continues the one before (obs-fold), and is malformed here.
  private static func field(_ line: [UInt8]) throws(Malformed) -> (name: String, value: String) {
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    guard name.count < line.count, HTTPSyntax.isToken(name) else { throw Malformed(what: "a header has no name") }
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    var value = line[name.endIndex...].dropFirst().drop(while: isBlank)
    while let last = value.last, isBlank(last) { value.removeLast() }
    return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  /// Where the body ends (RFC 9112, section 6.3).
  private func framing(of head: Head) throws(Malformed) -> State {
    let (lengths, codings) = (head.values("content-length"), head.values("transfer-encoding"))
    guard lengths.count <= 1, codings.isEmpty || lengths.isEmpty else { throw Malformed(what: "it has two lengths") }
    guard codings.allSatisfy({ $0.lowercased() == "chunked" }), codings.count <= 1 else {
      throw Malformed(what: "its transfer coding is not chunked")
    }
    let length = lengths.first.map { Self.number(Array($0.utf8)[...], maxDigits: Self.maxDigits) }
    if case .some(nil) = length { throw Malformed(what: "its length is not a number") }
    if isAnswerToHEAD || head.status == 204 || head.status == 304 { return .complete }
    if !codings.isEmpty { return .chunkSize }
    guard let length = length ?? nil else { return .toEnd }
    return length == 0 ? .complete : .body(length)
  }

  // MARK: - Numbers

  private static func number(_ digits: ArraySlice<UInt8>, maxDigits: Int) -> Int? {
    guard (1...maxDigits).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// The size of a chunk, before its extensions (RFC 9112, section 7.1).
  private static func chunkSize(_ line: [UInt8]) throws(Malformed) -> Int {
    let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
    let extensions = line[digits.endIndex...].drop { $0 == 0x20 || $0 == 0x09 }
    // `Int` would accept a sign.
    guard (1...maxHexDigits).contains(digits.count), digits.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
      let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
      extensions.isEmpty || extensions.first == UInt8(ascii: ";")
    else { throw Malformed(what: "the size of a chunk is not a number in range") }
    return size
  }
}
