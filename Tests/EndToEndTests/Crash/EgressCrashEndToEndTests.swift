import AuthSandbox
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(CrashSettings.isLong ? 20 : 5))) struct EgressCrashEndToEndTests {
  @Test(
    "kill -9 during a refresh that the API's 401 has caused loses nothing, and no client sees the 401",
    arguments: RefreshAlgorithm.allCases)
  func survivesKills(algorithm: RefreshAlgorithm) async throws {
    let refused = Mutex("")
    let api = try RawServer { request in
      let isRefused = refused.withLock { request.contains($0) }
      return isRefused
        ? [.answer("401 Unauthorized", "", #"WWW-Authenticate: Bearer error="invalid_token""#)]
        : [.answer("200 OK", "taken")]
    }
    defer { api.stop() }
    try await withTestHome(.with { ($0.refreshAlgorithm, $0.reuseInterval) = (algorithm, 0) }) { home in
      #expect(try await home.ctl("init", "--update", "--api-url", api.url).status == 0)
      let run = CrashRun(home, algorithm)
      try await run.open()
      var (random, span) = (SeededGenerator(seed: CrashSettings.seed), KillSpan(.plain))
      while await run.tally.kills < CrashSettings.randomKills {
        let start = try await run.beginRound()
        let (old, before) = (try await home.token(), api.requests.count)
        refused.withLock { $0 = old }
        let clients = try (0..<4).map { _ in try RawClient(home.egress) }
        for client in clients {
          try await client.send("POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello")
        }
        let delay = span.moment(using: &random)
        await run.describe("killed after \(delay)")
        await DelayedKill.kill(start.pid, after: delay)
        for client in clients {
          let (end, place) = (try await client.end(), await run.place)
          #expect(end.isEmpty || end.hasPrefix("HTTP/1.1 200"), place)
        }
        // A token that the API got is durable.
        let promised = api.requests[before...].compactMap(Self.token).first { $0 != old }
        span.adapt(answered: promised != nil)
        try await run.recover(
          start, promised: promised, wasCommitted: home.sandbox.refreshRotations > start.rotations)
      }
      let (tally, place) = await (run.tally, run.place)
      print("\(algorithm): \(tally)")
      #expect(home.sandbox.users.first?.sessions.count == 1, place)
      #expect(tally.stages[.unsent, default: 0] > 0 && tally.stages[.answered, default: 0] > 0, "\(tally)")
    }
  }

  private static func token(in request: String) -> String? {
    request.firstMatch(of: /authorization: Bearer (\S+)/).map { String($0.1) }
  }
}
