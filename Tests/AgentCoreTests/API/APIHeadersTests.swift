import AgentProtocol
import Testing

@testable import Egress

@Suite struct APIHeadersTests {
  @Test(
    "rejects every spelling of a header that is reserved for authentication or message framing",
    arguments: [
      "Host", "authorization", "AUTHORIZATION", "apiKey", "Cookie", "Transfer-Encoding", "Content-Length", "Connection",
      "Proxy-Authorization", "Proxy-Connection", "TE", "Trailer", "Expect", "Upgrade", "Keep-Alive", "X-Forwarded-For",
      "Forwarded", "Via", "HTTP2-Settings", "Content_Length", "transfer_encoding", "X-Real-IP", "X-Original-URL",
      "X-Rewrite-URL",
    ])
  func refuses(name: String) throws {
    let error = try #require(throws: AgentError.self) { try APIHeaders.checked([["Accept", "*/*"], [name, "x"]]) }
    #expect(error.kind == .invalidParams)
    #expect(error.message.contains(name))
  }

  @Test(
    "rejects a malformed header",
    arguments: [
      [], ["a"], ["a", "b", "c"], ["", "x"], ["a b", "x"], ["a:", "x"], ["ä", "x"], ["a\r\nb", "x"],
      ["a", "x\r\ny: z"],
      ["a", "x\ny"], ["a", "x\r"], ["a", "\0"], ["a", "\u{7F}"], ["a", String(repeating: "x", count: 8193)],
    ])
  func refusesBrokenHeaders(pair: [String]) {
    #expect(throws: AgentError.self) { try APIHeaders.checked([pair]) }
  }

  @Test("other headers keep their values and their order")
  func keeps() throws {
    let pairs = [["Content-Type", "application/json"], ["Prefer", "a\tb"], ["prefer", "count=exact"], ["X-A", "ü"]]
    #expect(try APIHeaders.checked(pairs).map { [$0.name, $0.value] } == pairs)
    #expect(try APIHeaders.checked(Array(repeating: ["A", "b"], count: 64)).count == 64)
    #expect(throws: AgentError.self) { try APIHeaders.checked(Array(repeating: ["A", "b"], count: 65)) }
  }

  @Test("hop-by-hop headers and cookies of a response are not passed on")
  func passesOn() {
    let answer = [
      (name: "Content-Type", value: "text/plain"), (name: "SET-COOKIE", value: "a=b"),
      (name: "Connection", value: "close, X-Hop"),
      (name: "x-hop", value: "1"), (name: "Transfer-Encoding", value: "chunked"),
      (name: "Location", value: "/elsewhere"),
      (name: "Proxy-Authenticate", value: "Basic"), (name: "Content-Range", value: "0-1/2"), (name: "X-A", value: "1"),
      (name: "x-a", value: "2"),
    ]
    #expect(
      APIHeaders.passedOn(answer) == [
        ["Content-Type", "text/plain"], ["Location", "/elsewhere"], ["Content-Range", "0-1/2"], ["X-A", "1"],
        ["x-a", "2"],
      ])
  }
}
