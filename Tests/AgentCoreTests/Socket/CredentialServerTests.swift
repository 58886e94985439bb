import AgentProtocol
import Foundation
import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentConfiguration
@testable import AgentServer
@testable import SessionEngine

/// The server on a real socket, with clients that are bound to abstract names, as systemd's are.
@Suite struct CredentialServerTests {
  @Test("a unit gets the token of its account and nothing else")
  func givesTheToken() async throws {
    try await withCredentials { server async throws in
      #expect(try await server.ask("export.service", "token") == "token-of-work")
      #expect(try await server.ask("export.service", "token.home") == "token-of-home")
      #expect(server.log.lines.isEmpty)
      #expect(server.issuedTokens.served == [.credential: 2])
    }
  }

  @Test("another unit's name, a process outside of units, and other names get an empty answer")
  func refusesOtherNames() async throws {
    let clock = ManualClock()
    try await withCredentials(clock: clock) { server async throws in
      #expect(try await server.ask("other.service", "token") == "")
      #expect(server.log.lines.contains { $0.contains("warning credential refused") && $0.contains("denied") })
      server.state.unit.withLock { $0 = nil }
      #expect(try await server.ask("export.service", "token") == "")
      for name in [nil, unitName("export.service", "secret"), unitName("x.scope", "token")] {
        #expect(try await server.ask(name: name) == "")
      }
      #expect(server.log.lines.count { $0.contains("invalidParams") } == 1, "at most one notice a second")
      clock.advance(by: .seconds(1))
      #expect(try await server.ask(name: nil) == "")
      #expect(
        server.log.lines.contains { $0.contains("invalidParams") && $0.contains("\"more\": 2") }, "and the rest counted"
      )
      #expect(server.issuedTokens.served == [:])
    }
  }

  @Test("a refusal of the agent is an empty answer, with unit, credential and kind in the journal")
  func refusesWithAnEntry() async throws {
    try await withCredentials { server async throws in
      server.state.failure.withLock { $0 = AgentError(.vaultLocked) }
      #expect(try await server.ask("export.service", "token.work") == "")
      let line = try #require(server.log.lines.first)
      for part in ["export.service", "token.work", "vaultLocked", "credential_refused"] { #expect(line.contains(part)) }
    }
  }

  @Test("a token that was withdrawn meanwhile is not sent")
  func sendsNoWithdrawnToken() async throws {
    try await withCredentials { server async throws in
      server.tokens.lock()
      #expect(try await server.ask("export.service", "token") == "")
      #expect(server.log.lines.contains { $0.contains("vaultLocked") })
    }
  }

  @Test("a token that was read before a lock is not sent after the unlock")
  func sendsTheTokenOfNow() async throws {
    try await withCredentials { server async throws in
      let client = try await server.heldClient()
      server.tokens.lock()
      server.tokens.publish("newer")
      server.gate.settle(())
      #expect(try await client.all() == "newer")
    }
  }

  @Test("the rules decide")
  func asksThePolicy() async throws {
    let deny = PolicyRule(action: .deny)
    try await withCredentials(rules: [deny]) { server async throws in
      #expect(try await server.ask("export.service", "token") == "")
      #expect(server.log.lines.contains { $0.contains("credential refused") && $0.contains("denied") })
    }
  }

  @Test("an answer that takes too long is empty, and a unit that gives up cancels its request")
  func endsInTime() async throws {
    let clock = ManualClock()
    try await withCredentials(clock: clock, answerTime: .seconds(15)) { server async throws in
      let client = try await server.heldClient()
      clock.advance(by: .seconds(15))
      #expect(try await client.all() == "")
      #expect(server.log.lines.contains { $0.contains("serviceUnavailable") })
      #expect(server.state.cancelled.withLock { $0 } == 1)
    }
    try await withCredentials { server async throws in
      do { _ = try await server.heldClient() }
      try await eventually("it was cancelled") { server.state.cancelled.withLock { $0 } == 1 }
    }
  }

  @Test("a stop ends requests after its grace, and a connection that is not accepted is closed")
  func stops() async throws {
    let client = Mutex<RawClient?>(nil)
    try await withCredentials(grace: .milliseconds(50)) { server async throws in
      let held = try await server.heldClient()
      client.withLock { $0 = held }
    }
    let held = try #require(client.withLock { $0 })
    #expect(try await held.all() == "")
  }

  @Test("more units than connections at a time wait, and all get a token")
  func holdsTooMany() async throws {
    try await withCredentials { server async throws in
      server.state.holds.withLock { $0 = true }
      let clients = try (0..<SocketLimits.maxCredentialConnections + 8).map { _ in
        try server.client(name: unitName("export.service", "token"))
      }
      try await eventually("as many as allowed") {
        server.state.begun.withLock { $0 } == SocketLimits.maxCredentialConnections
      }
      server.state.holds.withLock { $0 = false }
      server.gate.settle(())
      for client in clients {
        let answer = try await client.all()
        #expect(answer == "token-of-work")
      }
    }
  }
}

