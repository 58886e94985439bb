import AgentClient
import AgentConfiguration
import AgentProtocol
import ArgumentParser

/// The output of `ritualctl` without a command: the groups of commands, and the next step.
struct Overview {
  struct Value: Codable {
    /// The commands by group.
    let groups: [Group]
    /// The next sensible step on this machine.
    let next: NextStep
  }

  /// A group of commands. The manual pages are divided in the same way.
  struct Group: Codable {
    /// The title of the group.
    let name: String
    /// The names of its commands.
    var commands: [String]

    init(_ group: CommandGroup) { (name, commands) = (group.name, group.commandNames) }

    /// The group without the commands that no configured project can use.
    var usable: Group {
      var group = self
      if !NextStep.mayHaveProfileAPI { group.commands.removeAll { $0 == ProfileCommand.configuration.commandName } }
      return group
    }
  }

  let value: Value
  /// The purpose of the program, in one sentence.
  let abstract: String

  /// The commands for every day.
  private static let card = [
    ("ritualctl sign-in", "sign in, in the browser or here"),
    ("ritualctl status", "show the accounts and their tokens"),
    ("ritualctl token", "print a valid access token"),
    ("ritualctl exec --egress -- TOOL", "run a tool that never gets the token"),
    ("ritualctl why", "show the last and next refresh, and why"),
  ]

  var text: Words {
    // Beside the longest command there is no room for its purpose on a narrow terminal.
    let card = HelpText.rows(Self.card, maxColumn: HelpText.width < 60 ? 4 : HelpText.width)
    let column = (value.groups.map(\.name.count).max() ?? 0) + 4
    let groups = value.groups.map { group in
      let lines = HelpText.wrapped(group.commands.joined(separator: ", "), indent: column)
      return "  " + group.name + lines.dropFirst(group.name.count + 2)
    }
    let reason = value.next.reason.hasSuffix(".") ? String(value.next.reason.dropLast()) : value.next.reason
    let next = "\(Words(harmless: reason).capitalized). Next:\n  \(value.next.step)"
    let parts = [
      HelpText.wrapped(abstract), card.joined(separator: "\n"), groups.joined(separator: "\n"), next,
      "All commands: ritualctl --help",
    ]
    return Words(harmless: parts.joined(separator: "\n\n"))
  }
}

/// The next sensible step on this machine.
struct NextStep: Codable {
  /// A command, or an instruction if no command helps.
  let step: String
  /// Why it is the next step.
  let reason: String

  private init(_ step: String, _ reason: String) { (self.step, self.reason) = (step, reason) }

  /// Never fails: what prevents an answer determines the step. Takes at most as long as `status`.
  init(_ common: CommonOptions) {
    do {
      self.init(try common.ask(AgentStatusMethod.self, .init(), within: AnswerTimeout.defaults.limit))
    } catch {
      self.init(UnreachableAgent.failure(error, socket: common.socket))
    }
  }

  private init(_ status: AgentStatusMethod.Result) {
    let isSignedIn = !status.accounts.allSatisfy(\.isSignedOut)
    if status.vault.state == "locked" {
      self.init("ritualctl unlock", "the vault is locked")
    } else if isSignedIn {
      self.init("ritualctl status", "you are signed in")
    } else if status.accounts.isEmpty, !Self.isConfigured {
      self = Self.configure
    } else if status.vault.state == "unavailable" {
      self.init("ritualctl status", "the vault cannot be opened")
    } else {
      self.init("ritualctl sign-in", "no account is signed in")
    }
  }

  private init(_ failure: Failure) {
    if failure.kind == "unreachable", !Self.isConfigured {
      self = Self.configure
    } else if failure.exit == .unreachable, let hint = failure.hints.first {
      self.init(hint.text, failure.message.text)
    } else {
      self.init("ritualctl doctor", failure.message.text)
    }
  }

  /// False if projects are configured, and none declares a profile API.
  static let mayHaveProfileAPI: Bool = {
    guard let path = try? AgentPaths.ofThisProcess().configuration,
      let projects = try? Configuration.load(path: path).projects.values
    else { return true }
    return projects.isEmpty || projects.contains(where: \.declaresProfileAPI)
  }()

  private static let configure = NextStep("ritualctl init", "no project is configured")

  /// False if the configuration is missing or has no project. An invalid one is not missing:
  /// `status` and `doctor` explain it.
  private static var isConfigured: Bool {
    guard let path = try? AgentPaths.ofThisProcess().configuration else { return true }
    return (try? Configuration.load(path: path).projects.isEmpty) != true
  }
}
