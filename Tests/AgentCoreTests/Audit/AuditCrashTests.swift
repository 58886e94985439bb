import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentCore
@testable import SessionEngine
@testable import SessionVault

/// A crash between an entry and the anchor, or between two anchors, is no tampering, repeats no entry
/// and loses no count.
@Suite(.auditEnvironment) struct AuditCrashTests {
  private var home: AuditEnvironment { .current }

  private func counts(_ fixture: AuditFixture, _ event: AuditEvent) async throws -> [UInt64?] {
    try await fixture.log.list(1000).entries.map(\.facts).filter { $0.event == event }.map(\.count)
  }

  @Test("counts that are in an entry after the anchor are neither repeated nor made smaller")
  func followsCounts() async throws {
    try await withAudit(home, crashes: true) { (fixture: AuditFixture) async throws in
      fixture.issueToken(count: 3)
      let requests = (0..<3).map { _ in fixture.send(connection: 2) }
      fixture.end(requests[0], status: 200)
      let anchor = try await anchorAfterFlush(fixture)
      fixture.issueToken(count: 6)
      fixture.end(requests[1], status: 200)
      home.clock.advance(by: .seconds(3600))
      await fixture.log.flush()
      #expect(try home.lines().count == 4, "the file, the token twice, the requests")
      try fixture.attached.vault.save(anchor, as: AuditAnchor.record)
    }
    for _ in 0..<2 {
      try await withAudit(home, crashes: true) { (fixture: AuditFixture) async throws in
        #expect(try await counts(fixture, .tokenIssued) == [9])
        let requests = try await fixture.log.list(1000).entries.map(\.facts).filter { $0.event == .egressUsed }
        #expect(requests.map(\.count) == [3] && requests.map(\.statuses) == [["2xx": 2, "none": 1]])
        #expect(try await fixture.kinds() == [])
      }
    }
  }

  @Test("after a crash at any write, the log is whole, and each count is what the log and the vault had")
  func survivesEveryCrash() async throws {
    let points = try await crashPoints(home) { fixture in
      for round in 1...4 as ClosedRange<UInt64> {
        fixture.issueToken(token: round, count: 2)
        let requests = (0..<2).map { _ in fixture.send(connection: round) }
        fixture.records.recordGrant(
          .grantMade, account: "work", id: "g\(round)", by: .init(id: round, pid: 0), Caller())
        await fixture.record(1)
        fixture.end(requests[0], status: 200)
        fixture.issueToken(token: round, count: 3)
        await fixture.log.flush()
        // A new hour, or a new file as well.
        home.clock.advance(by: .seconds(round == 2 ? 8 * 86_400 : 3600))
        await fixture.record(1)
        if round == 1 {
          await fixture.log.vaultCloses()
          fixture.log.vaultOpened()
        }
      }
    }
    #expect(points.count > 30)
    for (number, point) in points.enumerated() {
      try await withScratchDirectory { folder in
        let crashed = AuditEnvironment(folder: folder.path, clock: home.clock)
        crashed.storage.files = point.vault
        for (name, bytes) in point.files { try write(bytes, folder.path + "/" + name) }
        let expected = try await self.expected(crashed)
        try await withAudit(crashed) { (fixture: AuditFixture) async throws in
          #expect(try await fixture.kinds() == [], "\(number)")
          let listed = try await fixture.log.list(1000).entries.map(\.facts).filter { $0.handOut != nil }
          let found = Dictionary(listed.map { ($0.handOut, $0.count ?? 1) }) { _, _ in 0 }
          #expect(found == expected, "\(number)")
          for facts in listed where facts.event == .egressUsed {
            #expect(facts.count == facts.statuses?.values.reduce(0, +), "\(number)")
          }
        }
        // The second start has nothing to do.
        try await withAudit(crashed) { fixture async throws in #expect(try await fixture.kinds() == [], "\(number)") }
      }
    }
  }

  /// The vault's files and those of the log, by name.
  private struct CrashPoint: Sendable {
    var vault: [String: [UInt8]]
    var files: [String: [UInt8]]
  }

  /// Runs `body`, and returns what a crash could leave before and after each write to the vault, and in
  /// the middle of the write to the log before it.
  private func crashPoints(
    _ home: AuditEnvironment, _ body: (AuditFixture) async throws -> Void
  ) async throws -> [CrashPoint] {
    let points = Mutexed<[CrashPoint]>([])
    @Sendable func watch() {
      home.storage.beforeWrite {
        points.value.append(CrashPoint(vault: home.storage.files, files: contents(of: home.folder)))
        watch()
        return nil
      }
    }
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      watch()
      try await body(fixture)
      points.value.append(CrashPoint(vault: home.storage.files, files: contents(of: home.folder)))
    }
    let seen = points.value.dropLast()
    let after = zip(seen, seen.dropFirst()).map { CrashPoint(vault: $1.vault, files: $0.files) }
    let torn = zip(seen, seen.dropFirst()).compactMap { before, now -> CrashPoint? in
      var torn = now
      for (name, bytes) in now.files where name.hasSuffix(".log") {
        let size = before.files[name]?.count ?? 0
        if bytes.count > size { torn.files[name] = Array(bytes.prefix((size + bytes.count) / 2)) }
      }
      return torn.files == now.files ? nil : torn
    }
    return seen + after + torn
  }

