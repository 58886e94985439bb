import ServiceLifecycle
import SystemSupport

/// The socket, and behind it all else that runs: a start waits for nothing that the first answer does not need. What comes
/// after READY=1 (the first TLS connection, the buses, the audit log) then takes no processor from what comes before it.
///
/// They stop at the same moment, so that a stop takes as long as the slowest and not as all of them: answers that clients
/// wait for come from refreshes that are given the same time to end (OP-2).
struct ServedTogether: Service, CustomStringConvertible {
  private let server: any Service
  private let serving: ServingGate
  private let others: [any Service]

  /// A service group logs its services by their description, which by default is all that is in them.
  var description: String { "the agent's services" }

  private let clock: any AgentClock
  private let whenOverdue: @Sendable () async -> Void

  /// How long a stop waits for requests that were sent (OP-2).
  static let grace: Duration = .seconds(3)

  /// - Parameters:
  ///   - serving: opened by `server` when it serves. `others` begin then, and never where it does not come to that.
  ///   - whenOverdue: called where a stop has not ended after `grace`. It ends what still waits for a network.
  init(
    _ server: any Service, serving: ServingGate, others: [any Service], clock: any AgentClock,
    whenOverdue: @escaping @Sendable () async -> Void = {}
  ) {
    (self.server, self.serving, self.others) = (server, serving, others)
    (self.clock, self.whenOverdue) = (clock, whenOverdue)
  }

  func run() async throws {
    // Cancelled when the services have ended.
    async let _: Void = endGrace()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { serving.close() }
        try await server.run()
      }
      if await serving.isOpened() {
        for service in others { group.addTask { try await service.run() } }
      }
      try await group.waitForAll()
    }
  }

  private func endGrace() async {
    guard (try? await gracefulShutdown()) != nil, (try? await clock.sleep(for: Self.grace)) != nil else { return }
    await whenOverdue()
  }
}

/// Reports whether the server has begun to serve. Safe from any thread.
struct ServingGate: Sendable {
  private let isServing = SettledValue<Bool>()

  /// The server serves.
  func open() { isServing.settle(true) }

  /// The server will not serve, if it has not begun.
  func close() { isServing.settle(false) }

  /// Returns when the server serves, with false where it never will, or when the task is cancelled.
  func isOpened() async -> Bool { (try? await isServing.wait()) ?? false }
}