/// A name as systemd makes it. Abstract names belong to all programs, so each test needs its own.
private func unitName(_ unit: String, _ credential: String) -> String {
  "\0\(String(UInt64.random(in: 1 ... .max), radix: 16))/unit/\(unit)/\(credential)"
}

/// A server for a test, with two accounts and a unit that the kernel would tell.
private struct CredentialFixture: Sendable {
  let path: String
  let log: LogLines
  let tokens: TokenSnapshot
  let issuedTokens: IssuedTokens
  let state = State()

  final class State: Sendable {
    let unit = Mutex<String?>("export.service")
    let failure = Mutex<AgentError?>(nil)
    let holds = Mutex(false)
    let begun = Mutex(0)
    let cancelled = Mutex(0)
    let gate = SettledValue<Void>()
  }

  var gate: SettledValue<Void> { state.gate }

  var agent: CredentialServer.Agent {
    CredentialServer.Agent(
      unit: { _ in state.unit.withLock { $0 } }, accountName: { $0 ?? "work" },
      token: { [self] account throws(AgentError) in try await token(account) })
  }

  private func token(_ account: String) async throws(AgentError) -> SessionToken.Result {
    if let failure = state.failure.withLock({ $0 }) { throw failure }
    state.begun.withLock { $0 += 1 }
    if state.holds.withLock({ $0 }) {
      do { try await state.gate.wait() } catch {
        state.cancelled.withLock { $0 += 1 }
        throw AgentError(.cancelled)
      }
    }
    return SessionToken.Result(
      account: account, accessToken: "token-of-\(account)", tokenType: "bearer", expiresAt: Timestamp(unixSeconds: 0),
      expiresIn: 0)
  }

  func ask(_ unit: String, _ credential: String) async throws -> String {
    try await ask(name: unitName(unit, credential))
  }

  /// A client whose request is held.
  func heldClient() async throws -> RawClient {
    state.holds.withLock { $0 = true }
    let client = try client(name: unitName("export.service", "token"))
    try await eventually("the request has begun") { state.begun.withLock { $0 } == 1 }
    return client
  }

  /// A client that is bound to an abstract name, as systemd's is; nil for one without a name.
  func client(name: String?) throws -> RawClient {
    let client = try RawClient(path, name: name)
    client.endInput()
    return client
  }

  func ask(name: String?) async throws -> String { try await client(name: name).all() }
}

