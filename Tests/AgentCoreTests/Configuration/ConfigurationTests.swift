import FoundationEssentials
import SystemSupport
import Testing

@testable import AgentConfiguration
@testable import SessionEngine

@Suite struct ConfigurationTests {
  @Test("OP-3: reads the keys of projects and sign-in")
  func readsEveryKey() throws {
    let text = """
      # a comment
      [projects.prod]
      url = "https://abc.supabase.co/"
      anon_key = "key"
      api_url = "https://api.example.org"
      api_encoded_slashes = true
      profile_path = "/rest/v1/profiles"
      ca_file = "/etc/ca.pem"
      only_this_ca = true
      proxy = "http://proxy.example.org:3128"
      redirect_scheme = "my-app"

      [sign_in]
      redirect = "manual"
      timeout = 90
      password_attempts_per_hour = 3
      """
    let configuration = try Configuration.parse(text, file: "c.toml")
    var project = ProjectConfiguration(url: "https://abc.supabase.co/", anonKey: "key")
    project.apiURL = "https://api.example.org"
    project.apiEncodedSlashes = true
    project.profilePath = "/rest/v1/profiles"
    project.declaresProfileAPI = true
    project.caFile = "/etc/ca.pem"
    project.onlyThisCA = true
    project.proxy = "http://proxy.example.org:3128"
    project.redirectScheme = "my-app"
    #expect(configuration.projects == ["prod": project])
    #expect(configuration.signIn == SignInConfiguration(redirect: "manual", timeout: 90, passwordAttemptsPerHour: 3))
  }

  @Test("LK-2, LK-3, VA-4: reads the other tables; 0 seconds of idle_lock mean never")
  func readsTheOtherTables() throws {
    func parse(_ text: String) throws -> Configuration { try Configuration.parse(text, file: "c.toml") }
    #expect(try parse("[linking]\npolicy = \"confirm\"").signIn.confirmsLinks)
    #expect(try !parse("[linking]\npolicy = \"automatic\"").signIn.confirmsLinks)
    #expect(try parse("[vault]\nidle_lock = 60").vault.idleTime == .seconds(60))
    #expect(try parse("[vault]\nidle_lock = 0").vault.idleTime == nil)
    for isOn in [true, false] {
      let vault = try parse("[vault]\nlock_with_session = \(isOn)\nkeep_unlocked_over_restart = \(!isOn)").vault
      #expect(vault.locksWithSession == isOn && vault.staysUnlockedAcrossRestart == !isOn)
    }
    #expect(Configuration().agent.enablesService && Configuration().audit.keepDays == 90)
    #expect(try !parse("[agent]\nautostart = false").agent.enablesService)
    #expect(try parse("[audit]\nkeep_days = 30").audit.keepDays == 30)
    for text in ["[agent]\nautostart = 0", "[audit]\nkeep_days = 0"] {
      #expect(throws: ConfigurationError.self) { try parse(text) }
    }
  }

  @Test("no description shows the anon key")
  func printsRedacted() throws {
    let text = "[projects.a]\nurl = \"https://x.co\"\nanon_key = \"the-key-itself\""
    let configuration = try Configuration.parse(text, file: "c.toml")
    let project = Project(
      name: "a", settings: try #require(configuration.projects["a"]),
      endpoint: try #require(configuration.projects["a"]).endpoint(), server: ScriptedAuthServer())
    var dumped = ""
    dump(configuration, to: &dumped)
    dump(project, to: &dumped)
    for shown in ["\(configuration)", String(reflecting: configuration), dumped, "\(project)"] {
      #expect(!shown.contains("the-key-itself"), "\(shown)")
    }
    #expect("\(configuration)".contains("https://x.co"))
  }

  @Test(
    "suggests the nearest key, and none that is too different",
    arguments: [
      ("anon_kye", "anon_key"), ("anonKey", "anon_key"), ("ANON-KEY", "anon_key"), ("ulr", "url"), ("URL", "url"),
      ("key", nil), ("colour", nil), (String(repeating: "x", count: 100_000), nil),
    ] as [(String, String?)])
  func suggests(name: String, meant: String?) {
    #expect(NearestName.suggestion(name, among: ConfigurationSchema.project.map(\.name)) == meant)
  }
}
