import NIOCore
import Testing

@testable import AgentServer

@Suite struct LineSplitterTests {
  private func lines(_ chunks: [String]) -> [String] {
    var splitter = LineSplitter()
    var result: [String] = []
    for chunk in chunks {
      splitter.append(ByteBuffer(string: chunk))
      while let line = splitter.next() { result.append(String(buffer: line)) }
    }
    return result
  }

  @Test func everyCutGivesTheSameLines() {
    let text = "one\n\ntwo two\nthree\n"
    let expected = ["one", "", "two two", "three"]
    for first in 0...text.count {
      for second in first...text.count {
        let head = String(text.prefix(first))
        let middle = String(text.dropFirst(first).prefix(second - first))
        #expect(lines([head, middle, String(text.dropFirst(second))]) == expected)
      }
    }
    #expect(lines(text.map { String($0) }) == expected)
  }

  @Test func anUnfinishedLineWaits() {
    var splitter = LineSplitter()
    splitter.append(ByteBuffer(string: "abc\nde"))
    #expect(splitter.next().map { String(buffer: $0) } == "abc")
    #expect(splitter.next() == nil)
    #expect(splitter.unfinished == 2)
  }

  @Test func aSkippedLineIsGoneAndTheNextIsWhole() {
    var splitter = LineSplitter()
    splitter.append(ByteBuffer(string: "long"))
    #expect(splitter.next() == nil)
    splitter.skipLine()
    splitter.append(ByteBuffer(string: "er"))
    #expect(splitter.next() == nil)
    #expect(splitter.unfinished == 0)
    splitter.append(ByteBuffer(string: "est\nnext\n"))
    #expect(splitter.next().map { String(buffer: $0) } == "next")
  }
}