/// - Parameter answerTime: long, because a busy machine delays an answer.
private func withCredentials(
  rules: [PolicyRule] = [], grace: TimeAmount = .seconds(3), clock: any AgentClock = SystemClock(),
  answerTime: Duration = .seconds(3600),
  _ body: @escaping @Sendable (CredentialFixture) async throws -> Void
) async throws {
  try await withScratchDirectory { folder in
    let path = folder.path + "/run/credentials.sock"
    let (log, lookUp) = (LogLines(level: .info), CallerLookup())
    let logger = Logger(label: "test") { _ in log }
    let records = Records(clock: clock, lookUp: lookUp)
    let fixture = CredentialFixture(
      path: path, log: log, tokens: TokenSnapshot(clock: clock), issuedTokens: records.issuedTokens)
    for account in ["work", "home"] {
      fixture.tokens.publish("token-of-\(account)", of: account, received: clock.now)
    }
    let quiet = Logger(label: "quiet", factory: { _ in SwiftLogNoOpLogHandler() })
    let server = CredentialServer(
      try ListeningSocket.bind(path), on: MultiThreadedEventLoopGroup.singleton.next(), agent: fixture.agent,
      tokens: fixture.tokens, clock: clock, issuedTokens: records.issuedTokens,
      policy: Policy(rules, records: records, lookUp: lookUp, clock: clock, logger: quiet), logger: logger,
      grace: grace, answerTime: answerTime)
    let group = ServiceGroup(services: [server], gracefulShutdownSignals: [], logger: quiet)
    let result = await withTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try? await group.run() }
      let result: Result<Void, any Error>
      do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
      await group.triggerGracefulShutdown()
      await tasks.waitForAll()
      return result
    }
    await lookUp.close()
    #expect(access(path, F_OK) != 0, "the socket's file is removed")
    try result.get()
  }
}

/// The names of sockets by which systemd tells the unit and the credential (systemd.exec(5)).
@Suite struct CredentialRequestTests {
  private func request(_ name: String) -> CredentialRequest? { CredentialRequest(peerName: Array(name.utf8)) }

  @Test(
    "the name of the credential selects the account",
    arguments: [
      ("token", nil), ("token.work", "work"), ("token.a.b-c_d", "a.b-c_d"), ("token.0", "0"),
    ] as [(String, String?)])
  func selectsTheAccount(credential: String, account: String?) throws {
    let found = try #require(request("\0d3adb33f/unit/export@a-b.service/\(credential)"))
    #expect(found.unit == "export@a-b.service" && found.credential == credential && found.account == account)
  }

  @Test(
    "other names are refused",
    arguments: [
      "", "\0", "/run/user/1000/x", "\0/unit/a.service/token", "\0a1/unit/a.service", "\0a1/unit/a.service/",
      "a1/unit/a.service/token", "\0a1/units/a.service/token", "\0a1/unit/a.service/token/", "\0a1/unit//token",
      "\0a1/unit/.service/token", "\0a1/unit/a.service/tokens", "\0a1/unit/a.service/token.",
      "\0a1/unit/a.service/token.Work", "\0a1/unit/a.service/token.-a", "\0a1/unit/a.service/TOKEN",
      "\0a1/unit/session-1.scope/token", "\0a1/unit/app.slice/token", "\0a1/unit/a/token",
      "\0A1/unit/a.service/token", "\0a1 /unit/a.service/token", "\00123456789abcdef0/unit/a.service/token",
      "\0a1/unit/a b.service/token", "\0a1/unit/\u{e9}.service/token", "\0a1/unit/a\n.service/token",
      "\0\0a1/unit/a.service/token", "\0a1/unit/a.service/token\0",
    ])
  func refusesOtherNames(name: String) { #expect(request(name) == nil) }

  @Test("any bytes: a request that is accepted gives the name again")
  func survivesAnyBytes() throws {
    var chance = SeededRandom(19)
    let good = Array("\0a1b2/unit/export.service/token.work".utf8)
    var accepted = 0
    for round in 0..<20_000 {
      var name = round % 4 == 0 ? (0..<chance.below(108)).map { _ in UInt8(chance.below(256)) } : good
      for _ in 0..<chance.below(4) where !name.isEmpty {
        let index = chance.below(name.count)
        switch chance.below(3) {
        case 0: name[index] = UInt8(chance.below(256))
        case 1: name.remove(at: index)
        default: name.insert(name[chance.below(name.count)], at: index)
        }
      }
      guard let found = CredentialRequest(peerName: name) else { continue }
      accepted += 1
      #expect(found.account == nil ? found.credential == "token" : found.credential == "token.\(found.account!)")
      #expect(name.suffix(found.credential.utf8.count + 1).elementsEqual("/\(found.credential)".utf8))
      #expect(String(decoding: name, as: UTF8.self).contains("/unit/\(found.unit)/"))
    }
    #expect(accepted > 1000)
  }
}
