import SystemSupport
import TestKit
import Testing

@testable import AgentServer

@Suite struct SparseNoticeTests {
  @Test func aNoticeIsSaidOnceASecondWithTheCountOfTheRest() {
    let start = ManualClock().now
    var notice = NoticeRateLimiter()
    #expect(notice.allow(at: start) == 0)
    #expect(notice.allow(at: start.advanced(by: .milliseconds(999))) == nil)
    #expect(notice.allow(at: start.advanced(by: .milliseconds(999))) == nil)
    #expect(notice.allow(at: start.advanced(by: .seconds(1))) == 2)
    #expect(notice.allow(at: start.advanced(by: .seconds(5))) == 0)
  }
}
