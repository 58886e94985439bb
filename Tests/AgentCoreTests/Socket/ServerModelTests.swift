import AgentProtocol
import TestKit
import Testing

@testable import AgentCore

/// Random histories of connecting, calling, subscribing, sending half a line, disconnecting and
/// ending the input, compared with a model of each connection's answers. `RITUAL_TEST_SEED=n`
/// replays one history.
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
