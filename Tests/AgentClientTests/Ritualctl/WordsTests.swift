import Testing

@testable import ritualctl

/// A string that came from elsewhere is escaped by its type, without a call.
@Suite struct WordsTests {
  private static let foreign = "a\u{1B}[2J\nb\u{202E}"
  private static let escaped = #"a\u{1b}[2J\u{a}b\u{202e}"#

  @Test("in a message, a hint, a table and a list")
  func escapes() {
    let failure = Failure(.failed, "no \(Self.foreign)", hint: "try\n\(Self.foreign[...])")
    #expect(failure.text().text == "no \(Self.escaped)\n  try\n\(Self.escaped)")
    let table = Table(gaps: [1, 0], rows: [[.init(Self.foreign), .init("\(Self.foreign)", .red)]])
    #expect(table.text(.plain).text == "\(Self.escaped) \(Self.escaped)")
    #expect(["work", Self.foreign].listed().text == "work, \(Self.escaped)")
    #expect(Words(lines: "a\tb\u{1B}\nc").text == "a\tb\\u{1b}\nc")
  }

  @Test("words in words stay as they are, and a string keeps its limit")
  func nests() {
    let words: Words = "\(Self.foreign, limit: 1)\n"
    #expect(words.text == "a…\n")
    #expect(("<\(words)>" as Words).text == "<a…\n>")
    #expect(("\(3) \(true ? "x\ny" : "")" as Words).text == "3 x\ny")
    #expect(("\(String(repeating: "x", count: 201))" as Words).text.hasSuffix("xx…"))
  }
}
