import AgentProtocol
import FoundationEssentials

/// What kind of message a line is: read first, before anything in it is typed.
enum IncomingLine {
  case notification(method: String)
  case answer(RequestID)

  init(_ line: Data) throws(AgentClientError) {
    let outline: Outline
    do {
      outline = try WireCoding.decode(Outline.self, from: line)
    } catch {
      throw AgentClientError.protocolViolation("it is no JSON-RPC message", cause: error)
    }
    guard outline.jsonrpc == "2.0" else { throw AgentClientError.protocolViolation("it is not JSON-RPC 2.0") }
    if let method = outline.method {
      self = .notification(method: method)
    } else {
      self = .answer(outline.id ?? .null)
    }
  }

  private struct Outline: Decodable {
    var jsonrpc: String?
    var id: RequestID?
    var method: String?
  }
}
