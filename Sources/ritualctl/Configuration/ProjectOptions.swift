import AgentClient
import AgentConfiguration
import AgentProtocol

/// A project as specified by the options of `init`.
struct ProjectOptions {
  /// The option for each key of the file.
  private static let options = ["url": "--project-url", "anon_key": "--anon-key", "api_url": "--api-url"]

  private(set) var wanted: ConfigurationEdit.RequestedProject
  /// A note about the part that was removed from a pasted URL.
  private(set) var note: Words?

  /// - Throws: wrong usage if a value is invalid by the agent's rules.
  init(name: String, url: String?, anonKey: String?, apiURL: String?) throws {
    guard AccountName.isValid(name) else {
      throw Failure(.usage, "a project name \(AccountName.rule)")
    }
    // As in the dialog, a project ID is accepted, too.
    let plain = url.map(ProjectConfiguration.url(entered:))
    wanted = .init(
      name: name, url: plain, anonKey: anonKey, apiURL: apiURL.map(ProjectConfiguration.withoutTrailingSlashes))
    if let url, url.contains("://"), let plain, plain != url {
      note = "the project URL was saved as \(plain), because Supabase's paths are added to it"
    }
    // A valid placeholder replaces a missing URL or key, so that the given values are validated on
    // their own.
    var project = ProjectConfiguration(url: plain ?? "https://example.org", anonKey: anonKey ?? "key")
    project.apiURL = wanted.apiURL
    guard let complaint = project.validationError else { return }
    throw Failure(
      .usage, "\(Self.options[complaint.key] ?? complaint.key): \(complaint.message)",
      hint: [plain, wanted.apiURL].contains { $0?.lowercased().hasPrefix("http://") == true }
        ? OwnProgram.documents.map { "\($0)/how-to-use-a-server-on-your-network.md" } : nil)
  }

  /// The URL for `ritualctl api`, as written to the file.
  var apiURL: String? { wanted.apiURL }

  /// The options for the given keys, for a message.
  static func shown(_ keys: [String]) -> Words {
    keys.map { options[$0] ?? $0 }.listed()
  }
}

extension ProjectOptions {
  /// The configuration's text with the project added; nil if it already contains the project.
  func added(to text: String, file: Words) throws -> String? {
    switch try ConfigurationEdit(text, file: file.text).adding(wanted) {
    case .changed(let new): return new
    case .unchanged: return nil
    case .differs(let keys):
      throw Failure(
        .failed, "project \(wanted.name) already exists in \(file) with a different \(keys.joined(separator: " and "))",
        hint: "to change it: ritualctl init --update \(wanted.name == "default" ? "" : "--project \(wanted.name) ")"
          + "with \(Self.shown(keys)); or choose another name with --project")
    case .closed, .missing:
      throw Failure(
        .failed, "\(file) defines all projects in one value, which cannot be extended",
        hint: "write each project as its own table, such as [projects.default]")
    }
  }

  /// The text with the project's values changed; nil if they are unchanged.
  func updated(in text: String, file: Words) throws -> String? {
    switch try ConfigurationEdit(text, file: file.text).updating(wanted) {
    case .changed(let new): return new
    case .missing:
      throw Failure(.failed, "\(file) has no project \(wanted.name)", hint: "to add it, omit --update")
    default: return nil
    }
  }
}

/// Accepts the API URL of `init --update` for the project's stored sessions, as `ritualctl use-api`
/// does. A session is bound to the API of its sign-in, and only the user may change that.
struct APIAcceptance {
  private let common: CommonOptions
  private let project: String
  private let url: String

  init(_ common: CommonOptions, _ project: String, _ url: String) {
    (self.common, self.project, self.url) = (common, project, url)
  }

  /// Runs without throwing, because the file has already been changed. Warns about each account
  /// that still uses the old API, and names the command to run.
  ///
  /// - Parameter agentHasRead: whether the agent has read the changed file.
  /// - Returns: the accounts that accepted the API.
  func run(agentHasRead: Bool, _ output: Output) -> [String] {
    guard agentHasRead else {
      warn(output, "the agent has not reloaded the configuration", "", "")
      return []
    }
    do {
      let connection = try common.connect()
      let accounts = try connection.call(SessionList.self).accounts
      guard !accounts.contains(where: { $0.state == .locked }) else {
        warn(output, "the vault is locked", "\n  ritualctl unlock", "")
        return []
      }
      // A misconfigured account has no session from the project's current origin.
      return accounts.filter { $0.project == project && !$0.isSignedOut && $0.state != .misconfigured }.map(\.name)
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
      warn(output, Failure(error), " --account \(account)")
      return false
    }
  }

  private func warn(_ output: Output, _ failure: Failure, _ option: Words) {
    warn(output, failure.message, failure.hints.map { "\n  \($0)" as Words }.joined(), option)
  }

  private func warn(_ output: Output, _ reason: Words, _ steps: Words, _ option: Words) {
    output.warning(
      "stored sessions may not use \(url) yet: \(reason)\(steps)\n  ritualctl use-api\(option)")
  }
}
