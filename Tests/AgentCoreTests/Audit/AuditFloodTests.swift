import AgentProtocol
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentCore
@testable import SessionVault

/// PR-3: no number of other entries removes an issued token or a sign-in from the log.
@Suite(.auditEnvironment) struct AuditFloodTests {
  private var home: AuditEnvironment { .current }
  private var fixture: AuditFixture { .current }

  private func makeGrants(_ count: Int, _ records: Records, pid: Int32 = 5) {
    let (connection, caller) = (IssuedTokens.Connection(id: UInt64(pid), pid: pid), Caller(start: 1))
    for number in 0..<count {
      records.recordGrant(.grantMade, account: "work", id: "g\(number)", by: connection, caller)
      records.recordGrant(.grantEnded, account: "work", id: "g\(number)", reason: "revoked", by: connection, caller)
    }
  }

  @Test("18,500 grants made and revoked by one process are two entries, and hide no other", .audit)
  func grantsHideNothing() async throws {
    makeGrants(18_500, fixture.records)
    fixture.issueToken(connection: 9, pid: 9)
    fixture.records.record(.signedIn, account: "work")
    await fixture.log.flush()
    let found = try await fixture.log.list(10_000).entries.map(\.facts)
    #expect(found.contains { $0.event == .tokenIssued && $0.pid == 9 })
    #expect(found.contains { $0.event == .signedIn })
    #expect(found.filter { $0.event == .grantMade }.map(\.count) == [18_500])
    let ended = found.filter { $0.event == .grantEnded }
    #expect(ended.map(\.count) == [18_500])
    #expect(ended.map(\.detail) == ["grant g0: revoked"])
    #expect(!found.contains { $0.event == .entriesLost })
    #expect(try await fixture.kinds() == [])
  }

  @Test("entries of thousands of processes that do not fit are counted by kind, and hide no other kind", .audit)
  func eachKindHasRoom() async throws {
    await fixture.record(1)
    await fixture.log.vaultCloses()
    fixture.attached.vault.lock()
    for pid in 1...3000 as ClosedRange<Int32> { makeGrants(1, fixture.records, pid: pid) }
    for _ in 0..<(AuditQueue.bound + 7) { fixture.records.record(.rekeyed) }
    fixture.issueToken(connection: 9, pid: 9)
    fixture.records.record(.signedIn, account: "late")
    for _ in 0..<3 { await fixture.log.flush() }
    try fixture.attached.vault.unlock(with: fixture.attached.places.files(opening: fixture.attached.vault.condition))
    fixture.log.vaultOpened()
    let found = try await fixture.log.list(10_000).entries.map(\.facts)
    #expect(found.contains { $0.event == .tokenIssued && $0.pid == 9 })
    #expect(found.contains { $0.event == .signedIn && $0.account == "late" })
    let lost = found.filter { $0.event == .entriesLost }
    #expect(lost.map(\.detail) == ["grants and policy decisions", "other entries"])
    #expect(lost.map(\.count) == [6000 - UInt64(AuditQueue.bound), 7])
    #expect(try await fixture.kinds() == [])
  }

  @Test("the tokens of more processes than the queue has room for are all in the log", .audit)
  func issuedTokensHideNoIssuedToken() async throws {
    for id in 1...5000 as ClosedRange<UInt64> { fixture.issueToken(connection: id, count: 2) }
    await fixture.log.flush()
    let found = try await fixture.log.list(10_000).entries.map(\.facts)
    #expect(found.filter { $0.event == .tokenIssued }.map(\.count) == [UInt64?](repeating: 2, count: 5000))
    #expect(!found.contains { $0.event == .entriesLost })
    #expect(try await fixture.kinds() == [])
  }
}
