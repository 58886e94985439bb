import AgentProtocol
import NIOCore
import Synchronization
import Testing

@testable import AgentServer
@testable import SessionEngine

/// Work on separate threads, and its measured cost.
@Suite struct CostlyWorkTests {
  private actor Spinner {
    func spin(_ rounds: Int) -> Int { (0..<rounds).reduce(0) { $0 &+ $1 &* 31 } }
  }

  @Test func theTimeOfThreadsAndActorsIsMeasured() async throws {
    let (threads, meter, spinner) = (CostlyThreads(), CallMeter(), Spinner())
    let work = WorkThread("test")
    try await CallMeter.$current.withValue(meter) {
      try await threads.run(meter) {
        _ = await spinner.spin(200_000)
        let before = meter.microseconds
        _ = try await work.run { (0..<200_000).reduce(0) { $0 &+ $1 &* 31 } }
        #expect(meter.microseconds > before)
      }
    }
    #expect(meter.microseconds > 100)
    await work.end()
    await threads.end()
  }
}
