import AuthSandbox
import Foundation
import TestKit
import Testing

/// WS-2, WS-3, WS-6: kill -9 at the system calls from the exchange of a code or a link to the stored session loses
/// neither the account's session nor an anonymous user.
@Suite(.serialized, .timeLimit(.minutes(CrashSettings.isLong ? 45 : 5))) struct SignInCrashEndToEndTests {
  @Test("a kill between the exchange and the stored session", arguments: SignInCrash.Way.allCases)
  func survivesAKillAtEachSystemCall(way: SignInCrash.Way) async throws {
    try await withTestHome(SignInCrash.settings) { home in
      var crash = SignInCrash(home, way)
      try await crash.record()
      #expect(crash.points > 10, "the sign-in was recorded")
      let rounds = CrashSettings.isLong ? crash.points : 8
      for _ in 0..<rounds { try await crash.round() }
      print("\(way): \(crash.points) calls; \(crash.kills) kills, \(crash.committed) of them after the server's commit")
      #expect(crash.kills * 3 >= rounds, "too many rounds without a kill: \(crash.kills) of \(rounds)")
    }
  }
}

/// Sign-ins of one way in which the agent is killed at each recorded system call.
struct SignInCrash {
  enum Way: String, CaseIterable, Sendable {
    /// A mailed code renews an account.
    case code
    /// A pasted link renews an account.
    case link
    /// A mailed code gives an anonymous user an address.
    case upgradeByCode
    /// A provider is linked to an anonymous user.
    case upgradeByProvider

    var isUpgrade: Bool { self == .upgradeByCode || self == .upgradeByProvider }
  }

  /// An account that is about to be signed in.
  private struct Prepared {
    let account: String
    let email: String
    /// The id of the account's user.
    let user: String
    /// The request that signs in, or the URL for the browser.
    let step: Step
  }

  private enum Step {
    case verify(String)
    case browse(String)
  }

  static let settings = SandboxSettings.with {
    ($0.anonymousEnabled, $0.manualLinking, $0.emailInterval, $0.providers) = (true, true, 0, ["github"])
    $0.autoconfirm = false
  }

  private let home: TestHome
  private let way: Way
  private var random = SeededGenerator(seed: CrashSettings.seed)
  private var all: [CrashPoint] = []
  private var waiting: [CrashPoint] = []
  private var number = 0
  private(set) var kills = 0
  private(set) var committed = 0

  init(_ home: TestHome, _ way: Way) {
    (self.home, self.way) = (home, way)
  }

  var points: Int { all.count }

  // MARK: - Rounds

  /// Records one sign-in of an idle agent.
  mutating func record() async throws {
    try await home.restartAgent()
    let prepared = try await prepare()
    let pid = try await home.restingAgent()
    let threads = ProcessThread.all(of: pid)
    let tracer = try await Tracer(home, pid: pid, threads: threads.map(\.number))
    let isDone = try await signIn(prepared)
    try #require(isDone, "the recorded sign-in failed: \(way)")
    let trace = try await tracer.end()
    let calls = trace.calls
    let first = try #require(calls.firstIndex { Self.isRequest($0) }, "the request is in the trace")
    let last = try #require(calls.lastIndex { $0.label == "fsync of the folder" }, "the store is in the trace")
    let found = CrashPoint.all(trace, first...last, threads)
    all = found
    waiting = found.shuffled(using: &random)
    try await check(prepared, wasAnswered: true)
  }

  private static func isRequest(_ call: SystemCall) -> Bool {
    call.text.contains("POST /auth/v1/verify") || call.text.contains("POST /auth/v1/token?grant_type=pkce")
  }

  /// One sign-in with a kill, unless the agent does not reach the call.
  mutating func round() async throws {
    if waiting.isEmpty { waiting = all.shuffled(using: &random) }
    let point = waiting.removeFirst()
    try await home.restartAgent()
    let prepared = try await prepare()
    let pid = try await home.restingAgent()
    let threads = ProcessThread.all(of: pid).filter { $0.name == point.thread }.map(\.number)
    try #require(!threads.isEmpty, "\(way), \(point)")
    let tracer = try await Tracer(home, pid: pid, threads: threads, killAt: (point.call, point.number))
    let wasAnswered = (try? await signIn(prepared)) ?? false
    let isDead = await home.agent?.isRunning == false
    let trace = try await tracer.end(isAgentDead: isDead)
    if trace.isKilled {
      kills += 1
      if isCommitted(prepared) { committed += 1 }
    }
    try await home.restartAgent()
    try await check(prepared, wasAnswered: wasAnswered, "\(way), \(point)")
  }

  // MARK: - Sign-ins

