import Logging
import ServiceLifecycle
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine

@Suite(.timeLimit(.minutes(10))) struct SessionCheckTests {
  private var home: AccountsHome { .current }
  private var fixture: AccountsFixture { .current }

  @Test("SE-3: a start with many accounts checks all sessions at the server, a few at a time", .restarts)
  func asksAFewAtATime() async throws {
    let server = ScriptedAuthServer()
    let count = 3 * SessionChecks.sideBySide
    server.holdUsers()
    try await home.start { fixture async throws in
      for number in 0..<count { try await fixture.signIn("a\(number)", user: "user-\(number)", token: "\(number)") }
    }
    try await home.start(server: server) { _ async throws in
      for answered in 0..<count {
        // The first one is alone.
        let waiting = answered == 0 ? 1 : min(SessionChecks.sideBySide, count - answered)
        try await eventually("question \(answered + 1)") { server.heldUsers == waiting }
        #expect(server.askedUsers.count == answered + waiting)
        server.answerHeldUser()
      }
      #expect(Set(server.askedUsers) == Set((0..<count).map { "access-\($0)" }))
    }
  }

  @Test("OP-2: a check that is queued when the agent stops is not started", .accounts)
  func startsNoCheckAtAStop() async throws {
    let (requests, line) = AsyncStream.makeStream(of: CheckRequest.self)
    for number in 0..<3 * SessionChecks.sideBySide {
      try await fixture.signIn("a\(number)", user: "user-\(number)")
      let revision = try #require(await fixture.accounts.accounts["a\(number)"]?.revision)
      line.yield(CheckRequest(account: "a\(number)", project: "prod", revision: revision))
    }
    line.finish()
    let server = fixture.server
    server.holdUsers()
    let asking = Asking(accounts: fixture.accounts, requests: requests)
    let service = ServiceGroup(services: [asking], logger: Logger(label: "test"))
    async let life: Void = service.run()
    try await eventually("the first question") { server.heldUsers == 1 }
    server.answerHeldUser()
    try await eventually("the next questions") { server.heldUsers == SessionChecks.sideBySide }
    await service.triggerGracefulShutdown()
    try await asking.isStopping.wait()
    server.stopHoldingUsers()
    try await life
    #expect(server.askedUsers.count == 1 + SessionChecks.sideBySide)
  }

  @Test("the end of all checks is reported once")
  func reportsTheEnd() {
    let pending = PendingChecks()
    for _ in 0..<3 { pending.add() }
    #expect([pending.end(), pending.end(), pending.end()] == [false, false, true])
  }

  private struct Asking: Service {
    let accounts: Accounts
    let requests: AsyncStream<CheckRequest>
    let isStopping = SettledValue<Void>()

    func run() async throws {
      await withGracefulShutdownHandler {
        await SessionChecks(accounts: accounts).serve(requests)
      } onGracefulShutdown: {
        isStopping.settle(())
      }
      try await gracefulShutdown()
    }
  }

  @Test("a check is dropped once its session has been refreshed or locked", .accounts)
  func forgetsWhatIsOutdated() async throws {
    try await fixture.signIn()
    let revision = try #require(await fixture.accounts.accounts["default"]?.revision)
    let request = CheckRequest(account: "default", project: "prod", revision: revision)
    #expect(await fixture.accounts.check(request)?.token.exposed == "access-1")
    let before = CheckRequest(account: "default", project: "prod", revision: Revision())
    #expect(await fixture.accounts.check(before) == nil)
    await fixture.accounts.beginLock()
    #expect(await fixture.accounts.check(request) == nil)
  }
}
