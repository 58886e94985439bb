import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport
import TestKit
import Testing

@testable import AccessControl

/// Issue 5, point 9: tampering with the log is detected, with a finding for each kind.
@Suite struct AuditTamperTests {
  private var home: AuditEnvironment { .current }
  private var fixture: AuditFixture { .current }

  /// A log with entry 1 (file begun) and entries 2 to 11.
  private func withEntries(_ body: (AuditFixture) async throws -> Void) async throws {
    try await withAuditEnvironment { home in
      try await withAudit(home) { (fixture: AuditFixture) async throws in
        await fixture.record(10)
        let result = try await fixture.log.verify()
        #expect(result.isWhole)
        #expect(result.fitting == 11)
        #expect(result.sealed == 11)
        #expect(result.unsealed == 0)
        #expect(result.interruptions == [])
        try await body(fixture)
      }
    }
  }

  private func finding(_ kind: String, _ first: UInt64?, _ last: UInt64?, file: Int = 1) -> AuditVerify.Finding {
    AuditVerify.Finding(kind: kind, file: AuditFile.name(file), first: first, last: last)
  }

  @Test("each change of entries is found, with its place")
  func findsEachChange() async throws {
    let changes: [(String, ClosedRange<UInt64>, (inout [String]) -> Void)] = [
      ("edited", 5...5, { $0[4] = $0[4].replacing("\"work\"", with: "\"home\"") }),
      ("edited", 5...5, { $0[4] = "what" }),
      ("removed", 4...5, { $0.removeSubrange(3...4) }),
      ("reordered", 4...4, { $0.swapAt(3, 4) }),
      ("repeated", 4...4, { $0.insert($0[3], at: 4) }),
      ("cut", 9...11, { $0.removeLast(3) }),
    ]
    try await withEntries { (fixture: AuditFixture) async throws in
      let text = try fixture.home.text()
      for (kind, entries, change) in changes {
        try fixture.home.replaceLines(change: change)
        #expect(try await fixture.log.verify().findings == [finding(kind, entries.lowerBound, entries.upperBound)])
        try fixture.home.replace(with: text)
      }
    }
  }

  @Test("a change to any byte of an entry is detected")
  func everyByteCounts() async throws {
    try await withEntries { (fixture: AuditFixture) async throws in
      let lines = try fixture.home.lines()
      let target = Array(lines[4].utf8)
      for index in target.indices {
        var changed = target
        changed[index] ^= 1
        if changed[index] == UInt8(ascii: "\n") { continue }
        var all = lines
        all[4] = String(decoding: changed, as: UTF8.self)
        try fixture.home.replace(with: all.map { $0 + "\n" }.joined())
        #expect(try await !fixture.log.verify().isWhole, "byte \(index)")
      }
    }
  }

