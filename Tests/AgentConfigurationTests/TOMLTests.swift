import Testing

@testable import AgentConfiguration

/// Cases in the style of toml-test (github.com/toml-lang/toml-test) for TOML 1.0.0: valid and
/// invalid texts. Cases from that suite keep their names.
@Suite struct TOMLTests {
  /// A value without positions, for comparison.
  private static func plain(_ node: TOMLNode) -> String {
    switch node.value {
    case .text(let text): "\"\(text)\""
    case .integer(let number): "\(number)"
    case .boolean(let truth): "\(truth)"
    case .float: "fraction"
    case .array(let elements): "[" + elements.map(plain).joined(separator: ", ") + "]"
    case .table(let table): plain(table)
    }
  }

  private static func plain(_ table: TOMLTable) -> String {
    "{" + table.entries.map { "\($0.name): \(plain($0.node))" }.joined(separator: ", ") + "}"
  }

  @Test(
    "valid",
    arguments: [
      ("", "{}"), ("# only\n  # comments\n\n", "{}"), ("\u{FEFF}a = 1", "{a: 1}"), ("a = 1", "{a: 1}"),
      ("a=1\r\nb = 2\r\n", "{a: 1, b: 2}"), ("a = 1 # comment \u{7FF}\n", "{a: 1}"),
      ("a = \"# no\" # yes", ##"{a: "# no"}"##),
      // key/
      ("1234 = 1\n-_ = 2", "{1234: 1, -_: 2}"), ("\"\" = 1", "{: 1}"), ("'a.b' = 1", "{a.b: 1}"),
      ("\"a\\u0062\" = 1", "{ab: 1}"), ("a.b.c = 1\na.b.d = 2", "{a: {b: {c: 1, d: 2}}}"),
      ("a . \"b\" . c = 1", "{a: {b: {c: 1}}}"), ("a.b = 1\n[a.c]\nd = 2", "{a: {b: 1, c: {d: 2}}}"),
      ("true = 1\ninf = 2", "{true: 1, inf: 2}"), ("3.14 = 1", "{3: {14: 1}}"),
      // table/
      ("[a]\n[b]", "{a: {}, b: {}}"), ("[a.b]\n[a]\nc = 1", "{a: {b: {}, c: 1}}"), ("[ a . b ]", "{a: {b: {}}}"),
      ("[x.y.z.w]\n[x]", "{x: {y: {z: {w: {}}}}}"), ("['']\nx = 1", "{: {x: 1}}"),
      ("[a]\nb.c = 1\nb.d = 2\n[a.b.e]\nf = 3", "{a: {b: {c: 1, d: 2, e: {f: 3}}}}"),
      // array/
      ("[[a]]\nb = 1\n[[a]]\nb = 2", "{a: [{b: 1}, {b: 2}]}"),
      ("[[a]]\n[a.b]\nc = 1\n[[a.d]]\n[[a.d]]", "{a: [{b: {c: 1}, d: [{}, {}]}]}"),
      ("a = []", "{a: []}"), ("a = [ 1, \"x\", [true,], { b = 1 }, ]", #"{a: [1, "x", [true], {b: 1}]}"#),
      ("a = [ # c\n 1 # d\n , # e\n 2\n]", "{a: [1, 2]}"), ("a = [[[[[]]]]]", "{a: [[[[[]]]]]}"),
      // inline-table/
      ("a = {}", "{a: {}}"), ("a = { b = 1, c.d = 2, 'e f' = [\n1\n] }", "{a: {b: 1, c: {d: 2}, e f: [1]}}"),
      ("a = { b = { c = { d = 1 } } }", "{a: {b: {c: {d: 1}}}}"),
      // integer/
      ("a = +99\nb = -17\nc = 0\nd = -0\ne = 1_000\nf = 5_3_4", "{a: 99, b: -17, c: 0, d: 0, e: 1000, f: 534}"),
      ("a = 0xDEAD_beef\nb = 0o755\nc = 0b1101\nd = 0x00", "{a: 3735928559, b: 493, c: 13, d: 0}"),
      ("a = 9223372036854775807\nb = -9223372036854775808", "{a: 9223372036854775807, b: -9223372036854775808}"),
      // float/
      (
        "a = 1.0\nb = -0.5e+1_0\nc = 6E3\nd = inf\ne = -nan\nf = 1_0.0_1",
        "{a: fraction, b: fraction, c: fraction, d: fraction, e: fraction, f: fraction}"
      ),
      // bool/
      ("a = true\nb = false", "{a: true, b: false}"),
      // string/
      (#"a = "x\"y\\z\t\u00e9\U0001F600""#, "{a: \"x\"y\\z\té\u{1F600}\"}"), (#"a = '\n"x"'"#, #"{a: "\n"x""}"#),
      ("a = \"\"", #"{a: ""}"#),
      ("a = \"\"\"\nx\ny\"\"\"", "{a: \"x\ny\"}"), ("a = \"\"\"\r\nx\"\"\"", #"{a: "x"}"#),
      ("a = \"\"\"x \\\n\n   \t y\"\"\"", #"{a: "x y"}"#),
      ("a = \"\"\"x\\  \n  y\"\"\"", #"{a: "xy"}"#), ("a = \"\"\"\"x\"\"\"\"\"", #"{a: ""x"""}"#),
      ("a = \"\"\"x \"\" y\"\"\"", #"{a: "x "" y"}"#),
      ("a = '''\nx\\\n'y''''", "{a: \"x\\\n'y'\"}"), ("a = ''''''", #"{a: ""}"#),
      ("a = \"tab\there\"", "{a: \"tab\there\"}"),
    ] as [(String, String)])
  func reads(text: String, value: String) throws {
    #expect(Self.plain(try TOMLParser.parse(text)) == value)
  }

  @Test(
    "invalid",
    arguments: [
      // control/, encoding/
      "a = \"\u{0}\"", "a = 'x\u{7F}'", "a = \"\"\"\u{1}\"\"\"", "# \u{0}", "# \u{7F}", "a = 1 # \u{1F}",
      "a = 1\rb = 2", "a = \"x\ry\"",
      "# x\ry", "a = 1\n\u{FEFF}", "\u{B}a = 1", "a = \"\\u0000\"",
      // key/
      "= 1", "a", "a =", "a = \n1", "a.= 1", ".a = 1", "a..b = 1", "a b = 1", "\"\"\"a\"\"\" = 1", "é = 1",
      "a = 1 b = 2", "a! = 1",
      "[a]\nb = 1\nb = 2", "a = 1\n\"a\" = 2", "a = 1\na.b = 2", "a.b = 1\na = 2", "a.b = 1\na.b.c = 2", "\"a\nb\" = 1",
      // table/
      "[]", "[a", "[a]]", "[[a]", "[a.]", "[.a]", "[a]b", "[a] = 1", "[a b]", "[\na]", "[a]\n[a]", "[a]\nb = 1\n[a.b]",
      "[a.b]\n[a]\nb = 1",
      "[[a]]\n[a]", "[a]\n[[a]]", "a = []\n[[a]]", "a = [{}]\n[a.b]", "[a.b.c]\nz = 1\n[a]\nb.c.t = 2",
      "[a.b.c.d]\nz = 1\n[a]\nb.c.t = 2",
      "[a]\nb.c = 1\n[a.b]", "a = {}\n[a.b]", "a = { b = {} }\na.b.c = 1", "[a]\nb = {}\n[a.b]", "[a.b]\n[[a.b]]",
      "[[a.b]]\n[a.b]", "[ [a]]",
      // array/
      "a = [1 2]", "a = [,]", "a = [1,,2]", "a = [", "a = [1", "a = [1}", "a = [[1]", "a = 1]",
      // inline-table/
      "a = {", "a = { b = 1", "a = { b = 1, }", "a = { , }", "a = { b = 1\n}", "a = {\nb = 1 }", "a = { b = 1 c = 2 }",
      "a = { b }", "a = { b = 1, b = 2 }",
      "a = { b.c = 1, b = 2 }", "a = { b = 1, b.c = 2 }", "a = { b = 1 # c\n}",
      // integer/, float/
      "a = 01", "a = 1__0", "a = _1", "a = 1_", "a = +0x1", "a = 0x", "a = 0xG", "a = 0b2", "a = 0o8", "a = 0X1",
      "a = 0x_1", "a = --1", "a = +", "a = 1a",
      "a = 9223372036854775808", "a = .5", "a = 5.", "a = 1.e5", "a = 1e", "a = 1e_5", "a = 01.5", "a = 1._5",
      "a = infinity", "a = Inf", "a = +-1.0",
      // bool/, bare words
      "a = True", "a = tru", "a = yes", "a = x y", "a = truefalse",
      // string/
      "a = \"x", "a = 'x", "a = \"x\ny\"", "a = \"\"\"x", "a = '''x", "a = \"\\x41\"", "a = \"\\u12\"",
      "a = \"\\ud800\"", "a = \"\\U00110000\"", "a = \"\\ \"",
      "a = \"\"\"x\"\"\"\"\"\"", "a = 'x'y", "a = \"x\" \"y\"", "a = \"\"\"\\ x\"\"\"", "a = ''''x''''''", "a = `x`",
      // dates are not supported
      "a = 1979-05-27", "a = 1979-05-27T07:32:00Z", "a = 07:32:00",
    ] as [String])
  func refuses(text: String) {
    #expect(throws: TOMLError.self) { try TOMLParser.parse(text) }
  }

  @Test("every key and value has its place, in every way of writing it")
  func findsPlaces() throws {
    let text = """
      a = \"\"\"
      b = 1
      \\\"\"\" still \"\"\"\"
      d.e = 3 # f = 4
      i = [ 1, # ] j = 6
        "]", { k = 7 }, [[]],
      ]
      l = { m = { n = 8 }, "o.p" = '}' }
      [t."u.v".'w"x']
        "k\\u0065y" = 'x = y'
      [[s]]
      q=9
      """
    let root = try TOMLParser.parse(text)
    func at(_ line: Int, _ column: Int) -> TextPosition { TextPosition(line: line, column: column) }
    #expect(root["a"]?.node.position == at(1, 5))
    #expect(root["d"]?.node.table?["e"]?.position == at(4, 1))
    #expect(root["d"]?.node.table?["e"]?.node.position == at(4, 7))
    #expect(root["i"]?.node.position == at(5, 5))
    #expect(root["l"]?.node.table?["m"]?.node.table?["n"]?.position == at(8, 13))
    #expect(root["l"]?.node.table?["o.p"]?.position == at(8, 22))
    let deep = root["t"]?.node.table?["u.v"]?.node.table?["w\"x"]
    #expect(deep?.position == at(9, 1))
    #expect(deep?.node.table?["key"]?.position == at(10, 3))
    #expect(deep?.node.table?["key"]?.node.position == at(10, 16))
    guard case .array(let elements)? = root["s"]?.node.value else { return #expect(Bool(false), "an array") }
    #expect(elements.first?.table?["q"]?.node.position == at(12, 3))
    let bytes = Array(text.utf8)
    let range = try #require(deep?.node.table?["key"]?.node.range)
    #expect(String(decoding: bytes[range], as: UTF8.self) == "'x = y'")
  }

  @Test("lines end with LF or CRLF; columns count scalars; a byte order mark has none")
  func countsColumns() throws {
    let root = try TOMLParser.parse("\u{FEFF}'ü\u{1F600}e\u{301}' = 1\r\n\tb = 2\r\n")
    #expect(root["ü\u{1F600}e\u{301}"]?.node.position == TextPosition(line: 1, column: 10))
    #expect(root["b"]?.position == TextPosition(line: 2, column: 2))
  }
}
