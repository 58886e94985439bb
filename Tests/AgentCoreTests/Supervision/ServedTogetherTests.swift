import Logging
import ServiceLifecycle
import TestKit
import Testing

@testable import AgentCore

@Suite(.timeLimit(.minutes(10))) struct ServedTogetherTests {
  private struct Failure: Error {}

  /// A service whose body a test provides.
  private struct Scripted: Service {
    let body: @Sendable () async throws -> Void
    func run() async throws { try await body() }
  }

  private let log = Mutexed<[String]>([])

  private func other() -> Scripted {
    Scripted { [log] in
      log.value += ["begun"]
      try? await gracefulShutdown()
      log.value += ["ended"]
    }
  }

  @Test("the other services start once the socket is served, and stop with it")
  func begin() async throws {
    let (serving, mayServe) = (ServingGate(), ServingGate())
    let server = Scripted { [log] in
      _ = await mayServe.isOpened()
      log.value += ["served"]
      serving.open()
      try? await gracefulShutdown()
    }
    let group = ServiceGroup(
      services: [
        AgentServices(
          server, serving: serving, others: [other()], clock: ManualClock(),
          whenServing: { [log] in log.value += ["completed"] })
      ],
      logger: Logger(label: "test"))
    async let life: Void = group.run()
    mayServe.open()
    try await eventually("the others run") { log.value == ["served", "completed", "begun"] }
    await group.triggerGracefulShutdown()
    try await life
    #expect(log.value == ["served", "completed", "begun", "ended"])
  }

  @Test("if the socket cannot be served, the others never start and its error is thrown")
  func neverBegin() async throws {
    let service = AgentServices(
      Scripted { throw Failure() }, serving: ServingGate(), others: [other()], clock: ManualClock())
    await #expect(throws: Failure.self) { try await service.run() }
    #expect(log.value.isEmpty)
  }

  @Test("a stop before the socket is served ends the service")
  func stopsEarly() async throws {
    let server = Scripted { try? await gracefulShutdown() }
    let group = ServiceGroup(
      services: [AgentServices(server, serving: ServingGate(), others: [other()], clock: ManualClock())],
      logger: Logger(label: "test"))
    async let life: Void = group.run()
    await group.triggerGracefulShutdown()
    try await life
    #expect(log.value.isEmpty)
  }
}
