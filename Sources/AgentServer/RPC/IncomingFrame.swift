package import AgentProtocol
import FoundationEssentials
import NIOCore
import SystemSupport

/// Bounds of one connection's requests.
enum RPCBounds {
  /// Requests of one connection that may be unfinished at a time, subscriptions included: many times what a tool that
  /// runs requests side by side needs, and few enough that one client's tasks cost the others nothing.
  static let inFlight = 64

  /// Requests of one process without their answers, those that wait for a person aside: above it its connections are not read.
  static let inFlightOfOneProcess = 64

  /// Frames of one process whose requests run on the threads of the costly work (`CostlyThreads`).
  static let costlyOfOneProcess = 2

  /// Subscriptions of one connection: one with tokens and one without, each once more. All events go to each of them.
  static let subscriptions = 4

  /// Bytes of answers that are being made or are not written: of all connections, of those of one process, and of one
  /// connection. One larger answer is let through on a connection that has no other.
  static let answers = 32 * 1024 * 1024
  static let answersOfOneProcess = 16 * 1024 * 1024
  static let answersOfOneConnection = 256 * 1024
}

extension AgentError {
  static let notUTF8 = AgentError(.parseError, "The request is not UTF-8.")

  static let tooManyUnfinished = AgentError(
    .tooMany, "At most \(RPCBounds.inFlight) requests of a connection may be unfinished.")
}

/// Where the members of one request object lie in its frame. Of two members with one name the first counts; members
/// that JSON-RPC does not know are read over, as a newer client may send them.
struct RequestOutline {
  private(set) var version: Range<Int>?
  private(set) var id: Range<Int>?
  private(set) var method: Range<Int>?
  private(set) var params: Range<Int>?

  /// Reads one object, which `reader` stands before; `depth` containers are open around it.
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

  /// The same for a name that was written with escapes: `"\u0069d"` is `id`.
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
  /// The text of a string whose content lies at `range`; nil where its escapes make no text (a lone surrogate).
  func decodedString(_ range: Range<Int>) -> String? {
    guard hasEscape(range) else { return text(range) }
    return try? WireCoding.decode(String.self, from: data((range.lowerBound - 1)..<(range.upperBound + 1)))
  }

  /// The bytes of `range` as text; they are valid UTF-8 and hold no escape.
  func text(_ range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  func data(_ range: Range<Int>) -> Data {
    extracting(range).withUnsafeBufferPointer { Data(buffer: $0) }
  }

  func array(_ range: Range<Int>) -> [UInt8] {
    extracting(range).withUnsafeBufferPointer { Array($0) }
  }

  /// Whether all bytes are valid UTF-8.
  var isUTF8: Bool {
    do {
      _ = try UTF8Span(validating: self)
      return true
    } catch {
      return false
    }
  }
}

/// A request, or without an id a notification (JSON-RPC 2.0, section 4).
package struct IncomingRequest: Sendable, Hashable {
  /// The id's JSON as it was sent, byte for byte; nil for a notification.
  let id: [UInt8]?
  let method: String
  /// The JSON object of the params, its grammar checked; nil where there are none.
  let params: Data?
}

/// One element of a frame: a request, or why it is none, with the id to answer to (nil: a notification, no answer).
package enum Incoming: Sendable, Hashable {
  case request(IncomingRequest)
  case refused(id: [UInt8]?, AgentError)

  /// The id of an answer to what could not be read (JSON-RPC 2.0, section 5).
  package static let nullID = Array("null".utf8)

  /// The id of its answer; nil for a notification.
  var answerID: [UInt8]? {
    switch self {
    case .request(let request): request.id
    case .refused(let id, _): id
    }
  }
}

/// What one line holds (JSON-RPC 2.0, sections 4 and 6).
enum IncomingFrame: Sendable, Hashable {
  case single(Incoming)
  case batch([Incoming])
  /// Neither: answered with one error and the id null.
  case refused(AgentError)

  /// Reads one line without its newline. Nothing of it is trusted: not its encoding, not its depth, not its grammar.
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

  /// The elements of a batch. More than a connection may have in flight are refused whole: each would get an answer
  /// that is longer than itself.
  private static func readBatch(_ reader: inout JSONReader, _ bytes: Span<UInt8>) throws(NotJSON) -> IncomingFrame {
    try reader.expect(UInt8(ascii: "["), bytes)
    if reader.take(UInt8(ascii: "]"), bytes) { return .refused(AgentError(.invalidRequest, "The batch is empty.")) }
    var elements: [Incoming] = []
    var count = 0
    repeat {
      let element = try Incoming.read(&reader, bytes, depth: 1)
      count += 1
      if count <= RPCBounds.inFlight { elements.append(element) }
    } while reader.take(UInt8(ascii: ","), bytes)
    try reader.expect(UInt8(ascii: "]"), bytes)
    guard count <= RPCBounds.inFlight else {
      return .refused(AgentError(.tooMany, "A batch holds at most \(RPCBounds.inFlight) requests."))
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
      self = .refused(id: Self.nullID, AgentError(.invalidRequest, "The id is no string, number or null."))
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

  /// By name only: the position of a parameter is not part of this protocol.
  private static func withParams(
    _ params: Range<Int>?, _ request: IncomingRequest, _ bytes: Span<UInt8>
  ) -> Incoming {
    guard let params else { return .request(request) }
    switch bytes[params.lowerBound] {
    case UInt8(ascii: "{"):
      return .request(IncomingRequest(id: request.id, method: request.method, params: bytes.data(params)))
    case UInt8(ascii: "["):
      let error = AgentError(.invalidParams, "Parameters are given by name: an object, no array.")
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
