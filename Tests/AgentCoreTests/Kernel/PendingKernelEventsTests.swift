import Testing

@testable import AgentCore
@testable import SessionEngine

@Suite(.timeLimit(.minutes(10))) struct PendingKernelEventsTests {
  @Test("a burst of one kind counts once and displaces no event of another kind")
  func keepsEachKind() async {
    let events = PendingKernelEvents()
    events.add(.clock)
    for _ in 0..<1000 { events.add(.network) }
    events.end()
    #expect(await events.next() == .clock)
    #expect(await events.next() == .network)
    #expect(await events.next() == nil)
  }

  @Test("an event during a wait or between two waits is not missed")
  func missesNone() async {
    let events = PendingKernelEvents()
    let first = Task { await events.next() }
    events.add(.network)
    #expect(await first.value == .network)
    events.add(.network)
    events.add(.clock)
    #expect(await events.next() == .clock)
    #expect(await events.next() == .network)
    let last = Task { await events.next() }
    last.cancel()
    #expect(await last.value == nil)
  }
}
