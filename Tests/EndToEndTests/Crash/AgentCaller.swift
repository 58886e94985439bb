import AuthSandbox
import Foundation
import TestKit

/// The result of requesting a token from an agent.
enum TokenReply: Sendable, Equatable {
  case token(String)
  /// An error, as the agent's response.
  case refused(String)
  /// The connection ended before the response.
  case gone

  var token: String? {
    guard case .token(let token) = self else { return nil }
    return token
  }
}

extension TestHome {
  /// Calls `session.token` on a new connection. `rejected` is the SHA-256 of a token that was
  /// rejected.
  nonisolated func askForToken(rejected: String? = nil) async throws -> TokenReply {
    try await askForToken(on: BlockingSocket(unix: socket), rejected: rejected)
  }

  nonisolated func askForToken(on line: BlockingSocket, rejected: String?) async throws -> TokenReply {
    let params = rejected.map { #"{"rejected":"\#($0)"}"# } ?? "{}"
    let answer = await line.exchange(#"{"jsonrpc":"2.0","id":1,"method":"session.token","params":\#(params)}"# + "\n")
    guard answer.hasSuffix("\n") else { return .gone }
    let json = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
    if let result = json?["result"] as? [String: Any], let token = result["accessToken"] as? String {
      return .token(token)
    }
    return .refused(answer)
  }

  /// The HTTP status line of `GET /auth/v1/user` with `token`.
  nonisolated func serverAnswer(to token: String) async throws -> String {
    let port = sandbox.url.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    let answer = await (try BlockingSocket(loopback: port)).exchange(
      """
      GET /auth/v1/user HTTP/1.1\r
      Host: 127.0.0.1\r
      Connection: close\r
      apikey: \(sandbox.anonKey)\r
      Authorization: Bearer \(token)\r
      \r

      """)
    return String(answer.prefix { $0 != "\r" && $0 != "\r\n" })
  }

  /// Kills the agent, if it is running, and starts it.
  func restartAgent() async throws {
    try await killAgent()
    // Tracing an undumpable program requires CAP_SYS_PTRACE in its user namespace (ptrace(2)): root
    // has it, other users have it in a namespace that they create.
    try await startAgent(through: geteuid() == 0 ? [] : ["/usr/bin/unshare", "-r"])
  }
}
