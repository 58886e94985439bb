import AgentClient
import AgentConfiguration
import AgentProtocol

/// A project as the options of `init` name it.
struct ProjectOptions {
  /// The options of the file's keys.
  private static let options = ["url": "--project-url", "anon_key": "--anon-key", "api_url": "--api-url"]

  private(set) var wanted: ConfigurationEdit.Wanted
  /// What was left out of a pasted URL, in words.
  private(set) var note: String?

  /// - Throws: wrong usage, where a value cannot be right by the agent's own rules.
  init(name: String, url: String?, anonKey: String?, apiURL: String?) throws {
    guard AccountName.isValid(name) else {
      throw Failure(
        .usage, "a project's name is 1 to 32 of a-z, 0-9, dot, hyphen, underscore, and begins with a letter or digit")
    }
    let plain = url.map(ProjectConfiguration.withoutServicePath)
    wanted = .init(
      name: name, url: plain, anonKey: anonKey, apiURL: apiURL.map(ProjectConfiguration.withoutTrailingSlashes))
    if let url, let plain, plain != url {
      note = "the project URL is written as \(ForeignText.shown(plain)): Supabase's paths are added to it"
    }
    // Without a URL or a key of its own, any valid one stands in: the others are judged by themselves.
    var project = ProjectConfiguration(url: plain ?? "https://example.org", anonKey: anonKey ?? "key")
    project.apiURL = wanted.apiURL
    guard let complaint = project.complaint else { return }
    throw Failure(.usage, "\(Self.options[complaint.key] ?? complaint.key): \(complaint.message)")
  }

  /// Where `ritualctl api` is to go, as the file has it.
  var apiURL: String? { wanted.apiURL }

  /// The options, for the words about them.
  static func shown(_ keys: [String]) -> String {
    keys.map { options[$0] ?? $0 }.joined(separator: ", ")
  }
}

extension ProjectOptions {
  /// The text of the configuration with the project in it; nil where it is there already.
  func added(to text: String, file: String) throws -> String? {
    switch try ConfigurationEdit(text, file: file).adding(wanted) {
    case .changed(let new): return new
    case .unchanged: return nil
    case .differs(let keys):
      throw Failure(
        .failed, "\(file) has a project \(wanted.name) already, with another \(keys.joined(separator: " and "))",
        hint: "to change it: ritualctl init --update \(wanted.name == "default" ? "" : "--project \(wanted.name) ")"
          + "with \(Self.shown(keys)); or give this one another name with --project")
    case .closed, .missing:
      throw Failure(
        .failed, "\(file) has all projects in one value, to which nothing can be appended",
        hint: "write each project as a table of its own, such as [projects.default]")
    }
  }

  /// The text with the project's values changed; nil where they are as they should be.
  func updated(in text: String, file: String) throws -> String? {
    switch try ConfigurationEdit(text, file: file).updating(wanted) {
    case .changed(let new): return new
    case .missing:
      throw Failure(.failed, "\(file) has no project \(wanted.name)", hint: "to add it, leave out --update")
    default: return nil
    }
  }
}

/// Accepts the API that `init --update` names for the stored sessions of the project, as `ritualctl use-api` does. A session is
/// bound to the API of its sign-in, and only the user may change that.
struct APIAcceptance {
  private let common: CommonOptions
  private let project: String
  private let url: String

  init(_ common: CommonOptions, _ project: String, _ url: String) {
    (self.common, self.project, self.url) = (common, project, url)
  }

  /// Throws nothing, because the file is changed already. Warns about each account that still has the old API, and names the
  /// command to run.
  ///
  /// - Parameter agentHasRead: whether the agent runs with this very file.
  /// - Returns: the accounts that have accepted it.
  func run(agentHasRead: Bool, _ output: Output) -> [String] {
    guard agentHasRead else {
      warn(output, "the agent has not read it", "", "")
      return []
    }
    do {
      let connection = try common.connect()
      let accounts = try connection.call(SessionList.self).accounts
      guard !accounts.contains(where: { $0.state == .locked }) else {
        warn(output, "the vault is locked", "\n  ritualctl unlock", "")
        return []
      }
      return accounts.filter { $0.project == project && $0.hasSession }.map(\.name)
        .filter { accepts($0, connection, output) }
    } catch {
      warn(output, Failure(error), "")
      return []
    }
  }

  private func accepts(_ account: String, _ connection: AgentConnection, _ output: Output) -> Bool {
    do {
      _ = try connection.call(SessionUseAPI.self, AccountParams(account: account))
      return true
    } catch {
      warn(output, Failure(error), " --account \(ForeignText.shown(account))")
      return false
    }
  }

  private func warn(_ output: Output, _ failure: Failure, _ option: String) {
    warn(output, failure.message, failure.hints.map { "\n  " + $0 }.joined(), option)
  }

  private func warn(_ output: Output, _ reason: String, _ steps: String, _ option: String) {
    output.warning(
      "stored sessions are not used for \(ForeignText.shown(url)) yet: \(reason)\(steps)\n  ritualctl use-api\(option)")
  }
}

extension AccountStatus {
  /// Whether there is a session that the project's present origin issued.
  fileprivate var hasSession: Bool { ![.unauthenticated, .signInNeeded, .misconfigured].contains(state) }
}
