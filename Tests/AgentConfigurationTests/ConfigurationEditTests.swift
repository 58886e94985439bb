import Testing

@testable import AgentConfiguration

/// `init` and `init --update`: text written by the user stays unchanged, byte for byte.
@Suite struct ConfigurationEditTests {
  private static let wanted = ConfigurationEdit.RequestedProject(
    name: "default", url: "https://new.example", anonKey: "new", apiURL: "https://api.example")

  private func edit(_ text: String) throws -> ConfigurationEdit { try ConfigurationEdit(text, file: "c.toml") }

  @Test(
    "replaces values in place, and adds a missing key after an existing one in the same notation",
    arguments: [
      (
        "# mine\n[projects.default] # p\n  url = 'https://old.example'  # u\n  anon_key = \"old\"\nproxy = 'http://p:1'\n# end",
        "# mine\n[projects.default] # p\n  url = \"https://new.example\"  # u\n  api_url = \"https://api.example\"\n  anon_key = \"new\"\nproxy = 'http://p:1'\n# end"
      ),
      (
        "projects.default = { url = 'x', anon_key = 'k' } # c\n",
        "projects.default = { url = \"https://new.example\", api_url = \"https://api.example\", anon_key = \"new\" } # c\n"
      ),
      (
        "[projects]\n\tdefault . 'url' = 'x'\n\tdefault.anon_key = \"\"\"\nk\"\"\"\n[projects.other]\nurl='https://y.example'\nanon_key='z'",
        "[projects]\n\tdefault . 'url' = \"https://new.example\"\n\tdefault . api_url = \"https://api.example\"\n\tdefault.anon_key = \"new\"\n[projects.other]\nurl='https://y.example'\nanon_key='z'"
      ),
      (
        "projects = { default.url = 'x', default.anon_key = 'k', b = { url = 'https://y.example', anon_key = 'z' } }",
        "projects = { default.url = \"https://new.example\", default.api_url = \"https://api.example\", default.anon_key = \"new\", b = { url = 'https://y.example', anon_key = 'z' } }"
      ),
      (
        "[projects.default]\r\nurl = 'x'\r\nanon_key = 'k'\r\napi_url = 'y' # a\r\n",
        "[projects.default]\r\nurl = \"https://new.example\"\r\nanon_key = \"new\"\r\napi_url = \"https://api.example\" # a\r\n"
      ),
      (
        "[projects.default]\r\nurl = 'x'\r\nanon_key = 'k'",
        "[projects.default]\r\nurl = \"https://new.example\"\r\napi_url = \"https://api.example\"\r\nanon_key = \"new\""
      ),
      (
        "[projects.default]",
        "[projects.default]\nurl = \"https://new.example\"\nanon_key = \"new\"\napi_url = \"https://api.example\""
      ),
      (
        "projects.default = {}",
        "projects.default = { url = \"https://new.example\", anon_key = \"new\", api_url = \"https://api.example\" }"
      ),
      (
        "[projects.default]\nanon_key = 'k'\nurl = 3\n",
        "[projects.default]\nanon_key = \"new\"\nurl = \"https://new.example\"\napi_url = \"https://api.example\"\n"
      ),
    ])
  func updates(old: String, new: String) throws {
    #expect(try edit(old).updating(Self.wanted) == .changed(new))
    let read = try Configuration.parse(new, file: "c.toml").projects["default"]
    #expect(read?.url == "https://new.example" && read?.anonKey == "new" && read?.apiURL == "https://api.example")
    #expect(try edit(new).updating(Self.wanted) == .unchanged)
    #expect(try edit(new).adding(Self.wanted) == .unchanged)
  }

  @Test("changes only the named values")
  func updatesOneValue() throws {
    let text = "[projects.default]\nurl = 'https://x.example/'\nanon_key = 'k'\n"
    let key = ConfigurationEdit.RequestedProject(name: "default", url: nil, anonKey: "n", apiURL: nil)
    #expect(
      try edit(text).updating(key) == .changed("[projects.default]\nurl = 'https://x.example/'\nanon_key = \"n\"\n"))
    let url = ConfigurationEdit.RequestedProject(name: "default", url: "https://X.example", anonKey: nil, apiURL: nil)
    #expect(try edit(text).updating(url) == .unchanged, "the same place, written in another way")
    #expect(try edit(text).updating(.init(name: "b", url: "https://x.example", anonKey: nil, apiURL: nil)) == .missing)
  }

  @Test(
    "appends a table with the file's own line endings",
    arguments: [
      ("", ""), ("# mine", "\n\n"), ("[sign_in]\n", "\n"), ("[projects.other]\nurl='x'\n", "\n"),
      ("projects.b = {}\n", "\n"), ("# a\r\n", "\r\n"),
    ])
  func adds(old: String, gap: String) throws {
    let end = old.contains("\r\n") ? "\r\n" : "\n"
    let lines = [
      "[projects.default]", "url = \"https://new.example\"", "anon_key = \"new\"", "api_url = \"https://api.example\"",
      "",
    ]
    #expect(try edit(old).adding(Self.wanted) == .changed(old + gap + lines.joined(separator: end)))
  }

  @Test(
    "leaves a project with different values unchanged, and a value to which nothing can be appended")
  func addsNothing() throws {
    #expect(
      try edit("[projects.default]\nurl = 'https://new.example'\nanon_key = 'old'").adding(Self.wanted)
        == .differs(["anon_key", "api_url"]))
    #expect(try edit("projects = {}").adding(Self.wanted) == .closed)
    #expect(try edit("projects = 3").adding(Self.wanted) == .closed)
    let dotted = ConfigurationEdit.RequestedProject(
      name: "a.b", url: "https://x.example", anonKey: "q\"\\", apiURL: nil)
    #expect(
      try edit("").adding(dotted)
        == .changed("[projects.\"a.b\"]\nurl = \"https://x.example\"\nanon_key = \"q\\\"\\\\\"\n"))
  }

  @Test(
    "what a person pastes becomes a project URL, or stays as it is",
    arguments: [
      ("https://abc.supabase.co", "https://abc.supabase.co"),
      ("https://abc.supabase.co/auth/v1/", "https://abc.supabase.co"),
      ("abc.supabase.co", "https://abc.supabase.co"), ("abc.supabase.co/rest/v1", "https://abc.supabase.co"),
      ("127.0.0.1:54321", "http://127.0.0.1:54321"), ("localhost:54321", "http://localhost:54321"),
      ("abcdefghijklmnopqrst", "https://abcdefghijklmnopqrst.supabase.co"),
      ("https://supabase.com/dashboard/project/abcdefghijklmnopqrst", "https://abcdefghijklmnopqrst.supabase.co"),
      (
        "https://supabase.com/dashboard/project/abcdefghijklmnopqrst/settings/api-keys?x=1",
        "https://abcdefghijklmnopqrst.supabase.co"
      ),
      ("supabase.com/dashboard/project/abcdefghijklmnopqrst", "https://abcdefghijklmnopqrst.supabase.co"),
      ("https://supabase.com/dashboard/projects", "https://supabase.com/dashboard/projects"),
      ("abcdefghijklmnopqrsT", "abcdefghijklmnopqrsT"), ("abc", "abc"), ("", ""), ("not a.url", "not a.url"),
      ("http://abc.supabase.co", "http://abc.supabase.co"),
    ])
  func understandsEnteredURLs(entered: String, url: String) {
    #expect(ProjectConfiguration.url(entered: entered) == url)
  }
}
