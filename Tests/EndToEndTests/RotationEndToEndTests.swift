import AuthSandbox
import Foundation
import TestKit
import Testing

/// Tools with long-lived connections, and many tools at once.
@Suite(.timeLimit(.minutes(5))) struct RotationEndToEndTests {
  /// Number of rotations: 50 in real time under `script/test --long`, otherwise a few.
  private static let rotations = ProcessInfo.processInfo.environment["RITUAL_TEST_LONG"] == nil ? 4 : 50

  @Test("SE-5, TK-2: a token subscriber has a valid token over all rotations, without a request")
  func holdsALivingToken() async throws {
    try await withTestHome(.with { $0.tokenLifetime = 4 }) { home in
      try await home.signIn()
      let tool = try SocketTool(home.socket)
      try tool.send(
        #"{"jsonrpc":"2.0","id":1,"method":"events.subscribe","params":{"tokens":true,"accounts":["default"]}}"#)
      _ = try await tool.line()
      var seen: Set<String> = []
      while seen.count <= Self.rotations {
        let event = try JSONDecoder().decode(TokenEvent.self, from: Data(try await tool.line().utf8))
        guard let token = event.params.token else { continue }
        seen.insert(token.accessToken)
        // The old token is still valid when the new one arrives, and so is the new one.
        #expect(token.expiresIn > 0)
        #expect(try await home.serverTakes(token.accessToken))
      }
      #expect(home.sandbox.oldestAncestorPresented == 0, "never a token older than the current one")
    }
  }

  private struct TokenEvent: Decodable {
    struct Params: Decodable {
      struct Token: Decodable {
        var accessToken: String
        var expiresIn: Int
      }
      var token: Token?
    }
    var params: Params
  }

  @Test(
    "TK-3: 10,000 requests on 200 connections that wait for one refresh get one response each",
    .home(.with { $0.tokenLifetime = 3600 }))
  func answersTenThousand() async throws {
    try await home.signIn()
    let old = try await home.token()
    home.sandbox.inject(.hangBeforeCommit, at: .refresh, count: 1)
    let rejected = try await home.sha256(old)
    let tools = try (0..<200).map { _ in try SocketTool(home.socket) }
    for tool in tools {
      for id in 1...50 {
        try tool.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"session.token","params":{"rejected":"\#(rejected)"}}"#)
      }
    }
    try await eventually("the refresh has begun") { home.sandbox.requestCount(.refresh) == 1 }
    home.sandbox.releaseHangs()
    var tokens: Set<String> = []
    for tool in tools {
      var ids: Set<Int> = []
      for _ in 1...50 {
        let answer = try JSONDecoder().decode(TokenAnswer.self, from: Data(try await tool.line().utf8))
        ids.insert(answer.id)
        tokens.insert(try #require(answer.result?.accessToken))
      }
      #expect(ids == Set(1...50))
    }
    #expect(tokens.count == 1)
    #expect(!tokens.contains(old))
    #expect(home.sandbox.refreshRotations == 1)
  }

  private struct TokenAnswer: Decodable {
    struct Result: Decodable { var accessToken: String }
    var id: Int
    var result: Result?
  }
}
