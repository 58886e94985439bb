import ServiceLifecycle
package import SystemSupport

/// Writes the audit log: at once when something happened, and then at most once a second.
package struct AuditFlusher: Service {
  /// Also without news: hand-outs that ended are written, and old files removed.
  private static let longest = Duration.seconds(60)
  /// Until the next try where the disk is full.
  private static let retry = Duration.seconds(5)

  private let log: AuditLog
  private let clock: any AgentClock

  package init(_ log: AuditLog, clock: any AgentClock) {
    self.log = log
    self.clock = clock
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await clock.sleep(until: clock.now.advanced(by: Self.longest), or: log.records.audit.changed)
        if Task.isCancelled { return }
        let isWritten = await log.flush()
        await log.checkNewestOnce()
        try? await clock.sleep(for: isWritten ? .seconds(1) : Self.retry)
      }
    }
  }
}
