import AgentProtocol
import SupabaseAuth
import Synchronization
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

/// A thundering herd: many accounts of one origin that are due at the same time.
@Suite(.timeLimit(.minutes(2))) struct ThunderingHerdTests {
  private var fixture: AccountsFixture { .current }

  private static let accountCount = 1000

  /// Signs in `count` accounts whose tokens are valid for an hour, and makes them overdue by a
  /// suspend.
  private func signInOverdueAccounts(_ count: Int, _ fixture: AccountsFixture) async throws {
    for number in 0..<count {
      try await fixture.signIn("a\(number)", user: "user-\(number)", token: "\(number)")
    }
    fixture.clock.advance(by: .seconds(7200))
  }

  private static func answer(_ token: String) -> RefreshOutcome {
    let number = token.split(separator: "-")[1].split(separator: ".")[0]
    return .refreshed(.fixture("\(number).next", user: "user-\(number)"))
  }

  @Test("1,000 accounts due at a resume stay within the server's limit, and each of them is refreshed")
  func keepsTheBudgetAtAResume() async throws {
    let moments = Mutex<[BootTime]>([])
    try await withAccounts { fixture async throws in
      let clock = fixture.clock
      fixture.server.answerRefreshes { token in
        moments.withLock { $0.append(clock.now) }
        return Self.answer(token)
      }
      try await signInOverdueAccounts(Self.accountCount, fixture)
      let herd = Set((0..<Self.accountCount).map { "refresh-\($0)" })
      while !herd.isSubset(of: Set(fixture.server.refreshes)) {
        for _ in 0..<50 {
          fixture.clock.advance(by: fixture.clock.now.duration(to: await fixture.accounts.tick()))
          // The tests share two threads: the task that answers must get to run.
          await Task.yield()
        }
      }
    }
    let times = moments.withLock { $0 }
    for (index, time) in times.enumerated() {
      #expect(times[index...].prefix { time.duration(to: $0) < .seconds(300) }.count <= 150)
      #expect(times[index...].prefix { time.duration(to: $0) < .seconds(1) }.count <= 30)
    }
  }

  @Test("a caller's refresh precedes the queued background refreshes", .accounts)
  func servesACallerFirst() async throws {
    fixture.server.answerRefreshes(Self.answer)
    try await signInOverdueAccounts(200, fixture)
    try await eventually("the burst is spent") {
      fixture.clock.advance(by: .milliseconds(200))
      return fixture.server.refreshes.count >= 19
    }
    let last = "a\(try #require((0..<200).last { !fixture.server.refreshes.contains("refresh-\($0)") }))"
    let before = fixture.server.refreshes.count
    let token = try await fixture.token(last)
    #expect(token.accessToken == "access-\(last.dropFirst()).next")
    #expect(fixture.server.refreshes.count <= before + 2)
  }

  @Test("TK-4: repeated forced refreshes of one account leave the other accounts their share", .accounts)
  func boundsWhatIsForced() async throws {
    let count = Mutex(0)
    fixture.server.answerRefreshes { _ in
      .refreshed(.fixture("r\(count.withLock { $0 += 1; return $0 })"))
    }
    try await fixture.signIn()
    var refused = 0
    for _ in 0..<100 {
      let token = try await fixture.token()
      do {
        _ = try await fixture.token(rejected: fingerprint(token.accessToken))
      } catch {
        #expect((error as? AgentError)?.kind == .rateLimited)
        #expect((error as? AgentError)?.data.retryAfter ?? 0 > 0)
        refused += 1
      }
      fixture.clock.advance(by: .seconds(6))
    }
    // In 600 s: a burst of 20, then one every 30 s.
    #expect((35...41).contains(fixture.server.refreshes.count), "\(fixture.server.refreshes.count)")
    #expect(refused == 100 - fixture.server.refreshes.count)
  }

  @Test("TK-4: a minimum lifetime above the token's causes one refresh, then returns the freshest token", .accounts)
  func givesTheFreshest() async throws {
    fixture.server.answerRefreshes { _ in .refreshed(.fixture("2")) }
    try await fixture.signIn()
    for _ in 0..<5 {
      #expect(try await fixture.token(minTTL: 7200).accessToken == "access-2")
      fixture.clock.advance(by: .seconds(11))
    }
    #expect(fixture.server.refreshes.count == 1)
  }

  @Test("TK-4: a token with a lifetime below the forced-refresh interval is renewed before its expiry", .accounts)
  func renewsAShortLife() async throws {
    let count = Mutex(1)
    fixture.server.answerRefreshes { _ in
      .refreshed(.fixture("\(count.withLock { $0 += 1; return $0 })", life: 4))
    }
    try await fixture.signIn(life: 4)
    fixture.clock.advance(by: .milliseconds(3500))
    #expect(try await fixture.token().accessToken == "access-2")
    fixture.clock.advance(by: .milliseconds(3500))
    #expect(try await fixture.token().accessToken == "access-3")
  }

  @Test("the cost of a tick is at most linear in the number of accounts")
  func looksInLinearTime() async throws {
    let few = try await costOfATick(accounts: 100)
    let many = try await costOfATick(accounts: 1000)
    print("a tick with 100 accounts: \(few), with 1,000: \(many)")
    // Ten times the accounts, with a margin for a busy machine and its caches. Quadratic cost would
    // be a factor of 100.
    #expect(many < few * 50)
  }

  private func costOfATick(accounts: Int) async throws -> Duration {
    let cost = Mutex(Duration.zero)
    try await withAccounts { fixture async throws in
      for number in 0..<accounts {
        try await fixture.signIn("a\(number)", user: "user-\(number)", token: "\(number)")
      }
      var rounds: [Duration] = []
      for _ in 0..<50 {
        let start = ContinuousClock.now
        for _ in 0..<10 { _ = await fixture.accounts.tick() }
        rounds.append((ContinuousClock.now - start) / 10)
        await Task.yield()
      }
      // The minimum, because other load on the machine only adds to a round.
      let least = rounds.min() ?? .zero
      cost.withLock { $0 = least }
    }
    return cost.withLock { $0 }
  }
}
