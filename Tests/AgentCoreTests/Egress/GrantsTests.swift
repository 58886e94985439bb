import AgentConfiguration
import AgentProtocol
import Foundation
import Glibc
import NIOCore
import NIOPosix
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentCore
@testable import AgentServer
@testable import Egress
@testable import SessionEngine

/// pidfd_open(2), in glibc since 2.36. The Glibc module does not declare it.
@_silgen_name("pidfd_open") private func pidfd_open(_ pid: Int32, _ flags: UInt32) -> Int32

/// Grants: how they are made, what they permit, and what ends them.
@Suite(.timeLimit(.minutes(10))) struct GrantsTests {
  private var home: PolicyFixture { .ruled }

  private typealias Params = EgressGrant.Params

  // MARK: - Making

  @Test("EG-6: a grant has a loopback URL, a placeholder token, which is its only key, and an end", .grants)
  func makes() async throws {
    let made = try await home.grant()
    let port = try #require(home.listener.port)
    #expect(made.url == "http://127.0.0.1:\(port)")
    #expect(made.token.wholeMatch(of: /sb_publishable_ritual_[A-Za-z0-9_-]{43}/) != nil)
    #expect(made.expiresAt.unixSeconds == home.clock.wallSeconds + 3600)
    let other = try await home.grant()
    #expect(other.url == made.url && other.token != made.token && other.id != made.id)
    let found = try #require(home.grants.lookUp(token: made.token))
    #expect(found.id == made.id && found.account == "work")
    #expect(home.grants.lookUp(token: other.token)?.id == other.id)
    for index in 0..<made.token.count {
      var wrong = Array(made.token.utf8)
      wrong[index] = wrong[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      #expect(home.grants.lookUp(token: String(decoding: wrong, as: UTF8.self)) == nil)
    }
    #expect(home.grants.lookUp(token: "") == nil && home.grants.lookUp(token: made.token + "A") == nil)
  }

  @Test("the list shows who asked and for what, and counts requests, without a placeholder token", .grants)
  func lists() async throws {
    let made = try await home.grant(.init(for: 60, methods: ["GET"], paths: ["/rest/v1/todos"]))
    let grant = try #require(home.grants.lookUp(token: made.token))
    grant.noteRequest()
    grant.noteRequest()
    let second = try await home.grant(.init(account: "home"))
    let list = home.services.grants.list().grants
    #expect(list.map(\.id) == [made.id, second.id])
    #expect(list[0].account == "work" && list[0].methods == ["GET"] && list[0].paths == ["/rest/v1/todos"])
    #expect(list[0].requests == 2 && list[0].pid == 1 && list[0].unit == "a.service" && !list[0].process)
    #expect(list[0].expiresAt.unixSeconds - list[0].createdAt.unixSeconds == 60)
    #expect(list[1].account == "home" && list[1].methods == nil && list[1].paths == nil && list[1].requests == 0)
    let json = String(decoding: try WireCoding.encode(EgressList.Result(grants: list)), as: UTF8.self)
    #expect(!json.contains("ritual_") && !json.contains(made.token.suffix(43)))
  }

  @Test(
    "a grant with terms out of bounds is refused", .grants,
    arguments: [
      EgressGrant.Params(for: 0), .init(for: 0.9), .init(for: -1), .init(for: 86_401), .init(for: .infinity),
      .init(for: .nan), .init(methods: []), .init(paths: []), .init(methods: ["get"]), .init(methods: ["TRACE"]),
      .init(methods: ["GET", ""]), .init(paths: ["rest"]), .init(paths: ["/rest/"]), .init(paths: ["/a/../b"]),
      .init(paths: ["/a?b"]), .init(paths: Array(repeating: "/a", count: 65)),
      .init(paths: Array(repeating: "/" + String(repeating: "a", count: 999), count: 5)),
      .init(form: "JWT"), .init(form: ""), .init(form: "jwt", prefix: "x"), .init(prefix: "a b"), .init(prefix: "é"),
      .init(prefix: "a/b"), .init(prefix: String(repeating: "a", count: 65)), .init(prefix: "a\n"),
      // The fixture's tokens are no JWTs.
      .init(form: "jwt"), .init(host: ""), .init(host: "a_b"), .init(host: "a:1"), .init(host: "-a"), .init(host: "a."),
      .init(host: "a b"), .init(host: "a/b"), .init(host: "é"), .init(host: String(repeating: "a", count: 64)),
      .init(host: Array(repeating: "abcd", count: 51).joined(separator: ".")),
    ])
  func refusesTerms(params: EgressGrant.Params) async throws {
    #expect(await errorKind { try await home.grant(params) } == .invalidParams)
    #expect(home.listener.port == nil && home.services.grants.list().grants.isEmpty)
  }

  @Test("RC-5: a placeholder token has the form that its tool expects", .grants)
  func makesForms() async throws {
    for (params, prefix) in [
      (Params(form: "key"), "sb_publishable_ritual_"), (.init(form: "key", prefix: "sk-"), "sk-"),
      (.init(prefix: ""), ""), (.init(prefix: String(repeating: "a.", count: 32)), String(repeating: "a.", count: 32)),
    ] as [(Params, String)] {
      let made = try await home.grant(params)
      #expect(made.token.hasPrefix(prefix) && made.token.count == prefix.count + 43, "\(made.token)")
      #expect(home.grants.lookUp(token: made.token)?.id == made.id)
    }
  }

  @Test("RC-5: a JWT has the claims of the account's token that tools look for, and no address")
  func makesJWTs() throws {
    func part(_ json: String) -> String { Base64URL.encode(json.utf8) }
    let claims = #"{"sub":"u-1","aud":"authenticated","role":"authenticated","exp":5,"email":"a@b.c","iat":1}"#
    let token = try #require(PlaceholderToken.make(.jwt, accessToken: "\(part("{}")).\(part(claims)).x", end: 99))
    let parts = token.split(separator: ".").map(String.init)
    #expect(parts.count == 3 && parts[2].count == 43 && PlaceholderToken.hasForm(token))
    #expect(parts[0] == part(#"{"alg":"HS256","typ":"JWT"}"#))
    #expect(parts[1] == part(#"{"aud":"authenticated","exp":99,"role":"authenticated","sub":"u-1"}"#))
    #expect(PlaceholderToken.make(.jwt, accessToken: "\(part("{}")).\(part(claims)).x", end: 99) != token)
    let long = #"{"sub":"\#(String(repeating: "a", count: 2000))"}"#
    for wrong in ["", "a.b", "a.b.c", "\(part("{}")).\(part("[]")).x", "\(part("{}")).\(part(long)).x"] {
      #expect(PlaceholderToken.make(.jwt, accessToken: wrong, end: 99) == nil, "\(wrong.prefix(20))")
    }
  }

  @Test("doctor names tokens that are longer than what servers accept in a header", .grants)
  func namesLongTokens() async throws {
    #expect(
      TokenLengths.checks(home.agent.accounts.tokens.lengths).isEmpty && home.agent.accounts.tokens.lengths.count == 2)
    let found = TokenLengths.checks(["d": 8171, "c": 8170, "b": 4097, "a": 4096])
    #expect(found.map(\.name) == ["tokens", "tokens", "tokens"] && found.allSatisfy { $0.outcome == .warn })
    #expect(found.map { String($0.words.prefix(1)) } == ["b", "c", "d"])
    #expect(found.map { $0.words.contains("4 KiB") } == [true, true, false])
  }

  @Test("the shortest and the longest grant are made", .grants)
  func takesBounds() async throws {
    for seconds in [1.0, 86_400] { _ = try await home.grant(.init(for: seconds)) }
    #expect(home.services.grants.list().grants.count == 2)
  }

  @Test(
    "RC-1: a grant on a socket has a URL for every client, and neither a port nor another grant's requests", .grants)
  func makesSockets() async throws {
    let made = try await home.grant(.init(socket: true, host: "Ritual.localhost"))
    let path = try #require(made.socket)
    #expect(made.url == "http://ritual.localhost" && home.listener.port == nil)
    #expect(path.hasSuffix("/grants/\(made.id)/s") && access(path, F_OK) == 0)
    let other = try await home.grant(.init(socket: true))
    #expect(other.url == "http://localhost" && other.socket != made.socket)
    let own = GrantEndpoint.socket(made.id)
    for (endpoint, port, host, token, expected) in [
      (own, nil, "localhost", made.token, made.id), (own, nil, "ritual.localhost", made.token, made.id),
      (own, nil, "x", made.token, "misdirected"), (own, nil, "localhost", other.token, "standInInvalid"),
      (.socket(other.id), nil, "localhost", made.token, "standInInvalid"),
      // The name is that of one grant.
      (.socket(other.id), nil, "ritual.localhost", other.token, "misdirected"),
      (.loopback, 4711, "localhost:4711", made.token, "standInInvalid"),
    ] as [(GrantEndpoint, Int?, String, String, String)] {
      let head = try HTTPHead.request("GET", "/rest/v1/x", [("Host", host), ("apikey", token)])
      let found: String?
      do throws(EgressProblem) {
        found = try home.grants.identify(head, at: endpoint, port: port).1.grant
      } catch { found = error.kind }
      #expect(found == expected, "\(endpoint) \(host)")
    }
    try home.services.grants.revoke(made.id)
    #expect(access((path as NSString).deletingLastPathComponent, F_OK) != 0 && access(other.socket ?? "", F_OK) == 0)
    home.services.grants.close()
    #expect(access(other.socket ?? "", F_OK) != 0)
  }

  @Test("a grant needs a session, and a listener")
  func needsSession() async throws {
    try await withGrants { home async throws in
      #expect(await errorKind { try await home.grant(.init(account: "nobody")) } == .unknownAccount)
      _ = try await home.agent.accounts.signOut(SessionSignOut.Params(account: "home"))
      #expect(await errorKind { try await home.grant(.init(account: "home")) } == .signInNeeded)
      await home.agent.accounts.forgetSessions()
      #expect(await errorKind { try await home.grant() } == .vaultLocked)
      #expect(home.listener.port == nil)
    }
    try await withPolicy([]) { home async throws in
      _ = await home.connect(PolicyFixture.asker, unit: nil)
      #expect(await errorKind { try await home.grant() } == .notReady)
    }
  }

  @Test("the number of grants is limited, to a quarter for one process; one that has ended leaves room", .grants)
  func isBounded() async throws {
    var last = ""
    for pid in 1...4 as ClosedRange<Int32> {
      for _ in 0..<(Grants.maxCount / 4) { last = try await home.grant(pid: pid).id }
      #expect(await errorKind { try await home.grant(pid: pid) } == .tooMany)
    }
    #expect(await errorKind { try await home.grant(pid: 5) } == .tooMany)
    try home.services.grants.revoke(last)
    #expect(await errorKind { try await home.grant(pid: 3) } == .tooMany)
    _ = try await home.grant(pid: 4)
    home.grants.endAll(.locked)
    #expect(home.listener.port == nil)
  }

  // MARK: - Ends

  @Test("a grant ends with its time, also if no request is made", .grants)
  func expires() async throws {
    let made = try await home.grant(.init(for: 100))
    home.clock.advance(by: .seconds(99))
    #expect(home.grants.lookUp(token: made.token) != nil)
    home.clock.advance(by: .seconds(1))
    #expect(home.grants.lookUp(token: made.token) == nil)
    #expect(home.listener.port == nil)
    #expect(home.audited(.grantEnded).map(\.detail) == ["grant \(made.id): expired"])
    let timer = Task { await home.grants.run() }
    _ = try await home.grant(.init(for: 50))
    let end = home.clock.now.advanced(by: .seconds(50))
    try await eventually("the timer waits for the end") { home.clock.isAwaited(at: end) }
    home.clock.advance(by: .seconds(50))
    try await eventually("the grant ends by itself") { home.listener.port == nil }
    timer.cancel()
    await timer.value
  }

  @Test("a grant ends by its revocation, and is then unknown", .grants)
  func isRevoked() async throws {
    let made = try await home.grant()
    let other = try await home.grant()
    try home.services.grants.revoke(made.id)
    #expect(home.grants.lookUp(token: made.token) == nil && home.grants.lookUp(token: other.token) != nil)
    #expect(home.listener.port != nil)
    #expect(await errorKind { try home.services.grants.revoke(made.id) } == .invalidParams)
    #expect(home.auditedCount(.grantMade) == 2)
    #expect(home.audited(.grantEnded).map(\.detail) == ["grant \(made.id): revoked"])
  }

  /// An event that ends a grant for `work`.
  enum Event: CaseIterable {
    case lock, signOut, otherUser, rename, remove, sessionEnd, otherOrigin, stop
  }

  @Test("a grant ends with its session, and another account's stays", .grants, arguments: Event.allCases)
  func endsWithItsSession(event: Event) async throws {
    let ended = Mutexed<[String]>([])
    home.grants.onEnd { ended.value.append($0.id) }
    let (work, other) = (try await home.grant(), try await home.grant(.init(account: "home")))
    try await Self.perform(event, home)
    #expect(home.grants.lookUp(token: work.token) == nil)
    #expect(ended.value.contains(work.id))
    let endsAll = [Event.lock, .otherOrigin, .stop].contains(event)
    #expect((home.grants.lookUp(token: other.token) == nil) == endsAll)
    #expect((home.listener.port == nil) == endsAll)
    #expect(home.audited(.grantEnded).count == (endsAll ? 2 : 1))
  }

  private static func perform(_ event: Event, _ home: PolicyFixture) async throws {
    let accounts = home.agent.accounts
    switch event {
    case .lock: await accounts.forgetSessions()
    case .signOut: _ = try await accounts.signOut(SessionSignOut.Params(account: "work"))
    case .otherUser: try await home.agent.signIn("work", user: "user-9", token: "9", replace: true)
    case .rename: _ = try await accounts.rename("work", to: "new")
    case .remove: _ = try await accounts.remove("work")
    case .sessionEnd: home.agent.observers.tell(.sessionEnded(account: "work", reason: "test"))
    case .otherOrigin:
      _ = home.agent.projects.apply(try AccountsFixture.configuration(url: "http://127.0.0.1:10"))
      await accounts.configurationChanged()
      await home.services.grants.configurationChanged()
    case .stop: home.services.grants.close()
    }
  }

  @Test("a grant outlives a repeated sign-in of its user, the end of other sessions, and a reload", .grants)
  func outlivesTheRest() async throws {
    let made = try await home.grant()
    try await home.agent.signIn("work", token: "8")
    home.agent.observers.tell(.signedOut(account: "work", scope: .others))
    await home.services.grants.configurationChanged()
    #expect(home.grants.lookUp(token: made.token) != nil)
  }

  @Test("the grants of a user have ended before another user's token is published", .grants)
  func endsBeforeTheNextUser() async throws {
    let accounts = home.agent.accounts
    let tokens = Mutexed<[String]>([])
    home.grants.onEnd { _ in
      let answer = accounts.tokens.answer(account: "work", minTTL: 0, rejected: nil, now: home.clock.now)
      tokens.value.append(answer?.plainToken ?? "none")
    }
    let before = try await home.agent.token("work").accessToken
    _ = try await home.grant()
    try await Self.perform(.otherUser, home)
    #expect(tokens.value == [before])
    #expect(try await home.agent.token("work").accessToken != before)
  }

  @Test("a session that ends while a grant is being made leaves no grant", .grants)
  func leavesNone() async throws {
    let generation = home.grants.generation
    home.agent.observers.tell(.signedOut(account: "work", scope: .local))
    let template = try #require(home.grants.lookUp(token: try await home.grant().token))
    #expect(try !home.grants.add(template, since: generation, token: "x"))
    home.services.grants.close()
    #expect(await errorKind { try await home.grant() } == .cancelled)
    #expect(home.listener.port == nil)
  }

  @Test("a program makes a limited number of grants in a minute, and another program makes its own", .grants)
  func limitsTheRate() async throws {
    for _ in 0..<Grants.maxPerMinute { try home.services.grants.revoke(try await home.grant().id) }
    #expect(await errorKind { try await home.grant() } == .tooMany)
    _ = try await home.grant(pid: 2)
    #expect(home.auditedCount(.grantMade) == UInt64(Grants.maxPerMinute) + 1)
    home.clock.advance(by: .seconds(60))
    _ = try await home.grant()
  }

  // MARK: - Processes

  /// The evidence of a process, by a pidfd or as on kernels without one.
  @Test("a grant for a process ends with it, also if no request is made", arguments: [true, false])
  func endsWithItsProcess(byDescriptor: Bool) async throws {
    try await withScratchDirectory { folder async throws in
      let child = try RunningProgram("/bin/sleep", ["infinity"], environment: [:], folder: folder)
      let pid = child.pid
      let evidence = { @Sendable () -> PeerProcess in
        // As the agent does: a process that is gone has no descriptor.
        let descriptor = byDescriptor ? pidfd_open(pid, 0) : -1
        if descriptor >= 0 { return PeerProcess(.descriptor(descriptor)) }
        return PeerProcess(byDescriptor ? .gone : .accepted(SystemClock().now))
      }
      try await withGrants { home async throws in
        let made = try await home.grant(.init(process: true), pid: pid, process: evidence())
        let lasting = try await home.grant(pid: pid, process: evidence())
        #expect(home.services.grants.list().grants.map(\.process) == [true, false])
        let timer = Task { await home.grants.run() }
        #expect(home.grants.lookUp(token: made.token) != nil)
        await child.stop()
        try await eventually("the end is noticed") {
          home.clock.advance(by: .seconds(1))
          return home.audited(.grantEnded).map(\.detail) == ["grant \(made.id): its process ended"]
        }
        #expect(home.grants.lookUp(token: made.token) == nil && home.grants.lookUp(token: lasting.token) != nil)
        timer.cancel()
        await timer.value
        let gone = try await home.grant(.init(process: true), pid: pid, process: evidence())
        #expect(home.grants.lookUp(token: gone.token) == nil)
      }
    }
  }

  // MARK: - Policy

  private static func question(_ connection: UInt64) -> Policy.Question {
    Policy.Question(
      method: "egress", connection: connection, pid: 1, request: .init(method: "GET", path: "/rest/v1/x"))
  }

  @Test(
    "each request is judged as one of the program that asked, also after it has disconnected",
    .grants([PolicyRule(account: "x", action: .deny)]))
  func actsAsTheAsker() async throws {
    let denial = PolicyRule(account: "work", subject: .unit("a.service"), action: .deny)
    let made = try await home.grant()
    let grant = try #require(home.grants.lookUp(token: made.token))
    home.policy.closed(PolicyFixture.asker)
    home.services.records.issuedTokens.callers.closed(PolicyFixture.asker)
    try await home.policy.check("work", Self.question(grant.connection.id))
    home.policy.replace([denial])
    #expect(await errorKind { try await home.policy.check("work", Self.question(grant.connection.id)) } == .denied)
    home.policy.replace([PolicyRule(account: "work", subject: .unit("b.service"), action: .deny)])
    try await home.policy.check("work", Self.question(grant.connection.id))
    home.policy.replace([denial])
    #expect(await errorKind { try await home.policy.check("work", Self.question(grant.connection.id)) } == .denied)
    // A program that has disconnected gets no grant.
    #expect(await errorKind { try await home.grant() } == .cancelled)
  }

  @Test(
    "egress.grant is refused to a program that a rule denies the account",
    .grants([PolicyRule(account: "work", subject: .unit("a.service"), action: .deny)]))
  func isDenied() async throws {
    let call = await home.connect(PolicyFixture.asker + 1, unit: "a.service")
    #expect(await home.refusal("egress.grant", "{}", call)?.kind == .denied)
    #expect(await home.refusal("egress.grant", #"{"account":"home"}"#, call) == nil)
    let listed = try await home.answer("egress.list", "{}", call)["grants"]
    guard case .array(let grants)? = listed else { throw ConditionTimeout(what: "the list") }
    let id = try #require(grants.first?["id"]?.text)
    #expect(await home.refusal("egress.revoke", #"{"id":"\#(id)"}"#, call) == nil)
    #expect(await home.refusal("egress.revoke", #"{"id":"\#(id)"}"#, call)?.kind == .invalidParams)
  }
}

extension PolicyFixture {
  /// The connection of the program that asks. Far from those of the grants, which are counted from 1.
  fileprivate static let asker: UInt64 = 9000

  /// Makes a grant for that program.
  fileprivate func grant(
    _ params: EgressGrant.Params = .init(), pid: Int32 = 1, process: PeerProcess? = nil
  ) async throws -> EgressGrant.Result {
    try await services.grants.make(params, by: Self.asker, pid: pid, process: process)
  }
}

extension Trait where Self == FixtureTrait {
  fileprivate static var grants: Self { grants([]) }

  /// Accounts with these rules, a listener for grants, and a connected program that asks for them.
  fileprivate static func grants(_ rules: [PolicyRule]) -> Self {
    PolicyFixture.running.trait { try await withGrants(rules, $0) }
  }
}

private func withGrants(
  _ rules: [PolicyRule] = [], _ body: @Sendable (PolicyFixture) async throws -> Void
) async throws {
  try await withPolicy(rules) { home async throws in
    home.listener.serve(on: MultiThreadedEventLoopGroup.singleton.next()) { channel, _ in channel.close() }
    _ = await home.connect(PolicyFixture.asker, Caller(start: 1, unit: "a.service"), pid: 1)
    try await body(home)
  }
}
