import Testing

@testable import ritualctl

@Suite struct HTTPReaderTests {
  /// Reads a response in pieces of `size` bytes.
  private func read(_ text: String, size: Int = .max, method: String = "GET", ends: Bool = true) throws
    -> HTTPReader
    .Outcome
  {
    var (reader, body) = (HTTPReader(method: method), [UInt8]())
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      body += try reader.take(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    if ends { reader.takeEnd() }
    return .init(
      status: reader.head?.status, headers: reader.head?.headers.map { [$0.name, $0.value] } ?? [],
      body: String(decoding: body, as: UTF8.self), isComplete: reader.isComplete)
  }

  private static let whole: [(text: String, method: String, status: Int, body: String)] = [
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef", "GET", 200, "abc"),
    ("HTTP/1.1 200\r\ncontent-length:0\r\n\r\n", "GET", 200, ""),
    (
      "HTTP/1.1 200 OK\r\nTRANSFER-ENCODING: Chunked\r\n\r\n3\r\nabc\r\n0A;x=y\r\n0123456789\r\n0\r\nT: x\r\n\r\n",
      "GET", 200, "abc0123456789"
    ),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1 ; x\r\na\r\n000\r\n\r\nmore", "GET", 200, "a"),
    ("HTTP/1.1 500 No\r\nA: \t b \t\r\n\r\nto the end", "GET", 500, "to the end"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HEAD", 200, ""),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "HEAD", 200, ""),
    ("HTTP/1.1 204 No\r\n\r\n", "GET", 204, ""), ("HTTP/1.1 304 No\r\nContent-Length: 5\r\n\r\n", "GET", 304, ""),
    (
      "HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 103 X\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", "GET",
      200, "a"
    ),
  ]

  @Test("every framing is read, however the stream is cut", arguments: 1...9)
  func reads(size: Int) throws {
    for (text, method, status, body) in Self.whole {
      let outcome = try read(text, size: size, method: method)
      #expect(outcome.status == status && outcome.body == body && outcome.isComplete, "\(text)")
    }
    let fields = try read("HTTP/1.1 200 OK\r\nB: \t b c \t\r\na:\r\nContent-Length: 0\r\n\r\n", size: size).headers
    #expect(fields == [["B", "b c"], ["a", ""], ["Content-Length", "0"]])
  }

  @Test("a response that is cut off is not complete")
  func noticesCuts() throws {
    for (text, method, _, body) in Self.whole where !text.contains("to the end") && !text.hasSuffix("def") {
      let end = text.hasSuffix("more") ? text.utf8.count - 4 : text.utf8.count
      for count in 0..<end {
        // In bytes: CRLF is one character.
        let cut = String(decoding: text.utf8.prefix(count), as: UTF8.self)
        let outcome = try read(cut, method: method)
        #expect(!outcome.isComplete && body.hasPrefix(outcome.body), "\(cut)")
      }
    }
    #expect(try !read("HTTP/1.1 200 OK\r\n\r\nto", ends: false).isComplete)
  }

  @Test(
    "a response whose end or head could be read in two ways is refused",
    arguments: [
      "Content-Length: 3\r\nContent-Length: 3", "Content-Length: 3\r\ncontent-length: 4", "Content-Length: 3, 3",
      "Content-Length: 3\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 3",
      "Content-Length: -1", "Content-Length: +1", "Content-Length: 0x1", "Content-Length:", "Content-Length: 1 2",
      "Content-Length: 9999999999999999999", "Content-Length: 99999999999999999999999999",
      "Transfer-Encoding: gzip", "Transfer-Encoding: chunked, gzip", "Transfer-Encoding: gzip, chunked",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding:", "A: b\r\n c", " A: b", "A : b",
      ": b", "A", "A: b\nC: d", "A: b\rC: d", "A: \u{0}", "A: \u{1B}", "A: \u{7F}", "Ä: b",
    ])
  func refusesFields(fields: String) {
    for (method, status) in [("GET", "200 OK"), ("HEAD", "200 OK"), ("GET", "204 No")] {
      #expect(throws: HTTPReader.Malformed.self, "\(method) \(status)") {
        try read("HTTP/1.1 \(status)\r\n\(fields)\r\n\r\nabc", method: method)
      }
    }
  }

  @Test(
    "what is not a status line of HTTP/1.1 is refused",
    arguments: [
      "HTTP/1.0 200 OK", "HTTP/2 200", "http/1.1 200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1  200 OK",
      "HTTP/1.1 099 X", "HTTP/1.1 +20 X", "HTTP/1.1 200OK", "HTTP/1.1 101 Switching", "", "SSH-2.0-x", "{}",
    ])
  func refusesStatusLines(line: String) {
    #expect(throws: HTTPReader.Malformed.self) { try read(line + "\r\n\r\n") }
  }

  @Test(
    "a chunk whose size is no number in range, or that does not end where it says, is refused",
    arguments: [
      "-1\r\n", "+1\r\na", "0x1\r\na", "\r\n", ";x\r\n", " 1\r\na", "g\r\n", "1 1\r\na", "8000000000000000\r\n",
      "FFFFFFFFFFFFFFFF\r\n",
      "10000000000000000000000000000001\r\na", "1\na", "1\r\nab\r\n", "1\r\na\n", "1\r\na0\r\n", "0\n\n",
      "0\r\nA: b\n\r\n",
    ])
  func refusesChunks(chunks: String) {
    #expect(throws: HTTPReader.Malformed.self) {
      try read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + "\r\n\r\n")
    }
  }

  @Test("an endless head, line, trailer and size of a chunk end at their limits", arguments: [1, 4096, .max])
  func bounds(size: Int) {
    let ok = "HTTP/1.1 200 OK\r\n"
    let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
    let many = { (text: String, limit: Int) in String(repeating: text, count: limit / text.utf8.count + 1) }
    for text in [
      many("x", HTTPReader.maxHead), ok + many("x", HTTPReader.maxHead), ok + many("A: b\r\n", HTTPReader.maxHead),
      many("HTTP/1.1 100 Go\r\n\r\n", HTTPReader.maxHead), chunked + many("0", HTTPReader.maxChunkLine),
      chunked + "1;" + many("x", HTTPReader.maxChunkLine), chunked + "0\r\n" + many("A: b\r\n", HTTPReader.maxHead),
    ] {
      #expect(throws: HTTPReader.Malformed.self, "\(text.prefix(60))") { try read(text, size: size) }
    }
  }
}

extension HTTPReader {
  fileprivate struct Outcome {
    let status: Int?
    let headers: [[String]]
    let body: String
    let isComplete: Bool
  }
}
