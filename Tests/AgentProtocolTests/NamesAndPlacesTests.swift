import AgentProtocol
import Glibc
import Testing

@Suite struct NamesAndPlacesTests {
  @Test(
    "SI-15: account names follow the rule",
    arguments: [
      ("work", true), ("0", true), ("a.b_c-d", true), (String(repeating: "a", count: 32), true),
      ("", false), ("-a", false), (".a", false), ("A", false), ("a b", false), ("ä", false), ("a/b", false),
      ("anna@example.org", false), (String(repeating: "a", count: 33), false),
    ])
  func namesKeepToTheRule(name: String, isValid: Bool) {
    #expect(AccountName.isValid(name) == isValid)
  }

  @Test(
    "EG-1: a new account can be the host of a URL",
    arguments: [
      ("work", true), ("a.b", true), ("1a", true), ("a.1b", true), ("0xg", true),
      ("localhost", false), ("0", false), ("a.7", false), ("127.0.0.1", false), ("0x7f", false), ("a.0x", false),
      ("a..b", false), ("a.", false), ("xn--a", false), ("a.xn--b", false), ("-a", false),
    ])
  func newNamesAreHosts(name: String, isValid: Bool) {
    #expect(AccountName.isValidForNew(name) == isValid)
  }

  @Test func placesFollowTheEnvironment() throws {
    let places = AgentPaths(
      environment: [
        "HOME": "/home/a", "XDG_RUNTIME_DIR": "/run/user/7", "XDG_STATE_HOME": "relative", "XDG_DATA_HOME": "/data",
      ], uid: 7)
    #expect(try places.socket == "/run/user/7/ritual-agent/agent.sock")
    #expect(try places.configuration == "/home/a/.config/ritual-agent/config.toml")
    #expect(try places.state == "/home/a/.local/state/ritual-agent", "a path that is not absolute is ignored")
    #expect(try places.keyFile == "/data/ritual-agent/vault.key")
  }

  @Test("what a snap sets for the programs in its terminal is ignored")
  func ignoresSnaps() throws {
    let places = AgentPaths(
      environment: [
        "HOME": "/home/a", "XDG_RUNTIME_DIR": "/run/user/7/snap.code", "XDG_CONFIG_HOME": "/home/a/snap/code/1/.config",
        "XDG_DATA_HOME": "/home/a/snap/code/1/.local/share", "XDG_STATE_HOME": "/home/a/snapshots",
      ], uid: 7)
    #expect(try places.socket == "/run/user/7/ritual-agent/agent.sock")
    #expect(try places.configuration == "/home/a/.config/ritual-agent/config.toml")
    #expect(try places.keyFile == "/home/a/.local/share/ritual-agent/vault.key")
    #expect(try places.applications == "/home/a/.local/share/applications")
    #expect(try places.state == "/home/a/snapshots/ritual-agent")
    #expect(places.snapVariables == ["XDG_CONFIG_HOME", "XDG_DATA_HOME"])
  }

  @Test(
    "a legacy anon key is a JWT of a project on Supabase's platform",
    arguments: [
      // {"role":"anon","ref":"abcdefghijklmnopqrst"}, {"role":"anon"} twice, and another role with that ref
      ("eyJyb2xlIjoiYW5vbiIsInJlZiI6ImFiY2RlZmdoaWprbG1ub3BxcnN0In0", "https://api.example.org", true),
      ("eyJyb2xlIjoiYW5vbiJ9", "https://abcdefghijklmnopqrst.supabase.co", true),
      ("eyJyb2xlIjoiYW5vbiJ9", "https://api.example.org", false),
      (
        "eyJyb2xlIjoiYXV0aGVudGljYXRlZCIsInJlZiI6ImFiY2RlZmdoaWprbG1ub3BxcnN0In0", "https://a.supabase.co", false
      ),
    ])
  func tellsLegacyKeys(payload: String, origin: String, isLegacy: Bool) {
    #expect(ServiceKey.isLegacyAnon("eyJhbGciOiJIUzI1NiJ9.\(payload).c2ln", origin: origin) == isLegacy)
    #expect(!ServiceKey.isLegacyAnon("sb_publishable_abc", origin: "https://abcdefghijklmnopqrst.supabase.co"))
  }

  @Test func theSocketCanBeNamed() throws {
    let named = AgentPaths(environment: ["RITUAL_AGENT_SOCKET": "/s", "XDG_RUNTIME_DIR": "/r"], uid: 7)
    #expect(try named.socket == "/s")
  }

  @Test("cron and su: without a runtime directory of the user's own, the state directory is used")
  func theSocketHasALastResort() throws {
    // No user of this machine has this uid, so /run/user/UID does not belong to it.
    let bare = AgentPaths(environment: ["HOME": "/home/a"], uid: 4_000_000_001)
    #expect(try bare.socket == "/home/a/.local/state/ritual-agent/run/agent.sock")
  }

  @Test(
    "without an absolute HOME, the home directory comes from the user's entry; relative paths and / are ignored",
    arguments: [nil, "", "home", "./a", "~", "/", "//"] as [String?])
  func theHomeIsLookedUp(home: String?) throws {
    try withUsers(
      "root:x:0:0::/root:/bin/sh\n# c\nbroken\nanna:x:7:7:Anna,,,:/home/anna/:/bin/sh\nb:x:8:8::/:/x\nc:x:9:9::x:/x\n"
    ) { users throws in
      var environment: [String: String] = [
        "XDG_CONFIG_HOME": "config", "XDG_RUNTIME_DIR": "run", "XDG_STATE_HOME": ".",
      ]
      environment["HOME"] = home
      let places = AgentPaths(environment: environment, uid: 7, users: users)
      #expect(try places.configuration == "/home/anna/.config/ritual-agent/config.toml")
      #expect(try places.state == "/home/anna/.local/state/ritual-agent")
      #expect(try places.reminders == "/home/anna/.local/state/ritual-notify/reminded")
      for uid in [8, 9, 10] as [UInt32] {
        let unknown = AgentPaths(environment: environment, uid: uid, users: users)
        #expect(throws: AgentPathsError.self) { try unknown.configuration }
        #expect(throws: AgentPathsError.self) { try unknown.keyFile }
      }
      environment["XDG_CONFIG_HOME"] = "/c"
      environment["XDG_RUNTIME_DIR"] = "/r"
      let named = AgentPaths(environment: environment, uid: 10, users: users)
      #expect(try named.configuration == "/c/ritual-agent/config.toml", "what needs no home does not ask for it")
      #expect(try named.socket == "/r/ritual-agent/agent.sock")
    }
  }

  private func withUsers(_ text: String, _ body: (String) throws -> Void) throws {
    var name = Array("/tmp/ritual-users-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      close(file)
      unlink(path)
    }
    #expect(write(file, text, text.utf8.count) == text.utf8.count)
    try body(path)
  }
}
