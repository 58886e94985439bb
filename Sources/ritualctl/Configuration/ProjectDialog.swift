import AgentConfiguration
import AgentProtocol
import FoundationEssentials

/// The questions of `init` on a terminal: the project's URL and key. Both are checked before
/// anything is written. Ctrl-C and Ctrl-D cancel.
struct ProjectDialog {
  let terminal: ControllingTerminal
  let name: String
  var url: String?
  var anonKey: String?
  let apiURL: String?

  /// The choices of the user if the check did not succeed.
  private enum Step: CaseIterable {
    case url, key, again, save

    var choice: Menu.Choice {
      switch self {
      case .url: .init(title: "Enter the URL again", name: "url")
      case .key: .init(title: "Enter the key again", name: "key")
      case .again: .init(title: "Check again", name: "again")
      case .save: .init(title: "Save without a successful check", name: "save")
      }
    }
  }

  /// Asks for the missing values, until the project accepts them or the user saves them unchecked.
  mutating func options() throws -> ProjectOptions {
    // Checks the given values before the first question.
    _ = try ProjectOptions(name: name, url: url, anonKey: anonKey, apiURL: apiURL)
    try terminal.show(
      """
      Connect a Supabase project. Its dashboard, https://supabase.com/dashboard, shows both values \
      under Project Settings: the Project URL on the page Data API, and the publishable (anon) key on \
      the page API Keys.
      Nothing is saved before both are checked. Ctrl-C cancels.
      """)
    while true {
      let options = try ProjectOptions(name: name, url: try enteredURL(), anonKey: try enteredKey(), apiURL: apiURL)
      try terminal.show("Checking \(options.wanted.url ?? "") …")
      switch try next(ProjectProbe.run(options)) {
      case .save: return options
      case .url: url = nil
      case .key: anonKey = nil
      case .again: break
      }
    }
  }

  private mutating func enteredURL() throws -> String {
    while true {
      if let url { return url }
      let entered = ProjectConfiguration.url(entered: Menu.trimmed(try terminal.ask("Project URL or project ID: ")))
      if let error = ProjectConfiguration(url: entered, anonKey: "key").validationError {
        try terminal.show("\(error.message)\n  example: https://abcdefghijklmnopqrst.supabase.co")
      } else {
        url = entered
      }
    }
  }

  private mutating func enteredKey() throws -> String {
    while true {
      if let anonKey { return anonKey }
      let entered = Menu.trimmed(try terminal.ask("Publishable or anon key: "))
      if let error = ProjectConfiguration(url: "https://example.org", anonKey: entered).validationError {
        try terminal.show("\(error.message)")
      } else {
        anonKey = entered
      }
    }
  }

  /// Shows the result of the check. If it did not succeed, asks what to do.
  private func next(_ result: ProjectProbe.Finding) throws -> Step {
    let steps: [Step]
    switch result {
    case .accepted(let note):
      try terminal.show("The project responds and accepts the key." + (note.map { "\n" + $0 } ?? ""))
      return .save
    case .keyRejected: steps = [.key, .url, .again, .save]
    case .failed: steps = [.url, .key, .again, .save]
    case .unchecked: steps = [.save, .url, .key]
    }
    try terminal.show(result.words)
    return steps[try Menu(question: "What next?", choices: steps.map(\.choice)).choose(on: terminal)]
  }
}

/// Checks a project before it is configured: `ritual-agentd` sends one request to it, as the agent
/// would. No agent needs to run, and no file is written.
enum ProjectProbe {
  enum Finding {
    /// The project accepts the key. The note is for the user.
    case accepted(note: Words?)
    case keyRejected
    /// The URL is wrong, or the project cannot be reached. The text names cause and next step.
    case failed(Words)
    /// The check could not be made.
    case unchecked(Words)

    var words: Words {
      switch self {
      case .accepted(let note): note ?? ""
      case .keyRejected: "The project responds, but rejects the key. Copy it again from the page API Keys."
      case .failed(let words), .unchecked(let words): words
      }
    }
  }

  /// Longer than the checks take, which end after 8 s.
  private static let timeout = Duration.seconds(15)

  static func run(_ project: ProjectOptions) throws -> Finding {
    guard let program = OwnProgram.path("ritual-agentd") else {
      return .unchecked("The project cannot be checked, because ritual-agentd is not installed.")
    }
    let text = try project.added(to: "", file: "") ?? ""
    let answer: String?
    do {
      answer = try CapturedTool.run(program, ["--check-project", project.wanted.name], input: text, within: timeout)
    } catch {
      return .unchecked("The project cannot be checked, because \(program) cannot be started.")
    }
    guard let answer, let checks = try? WireCoding.decode([DiagnosticCheck].self, from: Data(answer.utf8))
    else { return .unchecked("The project cannot be checked: \(program) reported no result.") }
    return judge(checks)
  }

  private static func judge(_ checks: [DiagnosticCheck]) -> Finding {
    let failed = checks.filter { $0.outcome == .fail }
    if failed.contains(where: { $0.name == "key" }) { return .keyRejected }
    if let check = failed.first(where: { ["project", "tls"].contains($0.name) }) {
      return .failed("Check failed: " + words(check))
    }
    guard checks.contains(where: { $0.name == "key" && $0.outcome == .ok }) else {
      return .unchecked("The check of the project had no result.")
    }
    let methods = checks.first { $0.name == "methods" }
    return .accepted(note: methods.map { words($0).capitalized })
  }

  /// The finding and the next step. Steps that name a setting of the file do not apply yet.
  private static func words(_ check: DiagnosticCheck) -> Words {
    let next = check.next.map { $0.contains("[projects.") ? "check the network and the Project URL" : $0 }
    return ([check.words] + [next].compactMap { $0 }).map { Words($0, limit: 1000) }
      .joined(separator: "\n  ")
  }
}
