import NIOCore
import Testing

@testable import AgentServer

@Suite struct SparseNoticeTests {
  private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

  @Test func aNoticeIsSaidOnceASecondWithTheCountOfTheRest() {
    var notice = SparseNotice()
    #expect(notice.say(now: Self.start) == 0)
    #expect(notice.say(now: Self.start + .milliseconds(999)) == nil)
    #expect(notice.say(now: Self.start + .milliseconds(999)) == nil)
    #expect(notice.say(now: Self.start + .seconds(1)) == 2)
    #expect(notice.say(now: Self.start + .seconds(5)) == 0)
  }
}
