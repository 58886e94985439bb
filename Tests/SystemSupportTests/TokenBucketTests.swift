import SystemSupport
import Testing

@Suite struct TokenBucketTests {
  @Test("a clock that went backwards removes no tokens, and the bucket refills from there")
  func clockGoesBack() {
    let start = BootTime(nanoseconds: 400_000_000_000)
    var bucket = TokenBucket(capacity: 10, perSecond: 1, now: start)
    #expect(bucket.take(10, now: start) == nil)
    let back = BootTime(nanoseconds: 100_000_000_000)
    #expect(bucket.take(now: back) != nil)
    #expect(bucket.take(now: back.advanced(by: .seconds(1))) == nil)
  }
}
