import AgentProtocol
import Glibc
import NIOPosix
import TestKit
import Testing

@testable import SignInFlows

@Suite(.timeLimit(.minutes(2))) struct ReservedPortTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  private func isBound(_ port: Int) async -> Bool {
    do {
      let listener = try await LoopbackListener.open(port: port, on: MultiThreadedEventLoopGroup.singleton) { _ in
        .refused(404)
      }
      await listener.close()
      return false
    } catch {
      return true
    }
  }

  @Test("the port stays bound without serving anything, and is free after the deadline", .signIn)
  func keepsThePort() async throws {
    let flow = try await fixture.start()
    try await fixture.service.cancel(flow.id)
    try await fixture.clock.advanceToSleeper(in: .seconds(10))
    try await eventually("it serves nothing") { try await LoopbackClient.get(flow.port, "/").status == 0 }
    #expect(await isBound(flow.port))
    try await fixture.clock.advanceToSleeper(in: .seconds(50))
    #expect(await isBound(flow.port))
    try await fixture.clock.advanceToSleeper(in: .seconds(240))
    try await eventually("the port is free") { await !isBound(flow.port) }
  }

  @Test("the next flow takes the port over and is served there at once", .signIn)
  func handsThePortOn() async throws {
    let first = try await fixture.start()
    try await fixture.service.cancel(first.id)
    for _ in 0..<2 {
      let next = StartedFlow(
        try await fixture.service.start(
          SignInStart.Params(provider: "google", redirect: "loopback", port: first.port)))
      #expect(next.port == first.port)
      #expect(try await LoopbackClient.get(first.port, "/nothing").status == 404)
      try await fixture.service.cancel(next.id)
      try await fixture.clock.advanceToSleeper(in: .seconds(10))
      try await eventually("it serves nothing") { try await LoopbackClient.get(first.port, "/").status == 0 }
    }
    await fixture.service.shutdown()
    try await eventually("a stop gives the port up") { await !isBound(first.port) }
  }
}
