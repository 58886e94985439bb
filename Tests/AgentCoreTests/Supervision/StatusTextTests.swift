import AgentProtocol
import Glibc
import ServiceLifecycle
import SystemSupport
import TestKit
import Testing

@testable import AgentCore

@Suite struct StatusTextTests {
  /// 2026-11-21 14:28:22 UTC.
  private static let now = Timestamp(unixSeconds: 1_795_271_302)

  private func account(_ name: String, _ state: AccountState, next: Int64? = nil) -> AccountStatus {
    var account = AccountStatus(name: name, isDefault: false, project: "prod", state: state)
    account.refresh = RefreshStatus(
      nextAt: next.map { Timestamp(unixSeconds: Self.now.unixSeconds + $0) }, attempts: 0, lastError: nil)
    return account
  }

  private func words(_ accounts: [AccountStatus], vault: String = "open") -> String {
    StatusText(vault: vault, accounts: accounts, now: Self.now).words
  }

  @Test func theVaultComesFirst() {
    #expect(words([]) == "no accounts")
    #expect(words([], vault: "unavailable") == "the vault cannot be opened")
    #expect(words([account("a", .locked)], vault: "locked") == "vault locked, 1 account")
  }

  @Test func accountsThatNeedSignInAreNamed() {
    let accounts = [
      account("a", .authenticated), account("b", .signInNeeded), account("c", .authenticated),
      account("d", .signInNeeded), account("e", .degraded),
    ]
    #expect(words(accounts) == "5 accounts: 2 signed in, 1 refresh overdue (e), 2 sign-in needed (b, …)")
  }

  @Test func everyStateIsShown() {
    for state in AccountState.known where state != .locked {
      #expect(words([account("a", state)]).hasPrefix("1 account: 1 "), "\(state)")
    }
  }

  @Test("the next refresh is shown in local time, with the date if it is on another day")
  func localTime() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "UTC-2", 1)
      tzset()
      let tests = StatusTextTests()
      let soon = tests.account("a", .authenticated, next: 90)
      #expect(tests.words([soon]) == "1 account: 1 signed in; next refresh 16:29:52")
      let later = tests.account("b", .authenticated, next: 8 * 3600)
      #expect(tests.words([soon, later]) == "2 accounts: 2 signed in; next refresh 16:29:52")
      #expect(tests.words([later]) == "1 account: 1 signed in; next refresh 2026-11-22 00:28:22")
    }
  }

  @Test("OP-1: the status text follows each change")
  func itFollows() async throws {
    try await withLockEnvironment { home in
      try await withLock(home) { fixture in
        let told = Mutexed<[String]>([])
        let report = StatusReport(
          accounts: fixture.accounts, vault: fixture.access, pulse: fixture.pulse, clock: fixture.clock,
          tell: { text in told.value.append(text) })
        let running = Task { try await report.run() }
        defer { running.cancel() }
        try await Self.moving(fixture.clock, "no account") { told.value.last == "no accounts" }
        try await fixture.signIn("work")
        try await Self.moving(fixture.clock, "the account") {
          told.value.last?.hasPrefix("1 account: 1 signed in; next refresh ") == true
        }
        _ = try await fixture.access.lock(.manual)
        try await Self.moving(fixture.clock, "the lock") { told.value.last == "vault locked, 1 account" }
        #expect(Set(told.value).count == told.value.count, "nothing is told twice")
      }
    }
  }

  /// Polls while advancing the clock.
  private static func moving(
    _ clock: ManualClock, _ what: String, _ condition: @escaping () -> Bool
  ) async throws {
    try await eventually(what) {
      clock.advance(by: .milliseconds(100))
      return condition()
    }
  }
}
