import AgentConfiguration
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

@Suite(.auditEnvironment) struct AuditLogTests {
  private var home: AuditEnvironment { .current }
  private var fixture: AuditFixture { .current }

  @Test("files are 0600 in a directory of 0700, and the log continues after a restart")
  func goesOn() async throws {
    try await withAudit(home) { await $0.record(2) }
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      await fixture.record(1)
      let result = try await fixture.log.verify()
      #expect(result.isWhole)
      #expect(result.sealed == 4)
      #expect(result.interruptions == [])
      #expect(try home.lines().count == 4)
    }
    var status = stat()
    #expect(stat(home.log, &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(stat(home.file(), &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("a log that others can read is not written; pending entries are written once the mode is fixed")
  func refusesAnOpenFile() async throws {
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      await fixture.record(1)
      #expect(chmod(home.log, 0o755) == 0)
      await fixture.record(1)
      #expect(try home.lines().count == 3, "the open file goes on")
    }
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      #expect(fixture.log.complaints.first?.contains("chmod 700") == true)
      fixture.records.record(.rekeyed)
      #expect(await fixture.log.flush() == false)
      #expect(chmod(home.log, 0o700) == 0)
      #expect(await fixture.log.flush())
      #expect(fixture.log.complaints == [])
      #expect(try await fixture.events().last == .rekeyed)
      #expect(try await fixture.kinds() == [])
    }
  }

  @Test("after a crash a torn line is cut and reported, later lines are kept, the chain continues")
  func survivesACrash() async throws {
    try await withAudit(home, crashes: true) { (fixture: AuditFixture) async throws in
      await fixture.record(2)
      // This anchor is restored below, as if a crash had come before it was saved again.
      let sealed = try fixture.attached.vault.load(AuditAnchor.record)
      await fixture.record(1)
      try fixture.attached.vault.save(sealed, as: AuditAnchor.record)
      try home.replace(with: try home.text() + #"{"sequence":5,"acc"#)
    }
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      let result = try await fixture.log.verify()
      #expect(result.isWhole)
      #expect(result.interruptions == [4])
      let last = try await fixture.log.list(10).entries.last
      #expect(last?.facts.event == .interrupted)
      #expect(last?.sequence == 5)
      #expect(last?.facts.detail?.contains("after entry 4; 18 bytes") == true)
      #expect(try home.lines().count == 5)
    }
  }

  /// How much of a file with one entry a crash leaves.
  enum Remainder: CaseIterable { case nothing, emptyFile, tornEntry, entry, entries }

  @Test(
    "after a crash while a file is started, the log is whole", .auditEnvironment, arguments: [1, 2], Remainder.allCases)
  func survivesACrashInAStart(number: Int, remainder: Remainder) async throws {
    try await withAudit(home, crashes: true) { (fixture: AuditFixture) async throws in
      await fixture.record(1)
      for _ in 1..<number {
        home.clock.advance(by: .seconds(8 * 86_400))
        await fixture.record(1)
      }
      try fixture.anchorStart(of: number)
    }
    try home.leave(remainder, of: number)
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      await fixture.record(1)
      let result = try await fixture.log.verify()
      #expect(result.findings.isEmpty)
      #expect(fixture.log.complaints.isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.log).count == number)
    }
  }

  @Test("rotation by size continues the chain: the next file names the last MAC", .audit)
  func rotatesBySize() async throws {
    // An entry has about 200 bytes, so 6,000 entries exceed one file.
    for _ in 0..<6 { await fixture.record(1000) }
    let result = try await fixture.log.verify()
    #expect(result.isWhole)
    #expect(result.fitting == 6002)
    let size = try FileManager.default.attributesOfItem(atPath: home.file())[.size] as? Int
    #expect(try #require(size) <= AuditWriter.fileLimit)
    let (ended, begun) = (try home.lines().last ?? "", try home.lines(2).first ?? "")
    let last = try #require(AuditLine(Array(ended.utf8)))
    let first = try #require(AuditLine(Array(begun.utf8)))
    #expect(first.sequence == last.sequence + 1)
    #expect(first.entry?.facts.previous == last.mac)
    let listed = try await fixture.log.list(10_000)
    #expect(listed.entries.map(\.sequence) == Array(1...6002))
    #expect(!listed.more)
    let few = try await fixture.log.list(3)
    #expect(few.entries.map(\.sequence) == [6000, 6001, 6002])
    #expect(few.more)
  }

  @Test("LK-3: keep_days removes whole files, and verification knows the first entry that is kept", .audit)
  func removesOldFiles() async throws {
    for _ in 0..<4 {
      await fixture.record(1)
      home.clock.advance(by: .seconds(30 * 86_400))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.log).count == 4)
    home.keepDays.value = 40
    await fixture.record(1)
    let left = try FileManager.default.contentsOfDirectory(atPath: home.log).sorted()
    #expect(left == [3, 4, 5].map(AuditFile.name))
    let result = try await fixture.log.verify()
    #expect(result.isWhole)
    #expect(result.first == 5)
    #expect(fixture.attached.vault.names() == [AuditAnchor.record, AuditAnchor.keyRecord])
  }

  @Test("VA-4: while the vault is locked, entries wait in a bounded queue until the unlock", .audit)
  func waitsWhileLocked() async throws {
    await fixture.record(1)
    await fixture.log.vaultCloses()
    fixture.attached.vault.lock()
    for _ in 0..<1030 { fixture.records.record(.rekeyed) }
    await fixture.log.flush()
    #expect(try home.lines().count == 2)
    await #expect(throws: AgentError.self) { try await fixture.log.verify() }
    #expect(try await fixture.events() == [.fileBegun, .signedIn], "the list needs no key")
    try fixture.attached.vault.unlock(with: fixture.attached.places.files(opening: fixture.attached.vault.condition))
    fixture.log.vaultOpened()
    await fixture.log.flush()
    #expect(try home.lines().count == 3 + AuditQueue.bound)
    let lost = try await fixture.log.list(1).entries.first?.facts
    #expect(lost?.event == .entriesLost)
    #expect(lost?.count == 6)
    #expect(try await fixture.kinds() == [])
    #expect(try await fixture.log.verify().interruptions == [])
  }

  @Test("while the disk fails, entries wait in memory and none is lost", .audit)
  func waitsForTheDisk() async throws {
    await fixture.record(1)
    // Writes fail from here on: a regular file replaces the directory, and the log file is
    // unlinked.
    #expect(rename(home.log, home.log + "-away") == 0)
    try Data().write(to: URL(filePath: home.log))
    #expect(unlink(home.log + "-away/" + AuditFile.name(1)) == 0)
    await fixture.record(2)
    #expect(!fixture.log.complaints.isEmpty)
    #expect(unlink(home.log) == 0)
    #expect(await fixture.log.flush())
    #expect(try await fixture.events() == [.fileBegun, .signedIn, .signedIn])
    #expect(try await fixture.kinds() == ["missingFile"])
  }

  @Test("a full disk when the next file is begun loses no entry, and leaves no other file", .audit)
  func beginsAFileAfterAFullDisk() async throws {
    await fixture.record(1)
    home.clock.advance(by: .seconds(8 * 86_400))
    // The write fails when the file exists already, because of the mode, and leaves it empty.
    home.storage.beforeWrite { [home] in
      try? Data().write(to: URL(filePath: home.file(2)))
      _ = chmod(home.file(2), 0o644)
      return nil
    }
    await fixture.record(2)
    #expect(!fixture.log.complaints.isEmpty)
    #expect(await fixture.log.flush())
    #expect(try await fixture.events() == [.fileBegun, .signedIn, .fileBegun, .signedIn, .signedIn])
    #expect(try await fixture.kinds() == [])
  }

  @Test("a rekey keeps the log: it is intact afterwards, and after the next start", .auditEnvironment)
  func survivesARekey() async throws {
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      await fixture.record(1)
      let vault = fixture.attached.vault
      try vault.rekey(present: fixture.attached.places.files(opening: vault.condition))
      await fixture.record(1)
      #expect(try await fixture.kinds() == [])
    }
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      #expect(try await fixture.kinds() == [])
      #expect(try await fixture.events() == [.fileBegun, .signedIn, .signedIn])
    }
  }

  @Test("a vault without an anchor of the log starts a new chain in a new file, which says so", .auditEnvironment)
  func beginsAnew() async throws {
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      await fixture.record(1)
      try fixture.attached.vault.delete(AuditAnchor.record)
    }
    try await withAudit(home, crashes: true) { try $0.attached.vault.delete(AuditAnchor.record) }
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      await fixture.record(1)
      #expect(try home.lines(2).first?.contains("no record of the earlier files") == true)
      #expect(try await fixture.kinds() == ["unknownFile"])
    }
    // Later starts report the files of the other chain again and leave them in place.
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      #expect(try await fixture.kinds() == ["unknownFile"])
    }
  }

  @Test(
    "an anchor that opens and does not decode is set aside and named, and a new chain begins", .auditEnvironment,
    arguments: ["", "{}", #"{"format":0}"#])
  func setsAnUnreadableAnchorAside(content: String) async throws {
    try await withAudit(home) { await $0.record(1) }
    try await withAudit(home, crashes: true) { (fixture: AuditFixture) async throws in
      try fixture.attached.vault.save(Array(content.utf8), as: AuditAnchor.record)
    }
    let sealed = home.storage.files
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      await fixture.record(1)
      let found = fixture.attached.vault.damaged
      let file = try #require(found.first?.file)
      #expect(found.count == 1 && found.first?.setAsideAs == file + ".damaged-1")
      for copy in [file, file + ".2"] { #expect(home.storage.files[copy + ".damaged-1"] == sealed[copy]) }
      #expect(try await fixture.events().contains(.signedIn))
    }
  }

  @Test("an anchor of a later format is not touched; entries wait, and the status says so", .auditEnvironment)
  func keepsALaterAnchor() async throws {
    try await withAudit(home) { await $0.record(1) }
    try await withAudit(home, crashes: true) { (fixture: AuditFixture) async throws in
      try fixture.attached.vault.save(Array("{\"format\":2,\"later\":1}".utf8), as: AuditAnchor.record)
    }
    let (before, text) = (home.storage.files, try home.text())
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      await fixture.record(1)
      #expect(fixture.log.complaints.contains { $0.contains("newer ritual-agent") })
      #expect(fixture.attached.vault.damaged.count == 1)
    }
    #expect(home.storage.files == before)
    #expect(try home.text() == text)
  }
}

