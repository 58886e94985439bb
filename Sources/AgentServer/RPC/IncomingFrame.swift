package import AgentProtocol
import FoundationEssentials
import NIOCore

/// Limits on requests and answers.
enum RPCLimits {
  /// Unanswered requests of one connection at which it is not read: more than a tool has at a time,
  /// and few enough that a request of another process soon gets its turn beside 40 such connections.
  static let maxInFlight = 16

  /// Maximum requests of a batch, which is taken as a whole.
  static let maxBatch = 64

  /// Bytes of answers after which the other costly requests of a batch are refused, so that no batch
  /// collects megabytes that its client may never read: three protocol descriptions.
  static let maxCostlyAnswers = 256 * 1024

  /// Maximum subscriptions of one connection: one with tokens and one without, twice each. Every
  /// subscription receives all events.
  static let maxSubscriptions = 4
}

extension AgentError {
  static let notUTF8 = AgentError(.parseError, "The request is not UTF-8.")

  static let frameTooLarge = AgentError(.tooLarge, "A request can have at most \(Wire.frameLimit) bytes.")

  static let answerTooLarge = AgentError(
    .tooLarge, "The response is larger than \(Wire.answerLimit >> 20) MiB. Please request less at once.")

  static let answersTooLarge = AgentError(
    .tooMany, "The combined responses of this batch are too large. Please send this request by itself.")
}

/// Ranges of the members of one request object in its frame. The first of duplicate members counts.
/// Unknown members are ignored, because a newer client may send them.
struct RequestOutline {
  private(set) var version: Range<Int>?
  private(set) var id: Range<Int>?
  private(set) var method: Range<Int>?
  private(set) var params: Range<Int>?

  /// Reads the object at the position of `reader`, inside `depth` open containers.
  init(_ reader: inout JSONReader, _ bytes: Span<UInt8>, depth: Int) throws(NotJSON) {
    try reader.expect(UInt8(ascii: "{"), bytes)
    if reader.take(UInt8(ascii: "}"), bytes) { return }
    repeat {
      let name = try reader.string(bytes)
      try reader.expect(UInt8(ascii: ":"), bytes)
      keep(name, try reader.value(bytes, depth: depth + 1), bytes)
    } while reader.take(UInt8(ascii: ","), bytes)
    try reader.expect(UInt8(ascii: "}"), bytes)
  }

  private mutating func keep(_ name: Range<Int>, _ value: Range<Int>, _ bytes: Span<UInt8>) {
    if bytes.holds("jsonrpc", at: name) {
      version = version ?? value
    } else if bytes.holds("id", at: name) {
      id = id ?? value
    } else if bytes.holds("method", at: name) {
      method = method ?? value
    } else if bytes.holds("params", at: name) {
      params = params ?? value
    } else if bytes.hasEscape(name) {
      keepDecoded(bytes.decodedString(name), value)
    }
  }

  /// Keeps a member whose name was written with escapes: `"\u0069d"` is `id`.
  private mutating func keepDecoded(_ name: String?, _ value: Range<Int>) {
    switch name {
    case "jsonrpc": version = version ?? value
    case "id": id = id ?? value
    case "method": method = method ?? value
    case "params": params = params ?? value
    default: break
    }
  }
}

extension Span<UInt8> {
  /// The decoded text of the string whose content is at `range`; nil if its escapes are not text (a
  /// lone surrogate).
  func decodedString(_ range: Range<Int>) -> String? {
    guard hasEscape(range) else { return text(range) }
    return try? WireCoding.decode(String.self, from: data((range.lowerBound - 1)..<(range.upperBound + 1)))
  }

  /// The bytes of `range` as text. They must be valid UTF-8 without escapes.
  func text(_ range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  func data(_ range: Range<Int>) -> Data {
    extracting(range).withUnsafeBufferPointer { Data(buffer: $0) }
  }

  func array(_ range: Range<Int>) -> [UInt8] {
    extracting(range).withUnsafeBufferPointer { Array($0) }
  }

  var isUTF8: Bool {
    do {
      _ = try UTF8Span(validating: self)
      return true
    } catch {
      return false
    }
  }
}

/// A request, or a notification if it has no id (JSON-RPC 2.0, section 4).
package struct IncomingRequest: Sendable, Hashable {
  /// The id's JSON exactly as it was sent; nil for a notification.
  let id: [UInt8]?
  let method: String
  /// The params as a JSON object with checked grammar; nil if there are none.
  let params: Data?
}

/// One element of a frame: a request, or the error that refuses it with the id of the answer. A nil
/// id means a notification, which gets no answer.
package enum Incoming: Sendable, Hashable {
  case request(IncomingRequest)
  case refused(id: [UInt8]?, AgentError)

  /// The id of the answer to an unreadable request (JSON-RPC 2.0, section 5).
  package static let nullID = Array("null".utf8)

  /// The id of the answer; nil for a notification.
  var answerID: [UInt8]? {
    switch self {
    case .request(let request): request.id
    case .refused(let id, _): id
    }
  }
}

/// The content of one line (JSON-RPC 2.0, sections 4 and 6).
enum IncomingFrame: Sendable, Hashable {
  case single(Incoming)
  case batch([Incoming])
  /// Neither of these: answered with one error and a null id.
  case refused(AgentError)

