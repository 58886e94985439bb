import AgentConfiguration
import AgentProtocol
import Dispatch
import FoundationEssentials
import Glibc
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import SessionEngine

@Suite struct IssuedTokenTests {
  private var folder: URL { scratchDirectory }

  private var home: AuditEnvironment { .current }
  private var fixture: AuditFixture { .current }

  private func issuedTokens(_ fixture: AuditFixture) async throws -> [AuditFacts] {
    try await fixture.log.list(1000).entries.map(\.facts).filter { $0.event == .tokenIssued }
  }

  @Test(.audit) func countsEachProcessAccountAndToken() async throws {
    let begun = home.clock.wall
    fixture.issueToken(count: 3)
    fixture.issueToken(connection: 2)
    fixture.issueToken("home")
    fixture.issueToken(token: 2)
    await fixture.log.flush()
    home.clock.advance(by: .seconds(5))
    fixture.issueToken(count: 4)
    await fixture.log.flush()
    let found = try await issuedTokens(fixture)
    #expect(found.count == 4)
    let first = try #require(found.first { $0.account == "work" && $0.count == 7 })
    #expect(first.first == begun)
    #expect(first.last == home.clock.wall)
    #expect(found.count { $0.count == 1 } == 3)
    #expect(Set(found.map(\.token)) == ["0000000000000001", "0000000000000002"])
    #expect(try home.lines().count == 5, "a count that grows costs no line")
    #expect(fixture.records.issuedTokens.served == [.token: 10])
  }

