import AgentClient
import AgentProtocol
import ArgumentParser

/// `init`: adds a project to the configuration.
struct InitCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Add a Supabase project to the configuration.",
    discussion: "A running agent reads the configuration again and asks the project whether it answers.")

  @Option(name: .customLong("project-url"), help: ArgumentHelp("The project, https://….", valueName: "url"))
  var projectURL: String
  @Option(help: ArgumentHelp("Its anon (publishable) key, which is public.", valueName: "key"))
  var anonKey: String
  @Option(
    name: .customLong("api-url"),
    help: ArgumentHelp("Where `ritualctl api` goes; the project if not given.", valueName: "url"))
  var apiURL: String?
  @Option(help: ArgumentHelp("The project's name here.", valueName: "name"))
  var project = "default"
  @Option(help: ArgumentHelp("The configuration.", valueName: "file"))
  var config: String?
  @OptionGroup var common: CommonOptions

  /// The agent asks the project for 5 s at most.
  private static let patience = Duration.seconds(10)

  func perform(_ output: Output) throws -> ExitStatus {
    let block = try ProjectBlock(name: project, url: projectURL, anonKey: anonKey, apiURL: apiURL)
    let file = try ConfigurationFile(path: config ?? Places.ofThisProcess().configuration)
    try file.append(block)
    let warning = try reload()
    // The document has it as a member of its own.
    if let warning, !output.json { output.warning(warning) }
    try output.answer(InitAnswer(value: .init(configuration: file.path, project: project, warning: warning)))
    return .done
  }

  /// Has a running agent read the file.
  /// - Returns: what is worth knowing; the project was added all the same.
  private func reload() throws -> String? {
    do {
      let connection = try common.connect()
      let result = try connection.call(AgentReload.self, AgentReload.Params(check: project), timeout: Self.patience)
      return result.warning.map { ForeignText.shown($0, limit: 1000) }
    } catch let error as AgentClientError where error.code == .unreachable {
      return Self.words("no agent runs that could read it", error.hint)
    } catch let error as AgentClientError {
      return Self.words("\(error)", error.hint)
    } catch let error as AgentError where config != nil {
      // The agent may well read another file than the one that was named.
      let message = ForeignText.shown(error.message, limit: 1000)
      return Self.words(
        "the running agent did not take it: \(message)", error.data.hint.map { ForeignText.shown($0, limit: 1000) })
    }
  }

  /// The complaint, and the next step below it.
  private static func words(_ complaint: String, _ hint: String?) -> String {
    hint.map { "\(complaint)\n  \($0)" } ?? complaint
  }
}

private struct InitAnswer: Answer {
  struct Added: Encodable {
    let configuration: String
    let project: String
    let warning: String?
  }

  let value: Added

  func text(_ style: Style) -> String {
    "project \(value.project) added to \(ForeignText.shown(value.configuration, limit: 4096))"
  }
}
