import ServiceLifecycle

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

  /// `server` opens `serving` when it serves; `others` begin then, and never where it does not come to that.
  init(_ server: any Service, serving: ServingGate, others: [any Service]) {
    (self.server, self.serving, self.others) = (server, serving, others)
  }

  func run() async throws {
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
}

/// Tells one waiting task whether something came to be. Safe from any thread.
struct ServingGate: Sendable {
  private let openings: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (openings, continuation) = AsyncStream.makeStream() }

  /// It came to be.
  func open() { continuation.yield() }

  /// It will not, if it has not.
  func close() { continuation.finish() }

  /// Returns when it came to be, with false where it never will, or the task is cancelled. Once.
  func isOpened() async -> Bool {
    for await _ in openings { return true }
    return false
  }
}
