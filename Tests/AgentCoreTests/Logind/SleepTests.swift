import AgentProtocol
import Glibc
import Logging
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import SessionEngine

@Suite(.accounts, .timeLimit(.minutes(10))) struct SleepTests {
  private var fixture: AccountsFixture { .current }

  /// Runs the steps that the announcement of a sleep triggers.
  private func prepareForSleep(_ fixture: AccountsFixture) async {
    await fixture.accounts.beginSleep()
    await fixture.accounts.waitUntilReadyForSleep()
  }

  @Test("a refresh in flight is completed and stored before the machine sleeps")
  func finishesWhatWasSent() async throws {
    let call = try await fixture.signInUntilRefresh()
    let done = Mutexed(false)
    let preparing = Task {
      await prepareForSleep(fixture)
      done.value = true
    }
    try await eventually("it waits") { !fixture.accounts.landingWaiters.isEmpty }
    #expect(!done.value)
    call.answer(.refreshed(.fixture("2")))
    await preparing.value
    #expect(try await fixture.store.load("default").session?.refreshToken == "refresh-2")
  }

  @Test("a refresh in flight delays the sleep by at most 3 s")
  func waitsThreeSeconds() async throws {
    let call = try await fixture.signInUntilRefresh()
    let began = fixture.clock.now
    let preparing = Task { await prepareForSleep(fixture) }
    try await eventually("the grace is waited for") {
      fixture.clock.isAwaited(at: began.advanced(by: .seconds(3)))
    }
    fixture.clock.advance(by: .milliseconds(2999))
    #expect(!fixture.accounts.landingWaiters.isEmpty)
    fixture.clock.advance(by: .milliseconds(1))
    await preparing.value
    call.answer(.refreshed(.fixture("2")))
    try await eventually("its answer counts all the same") { try await fixture.token().accessToken == "access-2" }
  }

  @Test(
    "before a sleep, a token past half of its lifetime is refreshed, a fresher one is not", arguments: [1790, 1810])
  func refreshesFirst(age: Int) async throws {
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(age))
    #expect(fixture.server.refreshes.isEmpty)
    fixture.server.answerRefreshes { _ in .refreshed(.fixture("2")) }
    await prepareForSleep(fixture)
    #expect(fixture.server.refreshes.count == (age > 1800 ? 1 : 0))
    #expect(try await fixture.token().accessToken == (age > 1800 ? "access-2" : "access-1"))
    if age > 1800 { #expect(try await fixture.accounts.explain(nil).tries.first?.reason == "sleep") }
  }

  @Test("failing refreshes do not delay the sleep")
  func doesNotTryWhatFails() async throws {
    try await fixture.signIn()
    fixture.server.answerRefreshes { _ in .transient(AuthError(.network, "no"), retryAfter: nil) }
    fixture.clock.advance(by: .seconds(3400))
    try await eventually("it fails") { await fixture.accounts.accounts["default"]?.failures ?? 0 > 0 }
    let before = fixture.server.refreshes.count
    await prepareForSleep(fixture)
    #expect(fixture.server.refreshes.count == before)
  }

  @Test("no refresh starts between the announcement and the wake-up; a waiting caller gets one right after")
  func holdsBack() async throws {
    try await fixture.signIn()
    await prepareForSleep(fixture)
    async let asked = fixture.token(minTTL: 7000)
    try await eventually("the caller waits") { fixture.accounts.waiters.count == 1 }
    _ = await fixture.accounts.tick()
    #expect(await fixture.accounts.accounts["default"]?.flight == nil)
    await fixture.accounts.wokeUp()
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2", life: 7200)))
    #expect(try await asked.accessToken == "access-2")
  }

  @Test(
    "a token that expired during sleep is refreshed at once, also if only the kernel reports the wake-up")
  func refreshesAtTheWake() async throws {
    try await fixture.signIn()
    await prepareForSleep(fixture)
    fixture.clock.advance(by: .seconds(8 * 3600))
    await fixture.accounts.worldChanged(.clock)
    let call = try await fixture.server.nextRefresh()
    #expect(call.token.exposed == "refresh-1")
    call.answer(.refreshed(.fixture("2")))
    try await eventually("the new token") { try await fixture.token().accessToken == "access-2" }
  }

  @Test("an announced sleep that does not come holds refreshes back for at most a minute")
  func forgetsTheHold() async throws {
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(1700))
    await prepareForSleep(fixture)
    fixture.clock.advance(by: .seconds(59))
    async let asked = fixture.token(minTTL: 7000)
    try await eventually("the caller waits") { fixture.accounts.waiters.count == 1 }
    #expect(await fixture.accounts.accounts["default"]?.flight == nil)
    fixture.clock.advance(by: .seconds(1))
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2", life: 7200)))
    #expect(try await asked.accessToken == "access-2")
  }

  /// A watch of logind's events, and the vault that a test closes.
  private func makeWatch() -> (LogindWatch, VaultAccess) {
    let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    let access = VaultAccess(
      .failure(AgentError(.vaultLocked)), accounts: fixture.accounts, revocations: fixture.revocations,
      clock: fixture.clock, logger: logger)
    let watch = LogindWatch(
      accounts: fixture.accounts, desktop: DesktopLock(access, isOn: { false }, logger: logger), logger: logger
    ) { [fixture] in await fixture.accounts.wokeUp() }
    return (watch, access)
  }

  @Test("a wake-up right after the announcement of the sleep always ends the hold")
  func handlesEventsInOrder() async throws {
    try await fixture.signIn()
    let (watch, access) = makeWatch()
    for _ in 0..<200 {
      let (events, continuation) = AsyncStream.makeStream(of: LogindEvent.self)
      continuation.yield(.goesToSleep(nil))
      continuation.yield(.wokeUp)
      continuation.finish()
      await watch.follow(events)
      try #require(await fixture.accounts.sleepHold == nil)
    }
    await access.close()
  }

  @Test("the sleep delay is released when the preparations end")
  func letsGoOfTheDelay() async throws {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    defer { close(ends[0]) }
    let (watch, access) = makeWatch()
    let (events, continuation) = AsyncStream.makeStream(of: LogindEvent.self)
    continuation.yield(.goesToSleep(SleepDelay(ends[1])))
    continuation.finish()
    let call = try await fixture.signInUntilRefresh()
    let following = Task { await watch.follow(events) }
    try await eventually("it waits") { !fixture.accounts.landingWaiters.isEmpty }
    var polled = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 0) == 0, "it is held")
    call.answer(.refreshed(.fixture("2")))
    await following.value
    // Another test may be between fork(2) and exec(2) and hold a copy of the descriptor.
    try await eventually("nobody has the other end any more") { poll(&polled, 1, 0) == 1 }
    await access.close()
  }
}
