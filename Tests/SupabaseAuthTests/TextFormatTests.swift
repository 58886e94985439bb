import FoundationEssentials
import Testing

@testable import SupabaseAuth
@testable import SystemSupport

@Suite struct RFC3339Tests {
  @Test(arguments: [
    ("2026-11-21T02:28:22Z", 1_795_228_102.0), ("2026-11-21T02:28:22.1Z", 1_795_228_102.1),
    ("2026-11-21T02:28:22.16Z", 1_795_228_102.16), ("2026-11-21T02:28:22.163Z", 1_795_228_102.163),
    ("2026-11-21T02:28:22.1632Z", 1_795_228_102.1632), ("2026-11-21T02:28:22.16326Z", 1_795_228_102.16326),
    ("2026-11-21T02:28:22.163261Z", 1_795_228_102.163261),
    ("2026-11-21T02:28:22.1632612Z", 1_795_228_102.1632612),
    ("2026-11-21T02:28:22.16326125Z", 1_795_228_102.16326125),
    ("2026-11-21T02:28:22.163261258Z", 1_795_228_102.163261258),
    ("2026-11-21T04:28:22+02:00", 1_795_228_102),
    ("2026-11-20T21:58:22-04:30", 1_795_228_102), ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.5Z", -0.5),
    ("2000-02-29T00:00:00Z", 951_782_400), ("2016-12-31T23:59:60Z", 1_483_228_800),
    ("9999-12-31T23:59:59Z", 253_402_300_799),
  ])
  func reads(text: String, seconds: Double) throws {
    let date = try #require(RFC3339.date(text))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
  }

  @Test(arguments: [
    "", "2026-11-21", "2026-11-21T02:28:22", "2026-11-21 02:28:22Z", "2026-11-21T02:28:22.Z", "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z", "-026-01-01T00:00:00Z", "２026-01-01T00:00:00Z",
  ])
  func refuses(text: String) { #expect(RFC3339.date(text) == nil) }

  @Test func everyPrefixOfATimestampIsSafe() {
    let text = "2026-11-21T02:28:22.163261258+02:00"
    for length in 0..<20 { #expect(RFC3339.date(String(text.prefix(length))) == nil) }
  }
}

@Suite struct HTTPDateTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Sat, 21 Nov 2026 02:28:22 GMT", 1_795_228_102),
  ])
  func reads(text: String, seconds: Double) {
    #expect(HTTPDate.date(text)?.timeIntervalSince1970 == seconds)
  }

  @Test(arguments: [
    "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT", "a b c d e f",
  ])
  func refuses(text: String) { #expect(HTTPDate.date(text) == nil) }
}

@Suite struct PercentEncodingTests {
  @Test func everythingButUnreservedIsEncoded() {
    #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
    #expect(PercentEncoding.encode("a b&c=d/ü\n+%") == "a%20b%26c%3Dd%2F%C3%BC%0A%2B%25")
  }

  @Test func query() {
    #expect(PercentEncoding.query([("a", "1 2"), ("b&", "")]) == "?a=1%202&b%26=")
  }
}