  private mutating func prepare() async throws -> Prepared {
    number += 1
    let (account, email) = ("a\(number)", "a\(number)@example.org")
    guard way.isUpgrade else { return try await prepareRenewal(account, email) }
    _ = try await result("signIn.anonymous", #"{"account":"\#(account)"}"#)
    let user = try await user(of: account)
    if way == .upgradeByProvider { return try await prepareProvider(account, email, user) }
    let names = #""account":"\#(account)","email":"\#(email)","purpose":"link""#
    _ = try await result("signIn.sendCode", "{\(names)}")
    let code = try #require(home.sandbox.mails.last { $0.to == email }?.code)
    return Prepared(account: account, email: email, user: user, step: .verify(#"{\#(names),"code":"\#(code)"}"#))
  }

  private func prepareRenewal(_ account: String, _ email: String) async throws -> Prepared {
    let names = #""account":"\#(account)","email":"\#(email)""#
    _ = home.sandbox.addUser(email: email, password: TestHome.password)
    _ = try await result("signIn.password", #"{\#(names),"password":"\#(TestHome.password)"}"#)
    _ = try await result("signIn.sendCode", "{\(names)}")
    let mail = try #require(home.sandbox.mails.last { $0.to == email })
    let proof = way == .link ? #""link":"\#(mail.link ?? "")""# : #""code":"\#(mail.code)""#
    return Prepared(
      account: account, email: email, user: try await user(of: account), step: .verify("{\(names),\(proof)}"))
  }

  private func prepareProvider(_ account: String, _ email: String, _ user: String) async throws -> Prepared {
    home.sandbox.addProviderAccount(SandboxProvider(rawValue: "github"), email: email)
    home.sandbox.configure { $0.autoConsent = ["github": email] }
    let started = try await result(
      "identity.link", #"{"account":"\#(account)","provider":"github","redirect":"loopback","detach":true}"#)
    let url = try #require(started["url"] as? String)
    return Prepared(account: account, email: email, user: user, step: .browse(url))
  }

  /// Signs in. Returns true if the caller was told about the success.
  private func signIn(_ prepared: Prepared) async throws -> Bool {
    switch prepared.step {
    case .verify(let params): return try await home.call("signIn.verifyCode", params)?["result"] != nil
    case .browse(let url):
      let page = try await RunningProgram(
        "/usr/bin/curl", ["-sS", "-L", "--max-time", "20", "-b", "", url], environment: home.environment,
        folder: home.folder
      ).end().stdout
      return page.contains("is now linked")
    }
  }

  private func isCommitted(_ prepared: Prepared) -> Bool {
    let user = home.sandbox.users.first { $0.id == prepared.user }
    return way.isUpgrade ? user?.isAnonymous == false : (user?.sessions.count ?? 0) > 1
  }

  // MARK: - Checks

  /// The account has a session of the same user that the server accepts. An upgrade that the server has made is not
  /// lost, and one that it has not made can be made now.
  private func check(_ prepared: Prepared, wasAnswered: Bool, _ place: String = "") async throws {
    let account = #"{"account":"\#(prepared.account)"}"#
    let answer = try await result("session.token", account)
    let token = try #require(answer["accessToken"] as? String, "\(place)")
    let status = try await home.serverAnswer(to: token)
    try #require(status == "HTTP/1.1 200 OK", "the server refuses the token: \(place)")
    if wasAnswered, way.isUpgrade {
      #expect(try await isAnonymous(prepared.account) == false, "answered before it was stored: \(place)")
    }
    _ = try await result("session.refresh", account)
    #expect(try await user(of: prepared.account) == prepared.user, "\(place)")
    guard way.isUpgrade else { return try await remove(prepared.account) }
    #expect(try await isAnonymous(prepared.account) == !isCommitted(prepared), "\(place)")
    if !isCommitted(prepared), case .verify(let params) = prepared.step {
      _ = try await result("signIn.verifyCode", params)
      #expect(try await user(of: prepared.account) == prepared.user, "\(place)")
      #expect(try await isAnonymous(prepared.account) == false, "\(place)")
    }
    try await remove(prepared.account)
  }

  private func remove(_ account: String) async throws {
    _ = try await result("session.remove", #"{"account":"\#(account)","discard":true}"#)
  }

  private func status(_ account: String) async throws -> [String: Any] {
    let status = try await result("session.status", #"{"account":"\#(account)"}"#)
    return try #require(status["user"] as? [String: Any])
  }

  private func user(of account: String) async throws -> String {
    try #require(try await status(account)["id"] as? String)
  }

  private func isAnonymous(_ account: String) async throws -> Bool {
    try await status(account)["isAnonymous"] as? Bool ?? false
  }

  private func result(_ method: String, _ params: String) async throws -> [String: Any] {
    try await home.result(method, params)
  }
}
