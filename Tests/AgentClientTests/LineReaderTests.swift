import Testing

@testable import AgentClient

@Suite struct LineReaderTests {
  @Test("yields the same lines however the stream is split", arguments: 1...12)
  func cuts(size: Int) throws {
    var reader = LineReader(limit: 100)
    var lines: [String] = []
    let bytes = Array("one\n\ntwo three\nfour\nfive".utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { reader.append($0) }
      while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    #expect(lines == ["one", "", "two three", "four"])
  }

  @Test("accepts a line as long as the limit, and rejects one byte more")
  func bounds() throws {
    for (count, fits) in [(9, true), (10, true), (11, false)] {
      for ending in ["\n", ""] {
        var reader = LineReader(limit: 10)
        Array((String(repeating: "x", count: count) + ending).utf8).withUnsafeBytes { reader.append($0) }
        if fits {
          #expect(try reader.next()?.count == (ending.isEmpty ? nil : count))
        } else {
          #expect(throws: LineReader.Oversize.self) { try reader.next() }
        }
      }
    }
  }
}