  /// Parses one line without its newline. Encoding, nesting depth and grammar are checked.
  init(_ line: ByteBuffer) {
    let bytes = line.readableBytesUInt8Span
    guard bytes.isUTF8 else {
      self = .refused(.notUTF8)
      return
    }
    do {
      var reader = JSONReader()
      self =
        switch reader.peek(bytes) {
        case UInt8(ascii: "["): try .readBatch(&reader, bytes)
        default: .single(try .read(&reader, bytes, depth: 0))
        }
      if reader.peek(bytes) != nil { throw NotJSON() }
    } catch {
      self = .refused(AgentError(.parseError))
    }
  }

  /// Number of requests that the frame adds to those in flight.
  var requests: Int {
    if case .batch(let batch) = self { batch.count } else { 1 }
  }

  /// Reads the elements of a batch. A batch with too many elements is refused as a whole, because an
  /// error for each element would be longer than the element.
  private static func readBatch(_ reader: inout JSONReader, _ bytes: Span<UInt8>) throws(NotJSON) -> IncomingFrame {
    try reader.expect(UInt8(ascii: "["), bytes)
    if reader.take(UInt8(ascii: "]"), bytes) { return .refused(AgentError(.invalidRequest, "The batch is empty.")) }
    var elements: [Incoming] = []
    var count = 0
    repeat {
      let element = try Incoming.read(&reader, bytes, depth: 1)
      count += 1
      if count <= RPCLimits.maxBatch { elements.append(element) }
    } while reader.take(UInt8(ascii: ","), bytes)
    try reader.expect(UInt8(ascii: "]"), bytes)
    guard count <= RPCLimits.maxBatch else {
      return .refused(AgentError(.tooMany, "A batch can have at most \(RPCLimits.maxBatch) requests."))
    }
    return .batch(elements)
  }
}

extension Incoming {
  fileprivate static func read(
    _ reader: inout JSONReader, _ bytes: Span<UInt8>, depth: Int
  ) throws(NotJSON) -> Incoming {
    guard reader.peek(bytes) == UInt8(ascii: "{") else {
      _ = try reader.value(bytes, depth: depth)
      return .refused(id: nullID, AgentError(.invalidRequest))
    }
    return Incoming(try RequestOutline(&reader, bytes, depth: depth), bytes)
  }

  private init(_ outline: RequestOutline, _ bytes: Span<UInt8>) {
    let id = outline.id.map { bytes.array($0) }
    guard outline.id.map({ bytes.isID($0) }) ?? true else {
      self = .refused(id: Self.nullID, AgentError(.invalidRequest, "The id must be a string, a number or null."))
      return
    }
    guard let version = outline.version, bytes.holds("\"2.0\"", at: version),
      let method = outline.method, bytes[method.lowerBound] == UInt8(ascii: "\""),
      let name = bytes.decodedString((method.lowerBound + 1)..<(method.upperBound - 1))
    else {
      self = .refused(id: id ?? Self.nullID, AgentError(.invalidRequest))
      return
    }
    self = Self.withParams(outline.params, IncomingRequest(id: id, method: name, params: nil), bytes)
  }

  /// Adds the params, which must be given by name: positions are not part of this protocol.
  private static func withParams(
    _ params: Range<Int>?, _ request: IncomingRequest, _ bytes: Span<UInt8>
  ) -> Incoming {
    guard let params else { return .request(request) }
    switch bytes[params.lowerBound] {
    case UInt8(ascii: "{"):
      return .request(IncomingRequest(id: request.id, method: request.method, params: bytes.data(params)))
    case UInt8(ascii: "["):
      let error = AgentError(.invalidParams, "Parameters must be an object (by name), not an array.")
      return .refused(id: request.id, error)
    default: return .refused(id: request.id ?? nullID, AgentError(.invalidRequest))
    }
  }
}

extension Span<UInt8> {
  /// Whether the value at `range` may be an id: a string, a number or null.
  func isID(_ range: Range<Int>) -> Bool {
    let first = self[range.lowerBound]
    return first == UInt8(ascii: "\"") || first == UInt8(ascii: "-") || first == UInt8(ascii: "n") || first.isDigit
  }
}