extension AuditFixture {
  /// Stores the anchor as it is before the file's first entry is written.
  fileprivate func anchorStart(of number: Int) throws {
    let anchor = try AuditAnchor.decoded(attached.vault.load(AuditAnchor.record))
    let file = try #require(anchor.files.last)
    #expect(file.number == number)
    let (sequence, mac) = (file.first - 1, file.previous)
    let text = String(decoding: try WireCoding.encode(anchor), as: UTF8.self)
      .replacing(#""sequence":\#(anchor.sequence)"#, with: #""sequence":\#(sequence)"#)
      .replacing(#""mac":"\#(anchor.mac)""#, with: #""mac":"\#(mac)""#)
    try attached.vault.save(Array(text.utf8), as: AuditAnchor.record)
  }
}

extension AuditEnvironment {
  fileprivate func leave(_ remainder: AuditLogTests.Remainder, of number: Int) throws {
    let path = file(number)
    let lengths = try lines(number).map { $0.utf8.count + 1 }
    switch remainder {
    case .nothing: try FileManager.default.removeItem(atPath: path)
    case .emptyFile: #expect(truncate(path, 0) == 0)
    case .tornEntry: #expect(truncate(path, 1) == 0)
    case .entry: #expect(truncate(path, off_t(lengths[0])) == 0)
    case .entries: #expect(lengths.count > 1)
    }
  }
}
