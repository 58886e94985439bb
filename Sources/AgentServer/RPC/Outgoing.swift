package import AgentProtocol
import FoundationEssentials
package import NIOCore

/// Builds JSON-RPC messages from encoded JSON, with members sorted by name and without a newline.
package enum Outgoing {
  /// `{"id":…,"jsonrpc":"2.0","result":…}`
  static func result(_ json: Data, id: [UInt8]) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.reserveCapacity(json.count + id.count + 40)
    buffer.writeStaticString("{\"id\":")
    buffer.writeBytes(id)
    buffer.writeStaticString(",\"jsonrpc\":\"2.0\",\"result\":")
    buffer.writeBytes(json)
    buffer.writeStaticString("}")
    return buffer
  }

  /// `{"error":…,"id":…,"jsonrpc":"2.0"}`
  package static func error(_ error: AgentError, id: [UInt8]) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.writeStaticString("{\"error\":")
    buffer.writeBytes(encoded(error))
    buffer.writeStaticString(",\"id\":")
    buffer.writeBytes(id)
    buffer.writeStaticString(",\"jsonrpc\":\"2.0\"}")
    return buffer
  }

  /// `{"jsonrpc":"2.0","method":…,"params":…}`
  package static func notification(_ method: String, _ params: some Encodable) throws -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.writeStaticString("{\"jsonrpc\":\"2.0\",\"method\":")
    buffer.writeBytes(try WireCoding.encode(method))
    buffer.writeStaticString(",\"params\":")
    buffer.writeBytes(try WireCoding.encode(params))
    buffer.writeStaticString("}")
    return buffer
  }

  /// `[…,…]`
  static func batch(_ answers: [ByteBuffer]) -> ByteBuffer {
    var buffer = ByteBuffer()
    for (index, answer) in answers.enumerated() {
      buffer.writeStaticString(index == 0 ? "[" : ",")
      buffer.writeImmutableBuffer(answer)
    }
    buffer.writeStaticString("]")
    return buffer
  }

  /// Errors for invalid lines, encoded once, because the event loop writes them, and the error that may
  /// replace each token.
  private static let ready: [(error: AgentError, json: Data)] = [
    AgentError(.parseError), .notUTF8, AgentError(.invalidRequest), .frameTooLarge, AgentError(.vaultLocked),
  ].map { ($0, (try? WireCoding.encode($0)) ?? Data()) }

  private static func encoded(_ error: AgentError) -> Data {
    if let known = ready.first(where: { $0.error.code == error.code && $0.error == error }) { return known.json }
    if let json = try? WireCoding.encode(error) { return json }
    // Only a number that JSON cannot represent (an infinite `retryAfter`) can fail, so it is left
    // out.
    var shorter = error
    shorter.data.retryAfter = nil
    return (try? WireCoding.encode(shorter)) ?? Data("{\"code\":-32603,\"message\":\"internal error\"}".utf8)
  }
}
