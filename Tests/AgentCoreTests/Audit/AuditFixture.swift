import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import Logging
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentCore
@testable import SessionEngine
@testable import SessionVault

/// The state that survives a restart: the directory with the log and the keys, the vault's storage,
/// the clock.
struct AuditEnvironment: Sendable {
  let folder: String
  var storage = MemoryStorage()
  var clock = ManualClock()
  var keepDays = Mutexed(90)

  var log: String { folder + "/audit" }

  func file(_ number: Int = 1) -> String { log + "/" + AuditFile.name(number) }

  func text(_ number: Int = 1) throws -> String { try String(contentsOfFile: file(number), encoding: .utf8) }

  /// Overwrites a file of the log, as another program would.
  func replace(_ number: Int = 1, with text: String) throws {
    try text.write(toFile: file(number), atomically: false, encoding: .utf8)
  }

  func lines(_ number: Int = 1) throws -> [String] { try text(number).split(separator: "\n").map(String.init) }

  func replaceLines(_ number: Int = 1, change: (inout [String]) -> Void) throws {
    var lines = try lines(number)
    change(&lines)
    try replace(number, with: lines.map { $0 + "\n" }.joined())
  }
}

/// An audit log over a vault, without the periodic flush: the test flushes.
struct AuditFixture: Sendable {
  let home: AuditEnvironment
  let records: Records
  let log: AuditLog
  let attached: AttachedVault

  /// Records `count` entries and flushes them.
  func record(_ count: Int) async {
    for number in 0..<count {
      records.record(.signedIn, account: "work", provider: "email", project: "p\(number)")
    }
    await log.flush()
  }

  func issueToken(
    _ account: String = "work", token: UInt64 = 1, connection: UInt64 = 1, pid: Int32 = 0, count: Int = 1
  ) {
    for _ in 0..<count {
      records.issuedTokens.note(
        .init(account: account, way: .token, fingerprint: token), to: .init(id: connection, pid: pid),
        at: home.clock.wall)
    }
  }

  func send(
    _ account: String = "work", connection: UInt64 = 1, pid: Int32 = 7, grant: String? = nil
  ) -> IssuedTokens.Request {
    records.issuedTokens.send(
      account: account, grant: grant, to: .init(id: connection, pid: pid), at: home.clock.wall
    ).request
  }

  func end(_ request: IssuedTokens.Request, status: Int?) {
    records.issuedTokens.end(request, status: status, at: home.clock.wall)
  }

  func kinds() async throws -> [String] { try await log.verify().findings.map(\.kind) }

  func events() async throws -> [AuditEvent] { try await log.list(1000).entries.map(\.facts.event) }
}

extension AuditEnvironment {
  static let running = TestFixture<AuditEnvironment>()
  static var current: AuditEnvironment { running.current }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test an environment: `AuditEnvironment.current`.
  static var auditEnvironment: Self { AuditEnvironment.running.trait { try await withAuditEnvironment($0) } }
}

extension AuditFixture {
  static let running = TestFixture<AuditFixture>()
  static var current: AuditFixture { running.current }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test an environment, and an audit log that is opened in it: `AuditFixture.current`.
  static var audit: Self {
    Self { test in
      try await withAuditEnvironment { home in
        try await AuditEnvironment.running.run(home) {
          try await withAudit(home) { try await AuditFixture.running.run($0, test) }
        }
      }
    }
  }
}

func withAuditEnvironment(_ body: (AuditEnvironment) async throws -> Void) async throws {
  try await withScratchDirectory { folder in try await body(AuditEnvironment(folder: folder.path)) }
}

/// Runs `body` with an audit log that is opened as at startup. With `crashes` the log is not
/// closed at the end.
func withAudit(
  _ home: AuditEnvironment, crashes: Bool = false, _ body: (AuditFixture) async throws -> Void
) async throws {
  let vault = try Vault.attach(home.storage, MachineID(bytes: [UInt8](repeating: 1, count: 16)), .argon2id)
  let places = VaultPaths(keyFile: home.folder + "/vault.key", credential: nil, state: home.folder)
  let attached = try AttachedVault(vault, places)
  let records = Records(clock: home.clock)
  let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
  let log = AuditLog(
    home.folder + "/audit", vault: vault, store: attached.store, records: records, clock: home.clock, logger: logger,
    keepDays: { home.keepDays.value })
  log.vaultOpened()
  await log.flush()
  let result: Result<Void, any Error>
  do {
    result = .success(try await body(AuditFixture(home: home, records: records, log: log, attached: attached)))
  } catch {
    result = .failure(error)
  }
  if !crashes { await log.vaultCloses() }
  await log.close()
  await attached.store.close()
  try result.get()
}