  /// The count of each series: the greater of those in the log and in the vault.
  private func expected(_ home: AuditEnvironment) async throws -> [UInt64?: UInt64] {
    let vault = try Vault.attach(home.storage, MachineID(bytes: [UInt8](repeating: 1, count: 16)), .argon2id)
    defer { vault.close() }
    let places = VaultPaths(keyFile: home.folder + "/vault.key", credential: nil, state: home.folder)
    _ = try AttachedVault(vault, places)
    let anchor = try? AuditAnchor.decoded(vault.load(AuditAnchor.record))
    let numbers = anchor?.files.map(\.number) ?? []
    let lines = numbers.flatMap { number in
      AuditLine.split((try? [UInt8](Data(contentsOf: URL(filePath: home.file(number))))) ?? []).lines
    }
    let facts = lines.compactMap { AuditLine($0)?.entry?.facts } + (anchor?.counts.map(\.entry) ?? [])
    return Dictionary(facts.filter { $0.handOut != nil }.map { ($0.handOut, $0.count ?? 1) }) { max($0, $1) }
  }

  @Test("files whose time was over when the agent crashed are removed, and are no finding")
  func removesExpiredFiles() async throws {
    try await withAudit(home, crashes: true) { (fixture: AuditFixture) async throws in
      for _ in 0..<3 {
        await fixture.record(1)
        home.clock.advance(by: .seconds(8 * 86_400))
      }
      await fixture.record(1)
      let anchor = try fixture.attached.vault.load(AuditAnchor.record)
      home.keepDays.value = 10
      await fixture.log.flush()
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.log).count == 3)
      try fixture.attached.vault.save(anchor, as: AuditAnchor.record)
    }
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      #expect(try await fixture.kinds() == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.log).count == 3)
    }
  }

  private func anchorAfterFlush(_ fixture: AuditFixture) async throws -> [UInt8] {
    await fixture.log.flush()
    return try fixture.attached.vault.load(AuditAnchor.record)
  }
}

/// The files below a folder, by their paths in it.
@Sendable private func contents(of folder: String) -> [String: [UInt8]] {
  let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
  return names.reduce(into: [:]) { $0[$1] = (try? Data(contentsOf: URL(filePath: folder + "/" + $1))).map(Array.init) }
}

/// Writes a private file and its folder.
private func write(_ bytes: [UInt8], _ path: String) throws {
  let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  try FileManager.default.createDirectory(
    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  try Data(bytes).write(to: URL(filePath: path))
  #expect(chmod(path, 0o600) == 0)
}
