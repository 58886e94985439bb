import AgentClient
import AgentProtocol
import ArgumentParser

/// `init`: adds a project to the configuration, or changes one.
struct InitCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Add a Supabase project to the configuration, or change one.",
    discussion: """
      A running agent reloads the configuration and checks whether the project responds. A configuration that the \
      agent would refuse is not written. Adding a project that already exists with the same values changes nothing; \
      --update changes its values in place and keeps everything else in the file. A changed API URL is also accepted \
      for the project's sessions, as by `ritualctl use-api`.
      """
  ).examples(
    "ritualctl init --project-url https://PROJECT.supabase.co --anon-key KEY",
    "# Send API requests to your own server", "ritualctl init --update --api-url https://api.example.org")

  @Option(name: .customLong("project-url"), help: ArgumentHelp("Project URL, https://….", valueName: "url"))
  var projectURL: String?
  @Option(help: ArgumentHelp("The project's anon (publishable) key, which is public.", valueName: "key"))
  var anonKey: String?
  @Option(
    name: .customLong("api-url"),
    help: ArgumentHelp("Base URL for `ritualctl api`; by default the project URL.", valueName: "url"))
  var apiURL: String?
  @Option(help: ArgumentHelp("Name of the project in the configuration.", valueName: "name"))
  var project = "default"
  @Flag(help: "Change the URL, key, or API URL of an existing project.")
  var update = false
  @Option(help: ArgumentHelp("Configuration file.", valueName: "file"))
  var config: String?
  @OptionGroup var common: CommonOptions

  /// The timeout of a reload. The agent checks the project for at most 5 s.
  private static let reloadTimeout = Duration.seconds(10)

  func validate() throws {
    if update {
      guard projectURL != nil || anonKey != nil || apiURL != nil else {
        throw ValidationError("--update requires --project-url, --anon-key, or --api-url")
      }
    } else {
      guard projectURL != nil, anonKey != nil else {
        throw ValidationError("--project-url and --anon-key are required, unless --update is given")
      }
    }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let options = try ProjectOptions(name: project, url: projectURL, anonKey: anonKey, apiURL: apiURL)
    let file = try ConfigurationFile(path: try config ?? AgentPaths.ofThisProcess().configuration)
    let changed, reloaded: Reloaded?
    do {
      changed = try file.change({ text in
        try update ? options.updated(in: text, file: file.shownPath) : options.added(to: text, file: file.shownPath)
      }) { try reload(file.path) }
      // If nothing was written, a refusal restores nothing, but manual edits of the file still take
      // effect.
      reloaded = try changed ?? (update ? reload(file.path) : nil)
    } catch let refused as RefusedByAgent {
      // The old file is restored. The agent kept its settings; this reload clears its complaint
      // about the file.
      _ = try? call(file.path, check: nil)
      throw refused.failure
    }
    let warning = reloaded?.warning
    // --api-url asks for acceptance, also if the file already has that URL.
    let acceptance = update && apiURL != nil ? APIAcceptance(common, project, options.apiURL ?? "") : nil
    let accepted = acceptance?.run(agentHasRead: reloaded?.hasRead == true, output)
    // The JSON document has members for both.
    if !output.json {
      if let note = options.note { output.note(note) }
      if let warning { output.warning(warning) }
    }
    let change = changed == nil ? "none" : update ? "updated" : "added"
    try output.answer(
      InitAnswer(
        value: .init(
          apiAccepted: accepted, change: change, configuration: file.path, note: options.note, project: project,
          warning: warning), apiURL: options.apiURL))
    return .done
  }

  private struct Reloaded {
    let warning: String?
    var hasRead = false
  }

  /// The running agent refuses the file.
  private struct RefusedByAgent: Error {
    let error: AgentError

    var failure: Failure {
      var failure = Failure(error)
      failure.message = "the agent rejected this configuration, and nothing was changed: \(failure.message)"
      failure.hints = []
      return failure
    }
  }

  /// Makes a running agent read the file.
  /// - Returns: a warning, if any; the file stays in place.
  /// - Throws: `RefusedByAgent` if the agent refuses the file.
  private func reload(_ file: String) throws -> Reloaded {
    do {
      let result = try call(file, check: project)
      return Reloaded(
        warning: result.warning.map { ForeignText.shown($0, limit: 1000) }, hasRead: result.reloaded == true)
    } catch let error as AgentClientError where error.code == .unreachable {
      return Reloaded(warning: Self.words("the agent is not running", error.hint))
    } catch let error as AgentClientError {
      return Reloaded(warning: Self.words("\(error)", error.hint))
    } catch let error as AgentError where error.kind == .misconfigured {
      throw RefusedByAgent(error: error)
    } catch let error as AgentError {
      let failure = Failure(error)
      return Reloaded(warning: Self.words("the agent did not reload it: \(failure.message)", failure.hints.first))
    }
  }

  private func call(_ file: String, check: String?) throws -> AgentReload.Result {
    try common.connect().call(
      AgentReload.self, AgentReload.Params(check: check, file: file), timeout: Self.reloadTimeout)
  }

  /// The message, followed by the next step on an indented line.
  private static func words(_ complaint: String, _ hint: String?) -> String {
    hint.map { "\(complaint)\n  \($0)" } ?? complaint
  }
}

private struct InitAnswer: Answer {
  struct Change: Encodable {
    /// The accounts that accepted the API of `--api-url`; absent without that option.
    let apiAccepted: [String]?
    /// `added`, `updated` or `none`.
    let change: String
    let configuration: String
    /// A note about the part that was removed from a pasted URL.
    let note: String?
    let project: String
    let warning: String?
  }

  let value: Change
  let apiURL: String?

  func text(_ style: Style) -> String {
    guard let names = value.apiAccepted, !names.isEmpty, let apiURL else { return change }
    return "\(change)\nrequests of \(names.map { ForeignText.shown($0) }.joined(separator: ", ")) may now be sent to "
      + ForeignText.shown(apiURL)
  }

  private var change: String {
    let file = ForeignText.shown(value.configuration, limit: 4096)
    return switch value.change {
    case "added": "project \(value.project) added to \(file)"
    case "updated": "project \(value.project) updated in \(file)"
    default: "project \(value.project) is already configured in \(file); nothing was changed"
    }
  }
}

/// `reload`: makes the agent read its configuration again; also run by `systemctl --user reload
/// ritual-agent`.
struct ReloadCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Reload the agent's configuration.",
    discussion: "An invalid file makes the reload fail with exit status 1: the error names the file, line, and column, "
      + "and the old settings stay in effect."
  ).examples("ritualctl reload")

  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let result = try common.connect().call(AgentReload.self, AgentReload.Params())
    try output.answer(ReloadAnswer(value: result))
    return .done
  }
}

private struct ReloadAnswer: Answer {
  let value: AgentReload.Result

  func text(_ style: Style) -> String {
    guard !value.projects.isEmpty else { return "configuration reloaded; it contains no project" }
    return "configuration reloaded; projects: " + value.projects.map { ForeignText.shown($0) }.joined(separator: ", ")
  }
}
