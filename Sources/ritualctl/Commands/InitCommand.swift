import AgentClient
import AgentConfiguration
import AgentProtocol
import ArgumentParser

struct InitCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Add a Supabase project to the configuration, or change one.",
    discussion: """
      On a terminal, asks for the project URL and the key if they are not given, and checks both before anything is \
      written.

      A running agent reloads the configuration and checks whether the project responds. A configuration that the \
      agent would refuse is not written. Adding a project that already exists with the same values changes nothing; \
      --update changes its values in place and keeps everything else in the file. A changed API URL is also accepted \
      for the project's sessions, as with `ritualctl use-api`.
      """
  ).examples(
    "ritualctl init --project-url https://PROJECT.supabase.co --anon-key KEY",
    "# Send API requests to your own server", "ritualctl init --update --api-url https://api.example.org")
  static let documents = [JSONDocument(InitChange.self)]

  @Option(
    name: .customLong("project-url"), help: ArgumentHelp("Project URL, https://…, or project ID.", valueName: "url"))
  var projectURL: String?
  @Option(help: ArgumentHelp("The project's anon (publishable) key, which is public.", valueName: "key"))
  var anonKey: String?
  @Option(
    name: .customLong("api-url"),
    help: ArgumentHelp("Base URL for `ritualctl api`; by default the project URL.", valueName: "url"))
  var apiURL: String?
  @Option(
    help: ArgumentHelp("Name of the project in the configuration.", valueName: "name"),
    completion: .custom(Completion.projects))
  var project = "default"
  @Flag(help: "Change the URL, key, or API URL of an existing project.")
  var update = false
  @Option(help: ArgumentHelp("Configuration file.", valueName: "file"), completion: .file())
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
      guard !asks || ControllingTerminal.isInUse && !common.json else {
        throw ValidationError(
          "give --project-url and --anon-key, or run this on a terminal without --json to be asked for them; "
            + "to change a project, use --update")
      }
    }
  }

  /// Whether the user is asked for the missing values.
  private var asks: Bool { !update && (projectURL == nil || anonKey == nil) }

  func perform(_ output: Output) throws -> ExitStatus {
    let file = try ConfigurationFile(path: try config ?? AgentPaths.ofThisProcess().configuration)
    let options =
      asks
      ? try askedOptions(file) : try ProjectOptions(name: project, url: projectURL, anonKey: anonKey, apiURL: apiURL)
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
      if let warning, !asks || reloaded?.start == nil { output.warning(warning) }
    }
    let change = changed == nil ? "none" : update ? "updated" : "added"
    let answer = InitChange(
      apiAccepted: accepted, change: change, configuration: file.path, note: options.note?.text, project: project,
      warning: warning?.text)
    try output.answer(answer, answer.words(apiURL: options.apiURL))
    if asks { showNextSteps(reloaded?.start, output) }
    return .done
  }

  /// Asks for the missing values on the terminal, and checks the project.
  private func askedOptions(_ file: ConfigurationFile) throws -> ProjectOptions {
    // An invalid file and an existing project are reported before the first question.
    guard try file.current().projects[project] == nil else {
      let name: Words = project == "default" ? "" : "--project \(project) "
      throw Failure(
        .failed, "project \(project) already exists in \(file.shownPath)",
        hint: "to change it: ritualctl init --update \(name)with --project-url, --anon-key, or --api-url; "
          + "to add another project: ritualctl init --project NAME")
    }
    guard let terminal = ControllingTerminal.open() else {
      throw Failure(.usage, "there is no terminal to ask for the project", hint: "give --project-url and --anon-key")
    }
    var dialog = ProjectDialog(
      terminal: terminal, name: project, url: projectURL, anonKey: anonKey, apiURL: apiURL)
    return try dialog.options()
  }

  /// - Parameter start: the command that starts the agent; nil if it runs.
  private func showNextSteps(_ start: Words?, _ output: Output) {
    let signIn: Words = "ritualctl sign-in" + (project == "default" ? "" : " --account \(project) --project \(project)")
    guard let start else { return output.note("next, sign in:\n  \(signIn)") }
    output.note("next, start the agent and sign in:\n  \(start)\n  \(signIn)")
  }

  private struct Reloaded {
    let warning: Words?
    var hasRead = false
    /// The command that starts the agent, if it does not run.
    var start: Words?
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
      // The dialog has already checked the project.
      let result = try call(file, check: asks ? nil : project)
      return Reloaded(
        warning: result.warning.map { Words($0, limit: 1000) }, hasRead: result.reloaded == true)
    } catch let error as AgentClientError {
      var failure = UnreachableAgent.failure(error, socket: common.socket)
      guard error.unusedSocket != nil else { return Reloaded(warning: failure.text()) }
      failure.message = "the agent is not running"
      let start = failure.hints.first
      failure.hints = start.map { [$0] } ?? []
      return Reloaded(warning: failure.text(), start: start)
    } catch let error as AgentError where error.kind == .misconfigured {
      throw RefusedByAgent(error: error)
    } catch let error as AgentError {
      let failure = Failure(error)
      let hint: Words = failure.hints.first.map { "\n  \($0)" } ?? ""
      return Reloaded(warning: "the agent did not reload it: \(failure.message)\(hint)")
    }
  }

  private func call(_ file: String, check: String?) throws -> AgentReload.Result {
    try common.connect().call(
      AgentReload.self, AgentReload.Params(check: check, file: file), timeout: Self.reloadTimeout)
  }
}

/// The document of `init`.
struct InitChange: Codable {
  /// The accounts that accepted the API of `--api-url`; absent without that option.
  let apiAccepted: [String]?
  /// `added`, `updated` or `none`.
  let change: String
  /// The path of the configuration file.
  let configuration: String
  /// A note about the part that was removed from a pasted URL.
  let note: String?
  /// The project's name.
  let project: String
  /// A problem with the reload of a running agent, or with the project.
  let warning: String?

  func words(apiURL: String?) -> Words {
    guard let names = apiAccepted, !names.isEmpty, let apiURL else { return changeWords }
    return "\(changeWords)\nrequests of \(names.listed()) may now be sent to \(apiURL)"
  }

  private var changeWords: Words {
    let file = Words(configuration, limit: 4096)
    return switch change {
    case "added": "project \(project) added to \(file)"
    case "updated": "project \(project) updated in \(file)"
    default: "project \(project) is already configured in \(file); nothing was changed"
    }
  }
}

/// `reload`: makes the agent read its configuration again; also run by `systemctl --user reload
/// ritual-agent`.
struct ReloadCommand: CallCommand {
  typealias Method = AgentReload
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Reload the agent's configuration.",
    discussion: "An invalid file makes the reload fail with exit status 1: the error names the file, line, and column, "
      + "and the old settings stay in effect."
  ).examples("ritualctl reload")

  @OptionGroup var common: CommonOptions

  var params: AgentReload.Params { AgentReload.Params() }

  func text(_ result: AgentReload.Result, _ style: Style) -> Words {
    guard !result.projects.isEmpty else { return "configuration reloaded; it contains no project" }
    return "configuration reloaded; projects: \(result.projects.listed())"
  }
}
