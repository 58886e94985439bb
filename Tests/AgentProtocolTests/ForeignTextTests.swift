import AgentProtocol
import Testing

@Suite struct ForeignTextTests {
  @Test(
    "PR-6: control and bidirectional characters are shown escaped",
    arguments: [
      ("plain äöü 日本", "plain äöü 日本"),
      ("\u{1B}[31mred\u{07}", "\\u{1b}[31mred\\u{7}"),
      ("a\u{202E}b\u{2066}c", "a\\u{202e}b\\u{2066}c"),
      ("line\nline\r\t", "line\\u{a}line\\u{d}\\u{9}"),
      ("zero\u{200B}width\u{FEFF}", "zero\\u{200b}width\\u{feff}"),
      ("c1\u{9B}31m\u{2028}", "c1\\u{9b}31m\\u{2028}"),
    ])
  func escapes(text: String, shown: String) {
    #expect(ForeignText.shown(text) == shown)
  }

  @Test("PR-6: shows at most 200 characters")
  func bounds() {
    #expect(ForeignText.shown(String(repeating: "x", count: 200)) == String(repeating: "x", count: 200))
    #expect(ForeignText.shown(String(repeating: "x", count: 201)) == String(repeating: "x", count: 200) + "…")
  }

  @Test("PR-6: replaces invalid UTF-8")
  func replacesInvalidBytes() {
    #expect(ForeignText.shown([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
  }

  @Test("PR-6: escapes HTML as well")
  func escapesHTML() {
    #expect(ForeignText.html("<a href=\"x\" y='z'>&\u{1B}") == "&lt;a href=&quot;x&quot; y=&#39;z&#39;&gt;&amp;\\u{1b}")
  }

  @Test("PR-6: a combining mark does not hide a special character of HTML", arguments: ["<", ">", "&", "\"", "'"])
  func escapesMarkedHTML(character: String) {
    #expect(ForeignText.html(character + "\u{301}") == ForeignText.html(character) + "\u{301}")
    #expect(ForeignText.html(character).unicodeScalars.count > 3)
  }

  @Test("the output never contains control or format characters")
  func neverLeaksPower() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0..<64)).map { _ in UInt8.random(in: 0...255, using: &generator) }
      for scalar in ForeignText.shown(bytes).unicodeScalars {
        #expect(scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format)
      }
    }
  }
}
