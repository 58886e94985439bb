import AgentProtocol
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_795_228_162, "2026-11-21T02:29:22Z"),
    (-1, "1969-12-31T23:59:59Z"), (4_107_542_399, "2100-02-28T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
  ])
  func isWrittenAndRead(seconds: Int64, text: String) {
    #expect(Timestamp(unixSeconds: seconds).description == text)
    #expect(Timestamp(text)?.unixSeconds == seconds)
  }

  @Test(arguments: [
    "", "2026-02-30T00:00:00Z", "2026-11-21 02:29:22Z", "2026-11-21T24:00:00Z", "2026-11-21T02:29:22+1",
  ])
  func refusesWhatIsNoTime(text: String) {
    #expect(Timestamp(text) == nil)
  }
}
