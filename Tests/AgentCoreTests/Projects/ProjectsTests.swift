import AgentConfiguration
import AgentProtocol
import SupabaseAuth
import Testing

@testable import SessionEngine

@Suite struct ProjectsTests {
  private func configuration(_ urls: [String: String]) -> Configuration {
    var configuration = Configuration()
    for (name, url) in urls { configuration.projects[name] = ProjectConfiguration(url: url, anonKey: "k") }
    return configuration
  }

  private func projects(_ urls: [String: String]) -> Projects {
    Projects(configuration(urls)) { _ in ScriptedAuthServer() }
  }

  @Test("without a name, the only project or the one named default is chosen")
  func chooses() throws {
    #expect(try projects(["a": "https://a.co"]).choose(nil).name == "a")
    #expect(try projects(["a": "https://a.co", "default": "https://b.co"]).choose(nil).name == "default")
    #expect(try projects(["a": "https://a.co", "b": "https://b.co"]).choose("b").origin == "https://b.co")
    #expect(throws: AgentError.self) { try projects(["a": "https://a.co", "b": "https://b.co"]).choose(nil) }
    #expect(throws: AgentError.self) { try projects(["a": "https://a.co"]).choose("z") }
    let none = #expect(throws: AgentError.self) { try projects([:]).choose(nil) }
    #expect(none?.data.hint?.contains("ritualctl init") == true)
  }

  @Test("the error for a missing or unknown project name says what to do")
  func tellsWhatToDo() throws {
    let several = #expect(throws: AgentError.self) {
      try projects(["a": "https://a.co", "b": "https://b.co"]).choose(nil)
    }
    #expect(several?.kind == .misconfigured)
    #expect(several?.message == "Several projects are configured: a, b.")
    #expect(several?.data.hint == "choose one with --project")
    let unknown = #expect(throws: AgentError.self) { try projects(["a": "https://a.co"]).choose("z\u{1B}[31m") }
    #expect(unknown?.kind == .misconfigured)
    #expect(unknown?.message == "There is no project named z\\u{1b}[31m.")
  }

  @Test("projects are sorted by name")
  func sorts() {
    #expect(
      projects(["b": "https://b.co", "a": "https://a.co", "c": "https://c.co"]).all.map(\.name) == ["a", "b", "c"])
    #expect(projects(["b": "https://b.co"]).named("a") == nil)
  }

  @Test("the API origin defaults to the project's origin")
  func namesTheOrigins() throws {
    var configuration = configuration(["a": "HTTPS://A.co:443/base/"])
    let project = try #require(Projects(configuration) { _ in ScriptedAuthServer() }.named("a"))
    #expect(project.origin == "https://a.co")
    #expect(project.apiOrigin == "https://a.co")
    #expect(project.basePath == "/base")
    configuration.projects["a"]?.apiURL = "https://API.a.co/"
    #expect(Projects(configuration) { _ in ScriptedAuthServer() }.named("a")?.apiOrigin == "https://api.a.co")
  }

  @Test("a reload keeps the clients of unchanged servers and returns the others")
  func reloads() throws {
    let projects = projects(["a": "https://a.co", "b": "https://b.co"])
    let kept = try #require(projects.named("a")?.server as? ScriptedAuthServer)
    let gone = projects.apply(configuration(["a": "https://a.co", "b": "https://c.co"]))
    #expect(projects.named("a")?.server as? ScriptedAuthServer === kept)
    #expect(gone.count == 1)
    #expect(projects.named("b")?.origin == "https://c.co")
  }

  @Test("a change of API settings keeps the client, a change of server settings replaces it")
  func keepsClients() throws {
    var configuration = configuration(["a": "https://a.co"])
    let projects = Projects(configuration) { _ in ScriptedAuthServer() }
    let first = try #require(projects.named("a")?.server as? ScriptedAuthServer)
    configuration.projects["a"]?.apiURL = "https://api.a.co"
    #expect(projects.apply(configuration).isEmpty)
    #expect(projects.named("a")?.apiOrigin == "https://api.a.co")
    #expect(projects.named("a")?.server as? ScriptedAuthServer === first)
    configuration.projects["a"]?.anonKey = "renewed"
    let gone = projects.apply(configuration)
    #expect(gone.map { $0 as? ScriptedAuthServer === first } == [true])
    #expect(projects.named("a")?.server as? ScriptedAuthServer !== first)
    #expect(projects.apply(Configuration()).count == 1)
    #expect(projects.all.isEmpty)
  }

  @Test("a project under another name has its own client")
  func doesNotShareClients() {
    let projects = projects(["a": "https://a.co"])
    let gone = projects.apply(configuration(["b": "https://a.co"]))
    #expect(gone.count == 1)
    #expect(projects.named("b")?.server as? ScriptedAuthServer !== gone.first as? ScriptedAuthServer)
  }
}
