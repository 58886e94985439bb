import AgentProtocol
import Testing

@Suite struct NamesAndPlacesTests {
  @Test(
    "SI-15: the rule for names",
    arguments: [
      ("work", true), ("0", true), ("a.b_c-d", true), (String(repeating: "a", count: 32), true),
      ("", false), ("-a", false), (".a", false), ("A", false), ("a b", false), ("ä", false), ("a/b", false),
      ("anna@example.org", false), (String(repeating: "a", count: 33), false),
    ])
  func namesKeepToTheRule(name: String, isValid: Bool) {
    #expect(AccountName.isValid(name) == isValid)
  }

  @Test func placesFollowTheEnvironment() {
    let places = Places(
      environment: [
        "HOME": "/home/a", "XDG_RUNTIME_DIR": "/run/user/7", "XDG_STATE_HOME": "relative", "XDG_DATA_HOME": "/data",
      ], uid: 7)
    #expect(places.socket == "/run/user/7/ritual-agent/agent.sock")
    #expect(places.configuration == "/home/a/.config/ritual-agent/config.toml")
    #expect(places.state == "/home/a/.local/state/ritual-agent", "a path that is not absolute is ignored")
    #expect(places.keyFile == "/data/ritual-agent/vault.key")
  }

  @Test func theSocketCanBeNamed() {
    let named = Places(environment: ["RITUAL_AGENT_SOCKET": "/s", "XDG_RUNTIME_DIR": "/r"], uid: 7)
    #expect(named.socket == "/s")
  }

  @Test("cron and su: without a runtime folder of the user's own, the state folder")
  func theSocketHasALastResort() {
    // No user of this machine has this uid, so /run/user/UID is not theirs.
    let bare = Places(environment: ["HOME": "/home/a"], uid: 4_000_000_001)
    #expect(bare.socket == "/home/a/.local/state/ritual-agent/run/agent.sock")
  }
}
