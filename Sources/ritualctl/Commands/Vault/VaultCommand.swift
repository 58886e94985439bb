import AgentClient
import AgentProtocol
import ArgumentParser

/// `vault`: the group of commands for the vault.
struct VaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vault",
    abstract: "Manage the vault and its keys.",
    subcommands: [
      VaultStatusCommand.self, VaultVerifyCommand.self, VaultAddKeyCommand.self, VaultRemoveKeyCommand.self,
      VaultRekeyCommand.self, VaultAdoptCommand.self,
    ]
  ).examples("ritualctl vault status", "ritualctl vault add-key --passphrase")
}

/// `vault status`: shows the vault's state and its keys.
struct VaultStatusCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the state of the vault, its keys, and what they protect.",
    discussion: "Exits with 0 if the vault is open, else with 5."
  ).examples("ritualctl vault status", "ritualctl vault status --json | jq -r .state")
  static let documents = [JSONDocument(VaultStatus.Result.self)]

  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let status = try common.ask(VaultStatus.self, Empty(), within: timeout.limit)
    try output.answer(VaultStatusAnswer(value: status))
    return ["open", "copied"].contains(status.state) ? .done : .vaultLocked
  }
}

private struct VaultStatusAnswer: Answer {
  let value: VaultStatus.Result

  func text(_ style: Style) -> String {
    var table = Table(gaps: [2, 2])
    table.rows = value.keys.map { key in
      [.init(ForeignText.shown(key.id)), .init(key.kind.displayName), .init(Self.cost(key))]
    }
    let remarks = value.protection + [home, rekeying, value.memoryWarning].compactMap { $0 }
    let damaged = value.damaged.map { "\($0.file): \($0.state)" }
    return
      ([stateLine] + table.lines(style).map { "  " + $0 }
      + (remarks + damaged).map { ForeignText.shown($0, limit: 1000) }).joined(separator: "\n")
  }

  private var stateLine: String {
    let state = "vault \(ForeignText.shown(value.state))"
    if let kind = value.openedBy { return "\(state) (\(kind.displayName))" }
    return value.lockedBy.map { "\(state) (\(Self.reason($0)))" } ?? state
  }

  private static func reason(_ cause: String) -> String {
    switch cause {
    case "hand": "manually; run ritualctl unlock"
    case "idle": "after the idle timeout"
    case "session": "with the desktop session"
    case "start": "no key was available when the agent started"
    default: ForeignText.shown(cause)
    }
  }

  private static func cost(_ key: VaultKey) -> String {
    guard let passes = key.passes, let memory = key.memory else { return "" }
    return "Argon2id, \(memory >> 20) MiB, \(passes) \(passes == 1 ? "pass" : "passes")"
  }

  private var home: String? {
    value.machine == "other"
      ? "The vault was copied from another machine, and nothing is refreshed: ritualctl vault adopt" : nil
  }

  private var rekeying: String? {
    value.isRekeying ? "A change of the master key was interrupted: ritualctl unlock" : nil
  }
}

/// `vault verify`: checks every file against the vault's keys.
struct VaultVerifyCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check every file of the open vault, without changing anything.",
    discussion: "Exits with 0 if all files are intact, else with 1."
  ).examples("ritualctl vault verify")
  static let documents = [JSONDocument(VaultVerify.Result.self)]

  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let result = try common.connect().call(VaultVerify.self, timeout: KeyCommand.requestTimeout)
    try output.answer(VerifyAnswer(value: result))
    return result.isWhole ? .done : .failed
  }
}

private struct VerifyAnswer: Answer {
  let value: VaultVerify.Result

  func text(_ style: Style) -> String {
    let good = value.files.count { $0.state == "ok" }
    let others = value.files.filter { $0.state != "ok" }.map { file in
      let words = [Self.words(file.state), file.detail.map { ForeignText.shown($0) }].compactMap { $0 }
      return "\(ForeignText.shown(file.file)): \(words.joined(separator: ", "))"
    }
    return (["\(good) of \(value.files.count) files are intact"] + others).joined(separator: "\n")
  }

  private static func words(_ state: String) -> String {
    switch state {
    case "newer": "written by a newer ritual-agent"
    case "setAside": "found damaged earlier and set aside"
    case "foreign": "not a file of the vault"
    default: ForeignText.shown(state)
    }
  }
}

/// `vault adopt`: makes a vault from another machine usable on this one (VA-8).
struct VaultAdoptCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Use a vault that was copied from another machine.",
    discussion:
      "Stop using the sessions on the other machine first: two machines with the same session sign each other out. To "
      + "keep using both machines, sign in again on this one instead."
  ).examples("ritualctl vault adopt")
  static let documents = [JSONDocument(VaultAdopt.Result.self)]

  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let result = try common.connect().call(VaultAdopt.self)
    try output.answer(AdoptAnswer(value: result))
    if !result.accounts.isEmpty {
      output.note("stop using these sessions on the other machine, or both will be signed out")
    }
    return .done
  }
}

private struct AdoptAnswer: Answer {
  let value: VaultAdopt.Result

  func text(_ style: Style) -> String {
    let names = value.accounts.map { ForeignText.shown($0) }.joined(separator: ", ")
    return "this vault now belongs to this machine" + (names.isEmpty ? "" : "; accounts: \(names)")
  }
}
