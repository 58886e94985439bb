import Testing

@testable import AgentConfiguration

/// Errors state what is wrong, where, and what is expected.
@Suite struct ConfigurationErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let line: Int
    let column: Int
    let code: ConfigurationError.Code
    let meant: String

    init(_ text: String, _ line: Int, _ column: Int, _ code: ConfigurationError.Code, _ meant: String) {
      self.text = text
      self.line = line
      self.column = column
      self.code = code
      self.meant = meant
    }

    /// Adds an invalid line to an otherwise valid project.
    init(project line: String, _ column: Int, _ code: ConfigurationError.Code, _ meant: String) {
      self.init("[projects.a]\nurl = \"https://x.co\"\nanon_key = \"k\"\n\(line)", 4, column, code, meant)
    }

    /// Adds a third line, with an invalid value, to a rule.
    init(rule line: String, _ column: Int, _ meant: String) {
      self.init("[[policy.rules]]\naction = \"deny\"\n\(line)", 3, column, .badValue, meant)
    }

    var testDescription: String { "\(line):\(column) \(meant)" }
  }

  static let unknown: [Case] = [
    Case("[projects.a]\nurl = \"https://x.co\"\n  anon_kye = \"k\"", 3, 3, .unknownKey, "did you mean anon_key?"),
    Case("[sing_in]\n", 1, 1, .unknownKey, "unknown key sing_in; did you mean sign_in?"),
    Case("\r\n[sign_in]\r\n\ttimeuot = 60\r\n", 3, 2, .unknownKey, "in [sign_in]; did you mean timeout?"),
    Case("title = 1", 1, 1, .unknownKey, "valid keys: agent, audit, linking, policy, projects, sign_in, vault"),
    Case("[sign_in]\nz = 1\na = 1", 2, 1, .unknownKey, "unknown key z"),
    Case("[projects.a]\nurl = \"ü\"\nx.y = 1", 3, 1, .unknownKey, "unknown key x"),
    Case("projects.a = { url = \"ü\", anon = 1 }", 1, 27, .unknownKey, "unknown key anon"),
    Case("[sign_in]\n\"a\\u001b[31m\" = 1", 2, 1, .unknownKey, "unknown key a\\u{1b}[31m"),
  ]

  static let kinds: [Case] = [
    Case("\n[sign_in]\ntimeout = \"60\"", 3, 11, .wrongType, "timeout must be an integer from 1 to 300"),
    Case("[sign_in]\ntimeout = 60.0", 2, 11, .wrongType, "an integer"),
    Case("[sign_in]\nredirect = 1", 2, 12, .wrongType, "\"loopback\" or \"scheme\" or \"manual\""),
    Case("sign_in = 3", 1, 11, .wrongType, "[sign_in] must be a table"),
    Case("[[sign_in]]", 1, 1, .wrongType, "[sign_in] must be a table"),
    Case("projects = 3", 1, 12, .wrongType, "such as [projects.default]"),
    Case("[projects]\nurl = \"https://x.co\"", 2, 1, .wrongType, "use [projects.default]"),
    Case("[projects.a]\nurl = 1\nanon_key = \"k\"", 2, 7, .wrongType, "url must be a quoted string"),
    Case(project: "only_this_ca = \"yes\"", 16, .wrongType, "only_this_ca must be true or false"),
    Case("[vault]\nlock_with_session = 1", 2, 21, .wrongType, "true or false"),
  ]

  static let values: [Case] = [
    Case("[sign_in]\ntimeout = 0", 2, 11, .badValue, "from 1 to 300"),
    Case("[sign_in]\ntimeout = 301", 2, 11, .badValue, "from 1 to 300"),
    Case("[sign_in]\npassword_attempts_per_hour=-1", 2, 28, .badValue, "from 1 to 1000"),
    Case("[sign_in]\nredirect = \"browser\"", 2, 12, .badValue, "\"loopback\" or"),
    Case("[linking]\npolicy = \"ask\"", 2, 10, .badValue, "\"automatic\" or \"confirm\""),
    Case("[projects.a]\nurl = \"http://example.org\"\nanon_key = \"k\"", 2, 7, .badValue, "https"),
    Case("[projects.a]\nurl = \"https://me@example.org\"\nanon_key = \"k\"", 2, 7, .badValue, "user name"),
    Case("[projects.a]\nurl = \"https://x.co/auth/v1/\"\nanon_key = \"k\"", 2, 7, .badValue, "without /auth/v1"),
    Case("[projects.a]\nurl = \"https://x.co\"\nanon_key = \"\"", 3, 12, .badValue, "empty"),
    Case("[projects.a]\nanon_key = \"k\"", 1, 1, .badValue, "url is missing"),
    Case("\n[projects.a]\nurl = \"https://x.co\"", 2, 1, .badValue, "anon_key is missing"),
    Case("[projects.\"Not a name\"]\nurl = \"https://x.co\"\nanon_key = \"k\"", 1, 1, .badValue, "1 to 32"),
    Case(project: "only_this_ca = true", 16, .badValue, "requires ca_file"),
    Case(project: "ca_file = \"~/ca.pem\"", 11, .badValue, "absolute path"),
    Case(project: "profile_path = \"p\"", 16, .badValue, "starts with /"),
    Case(project: "proxy = \"proxy:3128\"", 9, .badValue, "http://host:port"),
    Case(project: "proxy_password_file = \"p\"", 23, .badValue, "requires proxy"),
    Case(project: "headers_file = \"\"", 16, .badValue, "expected a file"),
    Case(
      "[projects.a]\nurl = \"https://x.co\"\nanon_key = \"k\"\nproxy = \"socks5h://p:1\"\nproxy_password_file = \"p\"",
      5, 23, .badValue, "SOCKS"),
    Case(project: "api_url = \"http://example.org\"", 11, .badValue, "https"),
    Case(project: "api_url = \"https://example.org/v1\"", 11, .badValue, "without a path"),
    Case(project: "redirect_scheme = \"My App\"", 19, .badValue, "lowercase"),
    Case(project: "redirect_scheme = \"https\"", 19, .badValue, "private-use scheme"),
    Case(project: "sign_in_page = \"https://example.org/#a\"", 16, .badValue, "fragment"),
    Case(project: "password_reset_page = \"http://example.org\"", 23, .badValue, "https is needed"),
    Case(
      project: "password_reset_page = \"https://example.org/\(String(repeating: "a", count: 400))\"", 23, .badValue,
      "longer than 400 bytes"),
  ]

  /// A rule that would match every caller or none is rejected.
  static let policy: [Case] = [
    Case("[policy]\nrule = 1", 2, 1, .unknownKey, "in [policy]; did you mean rules?"),
    Case("policy = 1", 1, 10, .wrongType, "[[policy.rules]]"),
    Case("[policy]\nrules = 1", 2, 9, .wrongType, "under [[policy.rules]]"),
    Case("policy.rules = [1]", 1, 17, .wrongType, "[[policy.rules]] must be a table"),
    Case("[[policy.rules]]\nunit = \"a.service\"", 1, 1, .badValue, "action is missing"),
    Case(
      "[[policy.rules]]\naction = \"deny\"\n[[policy.rules]]\naccount = \"a\"", 3, 1, .badValue,
      "action is missing"),
    Case("[[policy.rules]]\naction = \"forbid\"", 2, 10, .badValue, "\"allow\" or \"deny\" or \"ask\""),
    Case("[[policy.rules]]\naction = \"deny\"\n[[policy.rules]]\naction = 1", 4, 10, .wrongType, "\"allow\""),
    Case("[[policy.rules]]\naction = \"deny\"\nexe = \"/x\"", 3, 1, .unknownKey, "in [[policy.rules]]"),
    Case(rule: "account = \"Not a name\"", 11, "an account name"),
    Case(rule: "unit = \"backup\"", 8, "such as \"backup.service\""),
    Case(rule: "unit = \"*.service\"", 8, "full name"),
    Case(rule: "executable = \"bin/tool\"", 14, "absolute path"),
    Case(rule: "executable = \"/usr/bin/python3.12\"", 14, "python3.12 is an interpreter"),
    Case(rule: "executable = \"/bin/sh\"", 14, "interpreter"),
    Case(rule: "executable = \"/nowhere/ruby\"", 14, "interpreter"),
    Case(rule: "executable = \"/opt/bin/ritualctl\"", 14, "acts for any caller"),
    Case(rule: "executable = \"/usr/bin/ssh\"", 14, "acts for any caller"),
    Case(rule: "executable = \"/usr/bin/env\"", 14, "runs other programs"),
    Case(
      "[[policy.rules]]\naction = \"deny\"\nunit = \"a.scope\"\nexecutable = \"/opt/tool\"", 4, 14, .badValue,
      "not both"),
  ]

  /// The errors of `methods` and `paths` are at the entry.
  static let scopes: [Case] = [
    Case(rule: "methods = []", 11, "methods must be an array of 1 to 64 quoted strings"),
    Case(rule: "paths = [\(String(repeating: "'/x',", count: 65))]", 9, "an array of 1 to 64 quoted strings"),
    Case(
      "[[policy.rules]]\naction = \"deny\"\npaths = \"/x\"", 3, 9, .wrongType,
      "paths must be an array of 1 to 64 quoted strings"),
    Case("[[policy.rules]]\naction = \"deny\"\nmethods = [\n  'GET',\n  1]", 5, 3, .wrongType, "quoted strings"),
    Case("[[policy.rules]]\naction = \"deny\"\n[[policy.rules.paths]]", 3, 1, .wrongType, "quoted strings"),
    Case(rule: "methods = ['GET', 'get']", 19, "an HTTP method in capital letters"),
    Case(rule: "methods = ['*']", 12, "an HTTP method in capital letters"),
    Case(rule: "methods = ['CONNECT']", 12, "and not CONNECT or TRACE"),
    Case(rule: "paths = ['/x', 'rest']", 16, "it starts with /"),
    Case(rule: "paths = ['/\(String(repeating: "x", count: 1024))']", 10, "at most 1024 bytes"),
    Case("[[policy.rules]]\naction = \"deny\"\npath = ['/x']", 3, 1, .unknownKey, "did you mean paths?"),
  ]

  static let syntax: [Case] = [
    Case("x = ", 1, 5, .syntax, ""),
    Case("[projects.a]\nurl = \"https://x.co", 2, 20, .syntax, ""),
    Case("x = '''abc\n", 2, 1, .syntax, "unexpected end of file"),
    Case("x = '''ü\n\n", 3, 1, .syntax, "unexpected end of file"),
    Case("[sign_in]\ntimeout = 1\ntimeout = 2", 3, 1, .syntax, "timeout is already defined"),
    Case("[projects.a]\nurl = \"https://x.co\\u0000.evil\"", 2, 20, .syntax, "U+0000"),
    Case("[=]", 1, 2, .syntax, "a table name"),
    Case("[sign_in]\n[[[a]]]", 2, 3, .syntax, "a table name"),
    Case("a = 1\n [[ =b]]", 2, 5, .syntax, "a table name"),
    Case("[ ü]", 1, 3, .syntax, "a table name"),
    Case("[\n]", 1, 2, .syntax, "a table name"),
    Case("a = [ }", 1, 7, .syntax, "a value or ]"),
    Case("a = { b = [ 1, [\n }", 2, 2, .syntax, "a value or ]"),
    Case("a = 1979-05-27 1", 1, 5, .syntax, "dates are not supported"),
    Case("a = [2, 1_979-05-2_7 1]", 1, 9, .syntax, "need quotes"),
    Case("[sign_in]\n# \0", 2, 3, .syntax, "U+0000"),
    Case(String(repeating: "a.", count: 100_000) + "a = 1\n=", 1, 1, .syntax, "32 parts"),
  ]

  @Test(
    "OP-3: an error has the file, line, column and expected value",
    arguments: unknown + kinds + values + policy + scopes + syntax)
  func refuses(wrong: Case) throws {
    let error = try #require(throws: ConfigurationError.self) { try Configuration.parse(wrong.text, file: "c.toml") }
    #expect(error.code == wrong.code, "\(error)")
    #expect((error.line, error.column) == (wrong.line, wrong.column), "\(error)")
    #expect(error.description == "c.toml:\(wrong.line):\(wrong.column): \(error.message)")
    #expect(error.message.contains(wrong.meant), "\(error.message)")
  }

  @Test(
    "rejects a key that bypasses the database's rules as the anon key",
    arguments: [
      ("sb_secret_abc", true), ("sb_publishable_abc", false), ("any.thing.else", false), ("a.b", false),
      // The JWT {"alg":"HS256"}.{"role":"service_role"}.x, and the same JWT with the role anon.
      ("eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.x", true),
      ("eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.x", false),
    ])
  func refusesServiceKeys(key: String, isRefused: Bool) throws {
    let text = "[projects.a]\nurl = \"https://x.co\"\nanon_key = \"\(key)\""
    guard isRefused else {
      #expect(try Configuration.parse(text, file: "c.toml").projects["a"]?.anonKey == key)
      return
    }
    let error = try #require(throws: ConfigurationError.self) { try Configuration.parse(text, file: "c.toml") }
    #expect((error.line, error.column) == (3, 12))
    #expect(error.message.contains("full access"))
    #expect(!error.message.contains(key))
  }
}