  @Test("startup verifies the two newest files, and checks that the others exist", .auditEnvironment)
  func theNewestFilesAreCheckedAtAStart() async throws {
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      for _ in 0..<3 {
        await fixture.record(1)
        home.clock.advance(by: .seconds(8 * 86_400))
      }
      await fixture.record(1)
      #expect(await fixture.log.freshComplaints() == [])
    }
    func edit(_ number: Int) throws {
      try home.replaceLines(number) { $0[1] = $0[1].replacing("\"work\"", with: "\"home\"") }
    }
    for number in [2, 3, 4] { try edit(number) }
    try FileManager.default.removeItem(atPath: home.file(1))
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      let names = [(1, "missingFile"), (4, "edited")].map { "\(AuditFile.name($0)) (\($1))" }
      #expect(
        fixture.log.complaints == [
          "the audit log's directory has damaged files: \(names.joined(separator: ", ")): ritualctl audit --verify"
        ])
      #expect(try await fixture.kinds() == ["missingFile", "edited", "edited", "edited"])
    }
  }

  @Test(
    "the MAC of the last entry is in the anchor: another end that was written with the same key is found",
    .auditEnvironment)
  func findsAnotherEnd() async throws {
    try await withAudit(home) { await $0.record(1) }
    let (vault, text) = (home.storage.files, try home.text())
    try await withAudit(home) { $0.records.record(.rekeyed) }
    let other = try home.text()
    home.storage.files = vault
    try home.replace(with: text)
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      await fixture.record(1)
      #expect(try await fixture.kinds() == [])
      try home.replace(with: other)
      #expect(try await fixture.log.verify().findings == [finding("edited", 3, 3)])
    }
  }

  @Test(
    "an older anchor that is put back is an interruption, and is found if a file was begun since", .auditEnvironment)
  func findsAnOlderAnchor() async throws {
    try await withAudit(home) { await $0.record(1) }
    let older = home.storage.files
    try await withAudit(home) { await $0.record(1) }
    home.storage.files = older
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      let result = try await fixture.log.verify()
      #expect(result.isWhole && result.interruptions == [3])
      home.clock.advance(by: .seconds(8 * 86_400))
      await fixture.record(1)
    }
    home.storage.files = older
    try await withAudit(home) { fixture async throws in #expect(try await fixture.kinds() == ["unknownFile"]) }
  }

  @Test("a truncation while the agent is stopped is found, and the chain continues in a new file", .auditEnvironment)
  func cutWhileStopped() async throws {
    try await withAudit(home) { await $0.record(5) }
    try home.replaceLines { $0.removeLast(2) }
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      await fixture.record(1)
      #expect(try await fixture.log.verify().findings == [finding("cut", 5, 6)])
      #expect(try home.lines(2).count == 2)
      #expect(try home.lines(2)[0].contains("the previous file was modified"))
    }
  }

  @Test(.auditEnvironment) func aForgedEntryAtTheEndIsFound() async throws {
    try await withAudit(home) { await $0.record(2) }
    try home.replaceLines { $0.append($0[2].replacing("\"sequence\":3", with: "\"sequence\":4")) }
    try await withAudit(home) { fixture async throws in #expect(try await fixture.kinds() == ["edited"]) }
  }

  @Test(.audit) func exchangedFilesAreFound() async throws {
    await fixture.record(3)
    home.clock.advance(by: .seconds(8 * 86_400))
    await fixture.record(3)
    #expect(try await fixture.kinds() == [])
    let (first, second) = (try home.text(1), try home.text(2))
    try home.replace(1, with: second)
    try home.replace(2, with: first)
    let findings = try await fixture.log.verify().findings
    #expect(findings == [finding("exchanged", nil, nil), finding("exchanged", nil, nil, file: 2)])
  }

  @Test(.auditEnvironment) func missingAndUnknownFilesAreFound() async throws {
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      for _ in 0..<3 {
        await fixture.record(1)
        home.clock.advance(by: .seconds(8 * 86_400))
      }
      #expect(try await fixture.kinds() == [])
      #expect(rename(home.file(2), home.log + "/audit-000000.log") == 0)
      let unknown = AuditVerify.Finding(kind: "unknownFile", file: "audit-000000.log")
      #expect(try await fixture.log.verify().findings == [finding("missingFile", 3, 4, file: 2), unknown])
    }
    #expect(rename(home.file(1), home.log + "/kept") == 0)
    try await withAudit(home) { fixture async throws in
      #expect(try await fixture.kinds() == ["missingFile", "missingFile", "unknownFile", "unknownFile"])
    }
  }

  @Test("verification handles any bytes")
  func checkTakesAnyBytes() async throws {
    try await withEntries { (fixture: AuditFixture) async throws in
      var numbers = SystemRandomNumberGenerator()
      let good = try Array(fixture.home.text().utf8)
      for round in 0..<200 {
        var bytes = good
        for _ in 0..<Int.random(in: 1...20, using: &numbers) {
          let index = Int.random(in: 0..<bytes.count, using: &numbers)
          switch round % 3 {
          case 0: bytes[index] = UInt8.random(in: 0...255, using: &numbers)
          case 1: bytes.remove(at: index)
          default: bytes.insert(UInt8(ascii: "\n"), at: index)
          }
        }
        try Data(bytes).write(to: URL(filePath: fixture.home.file()))
        let isWhole = try await fixture.log.verify().isWhole
        #expect(isWhole == (bytes == good))
      }
    }
  }
}
