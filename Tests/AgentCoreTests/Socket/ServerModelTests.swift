import AgentProtocol
import TestKit
import Testing

@testable import AgentCore

/// Connect, call, subscribe, send half a line, go away, end the input: in any order, held against a model of what must be
/// answered on each connection. `RITUAL_TEST_SEED=n` plays one history again.
@Suite struct ServerModelTests {
  @Test func anyOrderIsAnsweredAsTheModelSays() async throws {
    for seed in TestSeeds.chosen ?? Array(1...60) {
      try await withServer { server in
        var history = ServerHistory(seed, server)
        do {
          for _ in 0..<60 { try await history.step() }
          try await history.end()
        } catch {
          Issue.record("RITUAL_TEST_SEED=\(seed): \(error)\n\(history.trace.joined(separator: "\n"))")
        }
      }
    }
  }
}
