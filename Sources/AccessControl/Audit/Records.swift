package import AgentProtocol
package import SessionEngine
package import SystemSupport

/// What the agent writes down about what happens in it: the audit log and the telemetry. Everything here is memory and
/// never waits; `AuditLog` writes it to the disk.
package struct Records: Sendable {
  let audit: AuditQueue
  package let handOuts: HandOutTable
  package let telemetry: Telemetry

  package init(clock: any AgentClock = SystemClock(), lookUp: CallerLookup? = nil) {
    let changed = WakeSignal()
    audit = AuditQueue(clock: clock, changed: changed)
    handOuts = HandOutTable(lookUp: lookUp, changed: changed)
    telemetry = Telemetry(clock: clock)
  }

  /// Writes an entry into the audit log, within a second.
  package func record(_ facts: AuditFacts) { audit.record(facts) }

  package func count(_ event: TelemetryEvent) { telemetry.count(event) }
}
