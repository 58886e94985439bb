import Testing

@testable import AgentCore

@Suite struct KeyPositionsTests {
  private func at(_ line: Int, _ column: Int) -> TextPosition { TextPosition(line: line, column: column) }

  @Test("keys and values are found in every way of writing them")
  func findsKeys() {
    let text = """
      a = \"\"\"
      b = 1
      \\\"\"\" still \"\"\"\"
      # c = 2
      d.e = 3 # f = 4
      g = '''
      h = 5'''
      i = [ 1, # ] j = 6
        "]", { k = 7 }, [[]],
      ]
      l = { m = { n = 8 }, "o.p" = '}' }
      [t."u.v".'w"x']
        "k\\u0065y" = 'x = y'
      [[s]]
      q=9
      """
    let positions = KeyPositions(text)
    for missing in ["b", "c", "f", "h", "j", "k"] { #expect(positions.position(of: [missing]) == nil, "\(missing)") }
    #expect(positions.valuePosition(of: ["a"]) == at(1, 5))
    #expect(positions.position(of: ["d"]) == at(5, 1))
    #expect(positions.position(of: ["d", "e"]) == at(5, 1))
    #expect(positions.valuePosition(of: ["d", "e"]) == at(5, 7))
    #expect(positions.valuePosition(of: ["i"]) == at(8, 5))
    #expect(positions.position(of: ["l", "m", "n"]) == at(11, 13))
    #expect(positions.position(of: ["l", "o.p"]) == at(11, 22))
    #expect(positions.position(of: ["t", "u.v", "w\"x"]) == at(12, 1))
    #expect(positions.position(of: ["t", "u.v", "w\"x", "key"]) == at(13, 3))
    #expect(positions.valuePosition(of: ["t", "u.v", "w\"x", "key"]) == at(13, 16))
    #expect(positions.position(of: ["s", "0", "q"]) == at(15, 1))
    #expect(positions.valuePosition(of: ["s", "0", "q"]) == at(15, 3))
    #expect(positions.hazard == nil)
  }

  @Test("of what is not there, the table is named")
  func namesTheTable() {
    let positions = KeyPositions("\n[t]\na = 1\n")
    #expect(positions.position(of: ["t", "missing"]) == at(2, 1))
    #expect(positions.valuePosition(of: ["t", "missing"]) == at(2, 1))
    #expect(positions.position(of: ["missing"]) == nil)
    #expect(positions.position(of: []) == nil)
  }

  @Test("lines end with LF or CRLF; columns count scalars; a byte order mark has none")
  func countsAsTOMLKitDoes() {
    let positions = KeyPositions("\u{FEFF}'ü\u{1F600}e\u{301}' = 1\r\n\tb = 2\r\n")
    #expect(positions.position(of: ["ü\u{1F600}e\u{301}"]) == at(1, 1))
    #expect(positions.valuePosition(of: ["ü\u{1F600}e\u{301}"]) == at(1, 10))
    #expect(positions.position(of: ["b"]) == at(2, 2))
  }

  @Test(
    "what TOMLKit would choke on or cut short is found first",
    arguments: [
      ("a = 'x'\nb = \"x\\u0000\"", 2, 7), ("\"a\\U00000000\" = 1", 1, 3), ("a = \"\"\"\n\\u0000\"\"\"", 2, 1),
      ("a = 1 \0", 1, 7), ("[" + String(repeating: "a.", count: 40) + "a]", 1, 2),
      ("x = { " + String(repeating: "a.", count: 40) + "a = 1 }", 1, 7),
    ])
  func findsHazards(text: String, line: Int, column: Int) {
    #expect(KeyPositions(text).hazard?.position == at(line, column))
  }

  @Test("a literal text has no escapes, and 32 parts are not too many")
  func findsNoHazard() {
    #expect(KeyPositions("a = '\\u0000'").hazard == nil)
    #expect(KeyPositions("a = '''\\u0000'''").hazard == nil)
    #expect(KeyPositions(String(repeating: "a.", count: 31) + "a = 1").hazard == nil)
  }
}
