import AgentProtocol
import FoundationEssentials
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import SessionEngine

/// The eight events, without personal data.
@Suite struct TelemetryTests {
  private let clock = ManualClock()

  private func value(_ telemetry: Telemetry, _ family: String, _ labels: [String: String]) -> Double? {
    telemetry.families.first { $0.name == family }?.samples.first { $0.labels == labels && $0.suffix == "_total" }?
      .value
  }

  @Test func countsTheEightEvents() throws {
    let telemetry = Telemetry(clock: clock)
    telemetry.count(.authMethodSelected(.google))
    telemetry.count(.authStarted(.google))
    telemetry.count(.authCompleted(.google, .milliseconds(1234)))
    telemetry.count(.authFailed(.email, .invalidCredentials))
    telemetry.count(.authFailed(.email, ErrorKind(rawValue: "anna@example.org")))
    telemetry.count(.authCancelled(.apple))
    for _ in 0..<3 { telemetry.count(.tokenRefreshAttempted(.ahead)) }
    telemetry.count(.tokenRefreshFailed(.offline))
    telemetry.count(.accountLinked(.apple))
    #expect(value(telemetry, "ritual_auth_method_selected", ["method": "google"]) == 1)
    #expect(value(telemetry, "ritual_auth_completed", ["method": "google"]) == 1)
    #expect(value(telemetry, "ritual_token_refresh_attempted", ["reason": "ahead"]) == 3)
    #expect(
      value(telemetry, "ritual_auth_failed", ["method": "email", "error_type": "internalError"]) == 1,
      "a kind that is not known is no label")
    #expect(telemetry.recent.count == 11)
    let completed = try #require(telemetry.recent.first { $0.event == "auth_completed" })
    #expect(completed.properties == ["method": "google", "duration_ms": "1234"])
    #expect(Set(telemetry.recent.map(\.event)).count == 8)
    let count = telemetry.families.first { $0.name == "ritual_auth_duration_seconds" }?.samples
    #expect(count?.first { $0.labels["le"] == "1.0" }?.value == 0)
    #expect(count?.first { $0.labels["le"] == "2.5" }?.value == 1)
    #expect(count?.first { $0.suffix == "_sum" }?.value == 1.234)
  }

  @Test("egress: requests by status class, refusals by kind, retries, connections and grants")
  func countsEgress() {
    let telemetry = Telemetry(clock: clock)
    for status in [101, 200, 201, 304, 404, 503, 0, 999, nil] { telemetry.countEgress(status: status) }
    for (status, count) in ["1xx": 1, "2xx": 2, "3xx": 1, "4xx": 1, "5xx": 1, "other": 2, "none": 1] {
      #expect(value(telemetry, "ritual_egress_requests", ["status": status]) == Double(count), "\(status)")
    }
    for kind in ["denied", "denied", "badRequest", "anna@example.org", "x"] { telemetry.countEgressRefusal(kind: kind) }
    for (kind, count) in ["denied": 2, "badRequest": 1, "other": 2] {
      #expect(value(telemetry, "ritual_egress_refusals", ["kind": kind]) == Double(count), "\(kind)")
    }
    telemetry.countEgressRetry()
    #expect(value(telemetry, "ritual_egress_retries", [:]) == 1)
    telemetry.changeEgressConnections(by: 3)
    telemetry.changeEgressConnections(by: -1)
    telemetry.setEgressGrants(4)
    let gauges = telemetry.families.filter { $0.type == "gauge" }
    #expect(gauges.map(\.name) == ["ritual_egress_connections", "ritual_egress_grants"])
    #expect(gauges.map { $0.samples.map(\.value) } == [[2], [4]])
  }

  @Test func isBounded() {
    let telemetry = Telemetry(clock: clock)
    for number in 0..<10_000 { telemetry.count(.authFailed(.other, ErrorKind(rawValue: "kind\(number)"))) }
    #expect(telemetry.recent.count == Telemetry.maxRecent)
    for number in 0..<1000 {
      telemetry.countEgress(status: number)
      telemetry.countEgressRefusal(kind: "kind\(number)")
    }
    let samples = telemetry.families.map { ($0.name, $0.samples.count) }.filter { $0.1 > 0 }
    #expect(
      Dictionary(uniqueKeysWithValues: samples) == [
        "ritual_auth_failed": 1, "ritual_egress_requests": 6, "ritual_egress_refusals": 1, "ritual_egress_retries": 1,
        "ritual_egress_connections": 1, "ritual_egress_grants": 1,
      ])
  }

  @Test("a snapshot after sign-ins, refreshes and failures contains no personal data")
  func containsNoPersonalData() async throws {
    try await withAccounts { fixture in
      let records = fixture.records
      try await fixture.signIn("work")
      fixture.server.answerRefreshes { _ in .refreshed(.fixture("2")) }
      _ = try await fixture.accounts.refresh("work")
      fixture.server.answerRefreshes { _ in .misconfigured(AuthError(.network, "anna@example.org")) }
      fixture.clock.advance(by: .seconds(60))
      _ = try? await fixture.accounts.refresh("work")
      let families = records.telemetry.families
      let status = AgentStatusMethod.Result(
        version: "1", uptime: 5, pid: 1, vault: VaultSummary(state: "open"), accounts: await fixture.accounts.list(),
        health: [])
      let result = TelemetrySnapshot.Result(
        families: AgentMetrics.families(status, served: records.issuedTokens.served) + families,
        events: records.telemetry.recent)
      let text = OpenMetricsText.text(result.families) + String(decoding: try WireCoding.encode(result), as: UTF8.self)
      #expect(text.contains("ritual_refreshes_total{outcome=\"refreshed\"} 1\n"))
      #expect(text.contains("ritual_token_refresh_attempted_total{reason=\"forced\"}"))
      #expect(text.contains("ritual_token_refresh_failed_total{error_type=\"offline\"} 1\n"))
      for secret in ["anna", "example.org", "work", "user-1", "access-", "refresh-1"] {
        #expect(!text.contains(secret))
      }
    }
  }
}
