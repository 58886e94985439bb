import NIOCore
import Testing

@testable import AgentServer

@Suite struct SparseNoticeTests {
  private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

  @Test func aNoticeIsSaidOnceASecondWithTheCountOfTheRest() {
    var notice = NoticeRateLimiter()
    #expect(notice.allow(now: Self.start) == 0)
    #expect(notice.allow(now: Self.start + .milliseconds(999)) == nil)
    #expect(notice.allow(now: Self.start + .milliseconds(999)) == nil)
    #expect(notice.allow(now: Self.start + .seconds(1)) == 2)
    #expect(notice.allow(now: Self.start + .seconds(5)) == 0)
  }
}
