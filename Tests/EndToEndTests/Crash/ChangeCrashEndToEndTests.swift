import AuthSandbox
import Foundation
import TestKit
import Testing

/// Kill -9 at the system calls from the exchange of a code or a link to the stored session, or
/// within another change of an account, loses neither the account's session nor an anonymous user, and leaves no
/// session that nobody ends.
@Suite(.serialized, .timeLimit(.minutes(CrashSettings.isLong ? 45 : 5))) struct ChangeCrashEndToEndTests {
  @Test("a kill within a change of an account", .home(ChangeCrash.settings), arguments: ChangeCrash.Way.allCases)
  func survivesAKillAtEachSystemCall(way: ChangeCrash.Way) async throws {
    var crash = ChangeCrash(home, way)
    try await crash.record()
    #expect(crash.points > 10, "the change was recorded")
    let rounds = CrashSettings.isLong ? crash.points : 8
    for _ in 0..<rounds { try await crash.round() }
    print("\(way): \(crash.points) calls; \(crash.kills) kills, \(crash.committed) of them after the server's commit")
    #expect(crash.kills * 3 >= rounds, "too many rounds without a kill: \(crash.kills) of \(rounds)")
  }
}

/// Changes of one kind in which the agent is killed at each recorded system call.
struct ChangeCrash {
  enum Way: String, CaseIterable, Sendable {
    /// A mailed code renews an account.
    case code
    /// A pasted link renews an account.
    case link
    /// A mailed code gives an anonymous user an address.
    case upgradeByCode
    /// A provider is linked to an anonymous user.
    case upgradeByProvider
    /// A factor is enrolled.
    case enroll
    case use
    case useAPI
    case rename
    case signOut
    case remove

    var isSignIn: Bool { self == .code || self == .link || isUpgrade }
    var isUpgrade: Bool { self == .upgradeByCode || self == .upgradeByProvider }
  }

  /// An account that is about to be changed.
  private struct Prepared {
    let account: String
    let email: String
    /// The id of the account's user.
    let user: String
    /// The request of the change, or the URL for the browser.
    let step: Step
  }

  private enum Step {
    case call(String, String)
    case browse(String)

    static func verify(_ params: String) -> Step { .call("signIn.verifyCode", params) }
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

  /// Records one change by an idle agent.
  mutating func record() async throws {
    try await home.restartAgent()
    let prepared = try await prepare()
    let pid = try await home.restingAgent()
    let threads = ProcessThread.all(of: pid)
    let tracer = try await Tracer(home, pid: pid, threads: threads.map(\.number))
    let isDone = try await change(prepared)
    try #require(isDone, "the recorded change failed: \(way)")
    let trace = try await tracer.end()
    let calls = trace.calls
    let first = try #require(calls.firstIndex { isFirst($0) }, "the first call is in the trace")
    let last = try #require(calls.lastIndex { $0.label == "fsync of the folder" }, "the store is in the trace")
    let found = CrashPoint.all(trace, first...last, threads)
    all = found
    waiting = found.shuffled(using: &random)
    try await check(prepared, wasAnswered: true)
  }

  /// The request to the server, or the first call of the store for a change that is made here first.
  private func isFirst(_ call: SystemCall) -> Bool {
    let requests = ["POST /auth/v1/verify", "POST /auth/v1/token?grant_type=pkce", "POST /auth/v1/factors"]
    return requests.contains(where: call.text.contains)
      || !way.isSignIn && way != .enroll && call.label == "openat of the new file"
  }

  /// One change with a kill, unless the agent does not reach the call.
  mutating func round() async throws {
    if waiting.isEmpty { waiting = all.shuffled(using: &random) }
    let point = waiting.removeFirst()
    try await home.restartAgent()
    let prepared = try await prepare()
    let pid = try await home.restingAgent()
    let threads = ProcessThread.all(of: pid).filter { $0.name == point.thread }.map(\.number)
    try #require(!threads.isEmpty, "\(way), \(point)")
    let tracer = try await Tracer(home, pid: pid, threads: threads, killAt: (point.call, point.number))
    let wasAnswered = (try? await change(prepared)) ?? false
    let isDead = await home.agent?.isRunning == false
    let trace = try await tracer.end(isAgentDead: isDead)
    if trace.isKilled {
      kills += 1
      if isCommitted(prepared) { committed += 1 }
    }
    try await home.restartAgent()
    try await check(prepared, wasAnswered: wasAnswered, "\(way), \(point)")
  }

  // MARK: - Changes