  @Test("a count is in the vault within a second and survives a crash", .auditEnvironment)
  func countsSurviveACrash() async throws {
    try await withAudit(home, crashes: true) { (fixture: AuditFixture) async throws in
      fixture.issueToken()
      await fixture.log.flush()
      fixture.issueToken(count: 8)
      await fixture.log.flush()
      fixture.issueToken(count: 100)
    }
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      #expect(try await issuedTokens(fixture).map(\.count) == [9])
      #expect(try await fixture.kinds() == [])
    }
  }

  @Test(
    "the final count is written as an entry when the hour ends, and costs a busy program two entries an hour",
    .audit)
  func closesAfterAnHour() async throws {
    for _ in 0..<600 {
      fixture.issueToken(count: 6)
      await fixture.log.flush()
      home.clock.advance(by: .seconds(6))
    }
    #expect(try home.lines().count == 2, "the first entry")
    await fixture.log.flush()
    #expect(try home.lines().count == 3)
    #expect(try home.lines().last?.contains("\"count\":3600") == true)
    fixture.issueToken()
    #expect(try await issuedTokens(fixture).map(\.count) == [3600, 1])
    #expect(try await fixture.kinds() == [])
  }

  @Test("the newest entry is last, also where a count has grown after a later entry was written", .audit)
  func listsNewestLast() async throws {
    fixture.issueToken()
    await fixture.log.flush()
    home.clock.advance(by: .seconds(5))
    await fixture.record(1)
    home.clock.advance(by: .seconds(5))
    fixture.issueToken()
    #expect(try await fixture.events().suffix(2) == [.signedIn, .tokenIssued])
  }

  @Test(
    "the final count is written when the process has ended, and when the account has another token", .audit)
  func closesWithProcessAndToken() async throws {
    let caller = Caller(start: Caller.startTime(of: getpid()), executable: "/own")
    let gone = Caller(start: 1, executable: "/gone")
    fixture.records.issuedTokens.callers.opened(1, caller)
    fixture.records.issuedTokens.callers.opened(2, gone)
    for _ in 0..<2 {
      for id in [1, 2] as [UInt64] { fixture.issueToken(connection: id, pid: getpid()) }
      _ = fixture.records.audit.pending()
    }
    await fixture.log.flush()
    func written() throws -> [String] { try home.lines().filter { $0.contains(#""count":2"#) } }
    #expect(try written().count == 1 && written()[0].contains("/gone"))
    home.clock.advance(by: .seconds(1))
    fixture.issueToken(token: 2, pid: getpid())
    await fixture.log.flush()
    #expect(try written().count == 2 && written()[1].contains("/own"))
    #expect(try await issuedTokens(fixture).compactMap(\.count).sorted() == [1, 2, 2])
    #expect(try await fixture.kinds() == [])
  }

  @Test("the ledger is bounded, and an evicted count is kept in the log")
  func ledgerIsBounded() {
    var (ledger, entries) = (IssuedTokenLedger(), [AuditFacts]())
    let table = IssuedTokens()
    for _ in 0..<2 {
      for id in 1...1000 as ClosedRange<UInt64> {
        table.note(
          .init(account: "a", way: .token, fingerprint: 1), to: .init(id: id, pid: 1), at: .init(unixSeconds: 1))
      }
      entries += table.take().noted.flatMap { ledger.count($0.0, nil) }
    }
    entries += ledger.trim()
    #expect(ledger.open.count == IssuedTokenLedger.maxOpen)
    entries += ledger.closeAll()
    let counts = Dictionary(grouping: entries, by: \.handOut).values.map { $0.compactMap(\.count).max() }
    #expect(counts == [UInt64?](repeating: 2, count: 1000))
  }

  @Test("the table is bounded and reports how many entries did not fit")
  func tableIsBounded() {
    let table = IssuedTokens()
    for number in 0..<(IssuedTokens.bound + 5) {
      table.note(
        .init(account: "a", way: .token, fingerprint: 1), to: .init(id: UInt64(number), pid: 1),
        at: Timestamp(unixSeconds: 1))
    }
    let taken = table.take()
    #expect(taken.noted.count == IssuedTokens.bound)
    #expect(taken.lost == [.issuedTokens: 5])
    #expect(table.take().noted.isEmpty)
  }

  @Test("all connections of a process are counted together, with one caller lookup until the next call")
  func countsProcesses() async throws {
    let lookUp = CallerLookup()
    let table = IssuedTokens(ConnectionCallers(lookUp))
    let token = IssuedTokens.Token(account: "a", way: .token, fingerprint: 1)
    let time = Timestamp(unixSeconds: 1)
    func note(_ id: UInt64, process: UInt64?, account: String = "a") -> Bool {
      let connection = IssuedTokens.Connection(id: id, pid: getpid(), process: process)
      table.callers.opened(id)
      let needsCaller = table.note(
        .init(account: account, way: .token, fingerprint: token.fingerprint), to: connection, at: time)
      if needsCaller { table.callers.lookUpCaller(of: connection) }
      table.callers.closed(id)
      return needsCaller
    }
    #expect(note(1, process: 70) && !note(2, process: 70) && !note(3, process: 70))
    #expect(note(4, process: 71), "another process with the same pid")
    #expect(note(5, process: 70, account: "b"), "another entry of the log")
    #expect(note(6, process: nil) && note(7, process: nil), "without an identity, each connection counts")
    let taken = table.take().noted
    #expect(taken.map(\.0.facts.count) == [3, 1, 1, 1, 1] && taken.allSatisfy { $0.1?.executable != nil })
    #expect(table.served == [.token: 7])
    #expect(note(8, process: 70), "it may run another program by now")
    #expect(table.served == [.token: 8])
    await lookUp.close()
  }

  @Test("the caller is looked up by its pid: executable without arguments, unit, start time")
  func looksUpTheCaller() async throws {
    let lookUp = CallerLookup()
    let table = IssuedTokens(ConnectionCallers(lookUp))
    let token = IssuedTokens.Token(account: "a", way: .token, fingerprint: 1)
    let connection = IssuedTokens.Connection(id: 7, pid: getpid())
    table.callers.opened(7)
    #expect(table.note(token, to: connection, at: Timestamp(unixSeconds: 1)))
    table.callers.lookUpCaller(of: connection)
    table.callers.closed(7)
    let caller = try #require(table.take().noted.first?.1)
    #expect(caller.executable == (try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")))
    #expect(try #require(caller.start) > 0)
    // A token issued after its connection has closed has no caller, but is still logged.
    table.note(token, to: connection, at: Timestamp(unixSeconds: 1))
    let late = table.take().noted
    #expect(late.count == 1 && late.first?.1 == nil)
    #expect(Caller(pid: 0) == Caller())
    #expect(Caller(pid: Int32.max) == Caller())
    await lookUp.close()
  }

  @Test func readsProc() {
    let stat = "12 (a b) c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20 21"
    #expect(Caller.start(stat) == 4711)
    #expect(Caller.start("12 (a") == nil)
    #expect(Caller.start("") == nil)
  }

  @Test(
    "the unit is the first one below the user manager, as in systemd; cgroups below it belong to the program",
    arguments: [
      ("user.slice/user-1000.slice/user@1000.service/app.slice/app-tool.scope/child", "app-tool.scope"),
      ("user.slice/user-1000.slice/user@1000.service/app.slice/a.service/b.service", "a.service"),
      ("user.slice/user-1000.slice/user@1000.service/app.slice/a.service/b.slice/c.scope", "a.service"),
      ("user.slice/user-1000.slice/user@1000.service/a.service/user@1000.service/b.service", "a.service"),
      ("user.slice/user-1000.slice/user@1000.service/app.slice/app-x.slice/_a.service/x", "a.service"),
      ("user.slice/user-1000.slice/user@1000.service/app.slice/a.socket/b.service", "a.socket"),
      ("user.slice/user-1000.slice/user@1000.service/init.scope", "init.scope"),
      ("user.slice/user-1000.slice/user@1000.service", nil),
      ("user.slice/user-1000.slice/session-3.scope", "session-3.scope"),
      ("user.slice/user-1000.slice/session-3.scope/a.service", "session-3.scope"),
      ("system.slice/cron.service/a.service", "cron.service"), ("cron.service", "cron.service"),
      ("", nil), ("app.slice", nil), ("lxc/x/a.service/b.service", "a.service"), (".service/a.service", "a.service"),
    ] as [(String, String?)])
  func readsTheUnit(path: String, unit: String?) { #expect(CallerUnit.name(in: "0::/\(path)\n", root: "") == unit) }

  @Test("a container's root is not part of the path, and cgroup v1 names no unit")
  func readsUnitsWhereTheyAre() {
    let inside = "0::/machine.slice/c.scope/payload/user.slice/user-1.slice/user@1.service/app.slice/a.service\n"
    #expect(CallerUnit.name(in: inside, root: "/machine.slice/c.scope/payload") == "a.service")
    #expect(CallerUnit.name(in: inside, root: "/machine.slice/c.sc") == "c.scope")
    #expect(CallerUnit.root(of: "0::/machine.slice/c.scope/payload/init.scope\n") == "/machine.slice/c.scope/payload")
    #expect(CallerUnit.root(of: "0::/init.scope\n") == "" && CallerUnit.root(of: "0::/\n") == "")
    #expect(CallerUnit.name(in: "1:cpu:/x.service\n", root: "") == nil)
    #expect(CallerUnit.isReadable(in: "0::/user.slice\n"))
    #expect(CallerUnit.isReadable(in: "0::/\n"))
    #expect(!CallerUnit.isReadable(in: "11:memory:/user.slice\n1:name=systemd:/user.slice/x.service\n"))
    #expect(!CallerUnit.isReadable(in: "1:name=systemd:/user.slice/x.service\n0::/\n"))
    // In the hybrid hierarchy systemd maintains both.
    #expect(CallerUnit.isReadable(in: "1:name=systemd:/user.slice/x.service\n0::/user.slice/x.service\n"))
  }

  @Test("where the executable cannot be read, the process's own name is logged, as its own", .scratchDirectory)
  func logsTheName() async throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/9", withIntermediateDirectories: true)
    try "9 (a) \u{202E}b) S \((0..<20).map { "\($0)" }.joined(separator: " "))"
      .write(toFile: folder.path + "/9/stat", atomically: true, encoding: .utf8)
    let caller = Caller(pid: 9, proc: folder.path)
    #expect(caller.executable == nil && caller.comm == "a) \\u{202e}b")
    var facts = AuditFacts(.tokenIssued)
    facts.take(.init(id: 1, pid: 9), caller)
    #expect(facts.comm == caller.comm && facts.executable == nil)
    facts.take(.init(id: 1, pid: 9), Caller(executable: "/bin/x"))
    #expect(facts.comm == nil && facts.executable == "/bin/x")
    #expect(Caller(pid: getpid()).comm == nil)
  }

  @Test("PR-3: a process that ends as soon as it has its answer is named, however busy the machine is")
  func namesAProcessThatEnds() async throws {
    let lookUp = CallerLookup()
    let table = IssuedTokens(ConnectionCallers(lookUp))
    // The thread for lookups does not get to run before the process has ended.
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let isBusy = DispatchSemaphore(value: 0)
    async let busy: Void? = lookUp.run {
      end.finish()
      isBusy.wait()
    }
    for await _ in ended {}
    try await withScratchDirectory { folder in
      let child = try RunningProgram("/bin/sleep", ["infinity"], environment: [:], folder: folder)
      let connection = IssuedTokens.Connection(id: table.callers.nextConnectionID(), pid: child.pid)
      let isNeeded = table.note(
        .init(account: "a", way: .token, fingerprint: 1), to: connection, at: Timestamp(unixSeconds: 1))
      #expect(isNeeded && table.take().noted.isEmpty, "no entry before the lookup")
      table.callers.lookUpCaller(of: connection, PeerProcess(.accepted(SystemClock().now)))
      await child.stop()
    }
    isBusy.signal()
    _ = await busy
    let caller = try #require(table.take().noted.first?.1)
    #expect(caller.executable == "/usr/bin/sleep" || caller.executable == "/bin/sleep", "\(caller)")
    #expect(caller.start != nil && caller.unitName == Caller(pid: getpid()).unitName)
    await lookUp.close()
  }

  @Test("PR-6: a program's path is escaped and bounded", .scratchDirectory)
  func pathsAreHarmless() async throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/9", withIntermediateDirectories: true)
    let path = "/tmp/" + String(repeating: "\u{202E}\n", count: 1000)
    #expect(symlink(path, folder.path + "/9/exe") == 0)
    try "9 (x) S \((0..<20).map { "\($0)" }.joined(separator: " "))"
      .write(toFile: folder.path + "/9/stat", atomically: true, encoding: .utf8)
    let shown = try #require(Caller(pid: 9, proc: folder.path).executable)
    #expect(shown.utf8.count <= 1000)
    #expect(shown.hasPrefix("/tmp/\\u{202e}\\u{a}"))
    #expect(!shown.contains("\n"))
  }
}
