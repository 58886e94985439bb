import AgentProtocol
import SystemSupport

/// What the agent writes down about what happens in it: the audit log and the telemetry. Everything here is memory and
/// never waits; `AuditLog` writes it to the disk.
struct Records: Sendable {
  let audit: AuditQueue
  let handOuts: HandOutTable
  let telemetry: Telemetry

  init(clock: any AgentClock = SystemClock(), lookUp: CallerLookup? = nil) {
    let changed = WakeSignal()
    audit = AuditQueue(clock: clock, changed: changed)
    handOuts = HandOutTable(lookUp: lookUp, changed: changed)
    telemetry = Telemetry(clock: clock)
  }

  /// Writes an entry into the audit log, within a second.
  func record(_ facts: AuditFacts) { audit.record(facts) }

  func count(_ event: TelemetryEvent) { telemetry.count(event) }
}