  private mutating func prepare() async throws -> Prepared {
    number += 1
    let (account, email) = ("a\(number)", "a\(number)@example.org")
    guard way.isSignIn else { return try await prepareChange(account, email) }
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

  /// Signs in the account beside another one.
  private func prepareChange(_ account: String, _ email: String) async throws -> Prepared {
    _ = home.sandbox.addUser(email: email, password: TestHome.password)
    for (name, address) in [(Self.other, TestHome.email), (account, email)] {
      _ = try await result(
        "signIn.password", #"{"account":"\#(name)","email":"\#(address)","password":"\#(TestHome.password)"}"#)
    }
    _ = try await result("session.use", #"{"account":"\#(way == .use ? Self.other : account)"}"#)
    if way == .useAPI { try await home.setAPI("http://localhost:\(1000 + number)") }
    let params =
      switch way {
      case .enroll: #","type":"totp""#
      case .rename: #","name":"\#(Self.renamed(account))""#
      default: ""
      }
    return Prepared(
      account: account, email: email, user: try await user(of: account),
      step: .call(way == .enroll ? "mfa.enroll" : "session.\(way)", #"{"account":"\#(account)"\#(params)}"#))
  }

  private static let other = "other"

  private static func renamed(_ account: String) -> String { "new-" + account }

  private func prepareProvider(_ account: String, _ email: String, _ user: String) async throws -> Prepared {
    home.sandbox.addProviderAccount(SandboxProvider(rawValue: "github"), email: email)
    home.sandbox.configure { $0.autoConsent = ["github": email] }
    let started = try await result(
      "identity.link", #"{"account":"\#(account)","provider":"github","redirect":"loopback","detach":true}"#)
    let url = try #require(started["url"] as? String)
    return Prepared(account: account, email: email, user: user, step: .browse(url))
  }

  /// Makes the change. Returns true if the caller was told about the success.
  private func change(_ prepared: Prepared) async throws -> Bool {
    switch prepared.step {
    case .call(let method, let params): return try await home.call(method, params)?["result"] != nil
    case .browse(let url):
      let page = try await home.run("/usr/bin/curl", ["-sS", "-L", "--max-time", "20", "-b", "", url]).stdout
      return page.contains("is now linked")
    }
  }

  private func isCommitted(_ prepared: Prepared) -> Bool {
    let user = home.sandbox.users.first { $0.id == prepared.user }
    if way == .signOut || way == .remove { return user?.sessions.isEmpty ?? true }
    return way.isUpgrade ? user?.isAnonymous == false : (user?.sessions.count ?? 0) > 1
  }

  // MARK: - Checks

  /// The change has happened if it was answered, and else completely or not at all.
  private func check(_ prepared: Prepared, wasAnswered: Bool, _ place: String = "") async throws {
    let accounts = try #require(try await result("session.list", "{}")["accounts"] as? [[String: Any]])
    let names = accounts.compactMap { $0["name"] as? String }.filter { $0 != Self.other }
    let name = names.first ?? prepared.account
    let standard = accounts.first { $0["isDefault"] as? Bool == true }?["name"] as? String
    switch way {
    case .signOut, .remove:
      let isSignedIn = accounts.contains { $0["name"] as? String == name && $0["user"] != nil }
      #expect(!wasAnswered || !isSignedIn && (way == .signOut || names.isEmpty), "\(place)")
      guard isSignedIn else {
        // The start completes the change.
        try await eventually("the session ends at the server: \(place)") { isCommitted(prepared) }
        return try await names.isEmpty ? () : remove(name)
      }
    case .rename:
      let isNew = name == Self.renamed(prepared.account)
      #expect(names.count == 1 && (isNew || !wasAnswered && name == prepared.account), "\(place)")
      #expect(standard == name, "\(place)")
    case .use: #expect(standard == name || !wasAnswered && standard == Self.other, "\(place)")
    case .useAPI:
      let token = try await result("session.token", #"{"account":"\#(name)","endpoints":true}"#)
      #expect((token["endpoints"] as? [String: Any])?["apiURL"] != nil || !wasAnswered, "\(place)")
    case .enroll:
      let factors = try await result("mfa.list", #"{"account":"\#(name)"}"#)["factors"] as? [Any]
      #expect(factors?.count == 1 || !wasAnswered, "\(place)")
    case .code, .link, .upgradeByCode, .upgradeByProvider: break
    }
    try await checkSession(prepared, of: name, wasAnswered: wasAnswered, place)
  }

  /// The account has a session of the same user that the server accepts. An upgrade that the server has made is not
  /// lost, and one that it has not made can be made now.
  private func checkSession(_ prepared: Prepared, of name: String, wasAnswered: Bool, _ place: String) async throws {
    let account = #"{"account":"\#(name)"}"#
    let answer = try await result("session.token", account)
    let token = try #require(answer["accessToken"] as? String, "\(place)")
    let status = try await home.serverAnswer(to: token)
    try #require(status == "HTTP/1.1 200 OK", "the server refuses the token: \(place)")
    if wasAnswered, way.isUpgrade {
      #expect(try await isAnonymous(name) == false, "answered before it was stored: \(place)")
    }
    _ = try await result("session.refresh", account)
    #expect(try await user(of: name) == prepared.user, "\(place)")
    guard way.isUpgrade else { return try await remove(name) }
    #expect(try await isAnonymous(name) == !isCommitted(prepared), "\(place)")
    if !isCommitted(prepared), case .call(_, let params) = prepared.step {
      _ = try await result("signIn.verifyCode", params)
      #expect(try await user(of: name) == prepared.user, "\(place)")
      #expect(try await isAnonymous(name) == false, "\(place)")
    }
    try await remove(name)
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
