package import AgentProtocol
import FoundationEssentials
import NIOCore
import SystemSupport

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
