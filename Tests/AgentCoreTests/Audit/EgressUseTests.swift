import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import SessionEngine

/// One entry for the requests of each process, account, grant and hour.
@Suite struct EgressUseTests {
  private var home: AuditEnvironment { .current }

  private let time = Timestamp(unixSeconds: 3600)

  private func entries(_ fixture: AuditFixture) async throws -> [AuditFacts] {
    try await fixture.log.list(1000).entries.map(\.facts).filter { $0.event == .egressUsed }
  }

  private func note(
    _ fixture: AuditFixture, _ account: String = "work", connection: UInt64 = 1, grant: String? = nil,
    status: Int? = 200
  ) {
    fixture.end(fixture.send(account, connection: connection, grant: grant), status: status)
  }

  @Test("an entry is written when its hour is over, with counts by status class and nothing else", .auditEnvironment)
  func writesAfterTheHour() async throws {
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      let begun = home.clock.wall
      for status in [200, 204, 301, 404, 500, 101, 42, nil] { note(fixture, status: status) }
      note(fixture, connection: 2)
      note(fixture, "home")
      note(fixture, grant: "g1", status: 201)
      await fixture.log.flush()
      home.clock.advance(by: .seconds(60))
      note(fixture)
      await fixture.log.flush()
      #expect(try await entries(fixture).isEmpty, "the hour is not over")
      let before = home.clock.wall
      home.clock.advance(by: .seconds(3600))
      note(fixture, status: 503)
      await fixture.log.flush()
      let found = try await entries(fixture)
      #expect(found.count == 4)
      let first = try #require(found.first { $0.count == 9 })
      #expect(first.statuses == ["1xx": 1, "2xx": 3, "3xx": 1, "4xx": 1, "5xx": 1, "other": 1, "none": 1])
      #expect(first.account == "work" && first.pid == 7 && first.detail == nil)
      #expect(first.first == begun && first.last == before && first.at == before)
      #expect(first.token == nil && first.handOut != nil && first.way == nil)
      #expect(
        Set(found.filter { $0.count == 1 }.map { "\($0.account ?? "") \($0.detail ?? "")" }) == [
          "work ", "home ", "work grant g1",
        ])
      #expect(try await fixture.kinds() == [])
    }
    let last = try home.lines().last
    #expect(last?.contains(#""statuses":{"5xx":1}"#) == true, "a stop writes the present hour")
  }

  @Test("the program is the one that was looked up, even if its connection has closed since")
  func namesTheProgram() async throws {
    let lookUp = CallerLookup()
    let table = IssuedTokens(ConnectionCallers(lookUp))
    let connection = IssuedTokens.Connection(id: table.callers.nextConnectionID(), pid: getpid())
    let first = table.send(account: "a", to: connection, at: time)
    #expect(first.needsCaller, "the lookup has not begun")
    table.callers.lookUpCaller(of: connection)
    #expect(!table.send(account: "b", to: connection, at: time).needsCaller)
    table.callers.closed(connection.id)
    let taken = table.take().noted
    #expect(taken.count == 2 && taken.allSatisfy { $0.1?.executable != nil && $0.0.facts.statuses == nil })
    #expect(table.take().noted.isEmpty)
    // The status of a request in flight is counted with its program, in the hour in which it was sent.
    table.end(first.request, status: nil, at: time)
    let late = table.take().noted
    #expect(late.count == 1 && late[0].1?.executable != nil && late[0].0.facts.count == 0)
    #expect(late[0].0.facts.statuses == ["none": 1])
    await lookUp.close()
  }

  @Test("the status of a request that is in flight when its hour ends is counted in that hour", .auditEnvironment)
  func countsAcrossTheHour() async throws {
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      let hour = IssuedTokens.hour(of: home.clock.wall)
      home.clock.advance(by: .seconds((hour + 1) * 3600 - 1 - home.clock.wall.unixSeconds))
      let sent = home.clock.wall
      let (first, second) = (fixture.send(), fixture.send())
      note(fixture)
      home.clock.advance(by: .seconds(6))
      await fixture.log.flush()
      // The entry of the hour does not wait for a slow response.
      #expect(try home.lines().last?.contains(#""count":3"#) == true)
      #expect(try home.lines().last?.contains(#""statuses":{"2xx":1}"#) == true)
      fixture.end(first, status: 404)
      await fixture.log.flush()
      let lines = try home.lines().count
      #expect(try await entries(fixture).map(\.statuses) == [["2xx": 1, "4xx": 1]])
      note(fixture, status: 503)
      fixture.end(second, status: nil)
      await fixture.log.flush()
      #expect(try home.lines().count == lines + 1)
      let found = try await entries(fixture)
      #expect(found.map(\.statuses) == [["2xx": 1, "4xx": 1, "none": 1]] && found.map(\.count) == [3])
      #expect(found[0].first == sent && found[0].last == sent && found[0].pid == 7)
      #expect(try await fixture.kinds() == [])
    }
    #expect(try home.lines().last?.contains(#""statuses":{"5xx":1}"#) == true)
  }

  @Test("a request that is in flight at a crash or a lock gets no response any more", .auditEnvironment)
  func countsAtTheEnd() async throws {
    try await withAudit(home, crashes: true) { (fixture: AuditFixture) async throws in
      _ = (fixture.send(), fixture.send())
      note(fixture)
      await fixture.log.flush()
    }
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      #expect(try await entries(fixture).map(\.statuses) == [["2xx": 1, "none": 2]])
      _ = fixture.send()
      await fixture.log.vaultCloses()
      fixture.log.vaultOpened()
      #expect(try await entries(fixture).map(\.statuses) == [["2xx": 1, "none": 2], ["none": 1]])
    }
  }

  @Test("a lock writes what is counted; a crash loses what the last second brought", .auditEnvironment)
  func survives() async throws {
    try await withAudit(home, crashes: true) { (fixture: AuditFixture) async throws in
      note(fixture)
      await fixture.log.vaultCloses()
      #expect(try home.lines().last?.contains(#""event":"egressUsed""#) == true)
      note(fixture, status: 404)
      fixture.log.vaultOpened()
      note(fixture, status: 404)
      await fixture.log.flush()
      for _ in 0..<50 { note(fixture, status: 500) }
    }
    try await withAudit(home) { (fixture: AuditFixture) async throws in
      #expect(try await entries(fixture).map(\.statuses) == [["2xx": 1], ["4xx": 2]])
      #expect(try await fixture.kinds() == [])
    }
  }

  @Test("a request that does not fit is counted as lost, once; a status after its count was closed is in the log")
  func isBounded() {
    let table = IssuedTokens()
    func send(_ id: Int) -> IssuedTokens.Request {
      table.send(account: "a", to: .init(id: UInt64(id), pid: 1), at: time).request
    }
    let requests = (0...IssuedTokens.bound).map(send)
    table.end(requests[IssuedTokens.bound], status: 200, at: time)
    let taken = table.take()
    #expect(taken.noted.count == IssuedTokens.bound && taken.lost == [.issuedTokens: 1])
    var ledger = IssuedTokenLedger()
    var entries = taken.noted.flatMap { ledger.count($0.0, nil) } + ledger.trim()
    table.end(requests[0], status: 404, at: time)
    entries += table.take().noted.flatMap { ledger.count($0.0, nil) } + ledger.closeAll()
    #expect(entries.reduce(0) { $0 + ($1.count ?? 0) } == UInt64(IssuedTokens.bound))
    #expect(entries.filter { $0.count == 0 }.map(\.statuses) == [["4xx": 1]])
  }

  @Test("grants: who made one, and why it ended")
  func recordsGrants() {
    let records = Records(clock: ManualClock())
    let (connection, caller) = (IssuedTokens.Connection(id: 1, pid: 5), Caller(start: 1, unit: "a.service"))
    records.recordGrant(.grantMade, account: "work", id: "g\n1", by: connection, caller)
    records.recordGrant(.grantEnded, account: "work", id: "g1", reason: "expired", by: connection, caller)
    let facts = records.audit.pending().entries
    #expect(facts.map(\.event) == [.grantMade, .grantEnded])
    #expect(facts.allSatisfy { $0.account == "work" && $0.pid == 5 && $0.unit == "a.service" && $0.count == nil })
    #expect(facts.map(\.detail) == ["grant g\\u{a}1", "grant g1: expired"])
  }
}
