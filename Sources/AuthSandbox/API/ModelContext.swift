/// `/functions/v1/mcp`: a server of the Model Context Protocol (2025-06-18, streamable HTTP, without
/// event streams) with one tool, `whoami`.
extension Backend {
  func modelContext(_ request: Incoming, _ caller: ServiceCaller) -> Answer {
    // 405 tells a client that the server opens no stream and ends no session.
    guard request.method == "POST", let message = try? JSON(parsing: request.body) else { return Answer(status: 405) }
    // A notification has no answer.
    guard let id = message["id"] else { return Answer(status: 202) }
    guard let result = contextResult(message, caller) else {
      return Answer(json: ["jsonrpc": "2.0", "id": id, "error": ["code": -32601, "message": "Method not found"]])
    }
    return Answer(json: ["jsonrpc": "2.0", "id": id, "result": result])
  }

  private func contextResult(_ message: JSON, _ caller: ServiceCaller) -> JSON? {
    switch message["method"]?.string {
    case "initialize":
      return [
        "protocolVersion": message["params"]?["protocolVersion"] ?? "2025-06-18",
        "capabilities": ["tools": [:]], "serverInfo": ["name": "ritual-sandbox", "version": "1"],
      ]
    case "ping": return [:]
    case "tools/list":
      return [
        "tools": [
          ["name": "whoami", "description": "The caller's email address", "inputSchema": ["type": "object"]]
        ]
      ]
    case "tools/call":
      let email = if case .user(let user) = caller { user.email } else { "anonymous" }
      return ["content": [["type": "text", "text": .string(email)]], "isError": .bool(false)]
    default: return nil
    }
  }
}
