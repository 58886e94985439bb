import AgentClient
import AgentProtocol
import ArgumentParser

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

struct VaultStatusCommand: LocalCallCommand {
  typealias Method = VaultStatus
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the state of the vault, its keys, and what they protect.",
    discussion: "Exits with 0 if the vault is unlocked, else with 5."
  ).examples("ritualctl vault status", "ritualctl vault status --json | jq -r .state")

  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func end(_ status: VaultStatus.Result, _ output: Output) -> ExitStatus {
    ["open", "copied"].contains(status.state) ? .done : .vaultLocked
  }
}

extension VaultStatus.Result: Answer {
  func text(_ style: Style) -> Words {
    let rows = keys.map { [Table.Cell($0.id), Table.Cell($0.kind.displayName), Table.Cell(Self.cost($0))] }
    let remarks = protection.map { Words($0, limit: 1000) } + notes
    let lost = damaged.map { "\("\($0.file): \($0.state)" as String, limit: 1000)" as Words }
    return ([stateLine] + Table(gaps: [2, 2], rows: rows).lines(style).map { "  \($0)" } + remarks + lost)
      .joined(separator: "\n")
  }

  private var stateLine: Words {
    if let kind = openedBy { return "vault \(VaultSummary.shown(state)) (\(kind.displayName))" }
    return "vault \(VaultSummary.shown(state))" + (lockedBy.map { " (\(Self.reason($0)))" } ?? "")
  }

  private static func reason(_ cause: String) -> Words {
    switch cause {
    case "hand": "manually; run ritualctl unlock"
    case "idle": "after the idle timeout"
    case "session": "with the desktop session"
    case "start": "no key was available when the agent started"
    default: Words(cause)
    }
  }

  private static func cost(_ key: VaultKey) -> Words {
    guard let passes = key.passes, let memory = key.memory else { return "" }
    return "Argon2id, \(memory >> 20) MiB, \(passes) \(passes == 1 ? "pass" : "passes")"
  }

  private var notes: [Words] {
    let found: [Words?] = [
      machine == "other"
        ? "The vault was copied from another machine, and nothing is refreshed: ritualctl vault adopt" : nil,
      isRekeying ? "A change of the master key was interrupted: ritualctl unlock" : nil,
      memoryWarning.map { Words($0, limit: 1000) },
    ]
    return found.compactMap { $0 }
  }
}

struct VaultVerifyCommand: CallCommand {
  typealias Method = VaultVerify
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check every file of the unlocked vault, without changing anything.",
    discussion: "Exits with 0 if all files are intact, else with 1."
  ).examples("ritualctl vault verify")

  @OptionGroup var common: CommonOptions

  func call() throws -> VaultVerify.Result {
    try common.connect().call(VaultVerify.self, timeout: KeyCommand.requestTimeout)
  }

  func text(_ result: VaultVerify.Result, _ style: Style) -> Words {
    let good = result.files.count { $0.state == "ok" }
    let others = result.files.filter { $0.state != "ok" }.map { file -> Words in
      "\(file.file): \(Self.words(file.state))\(file.detail.map { ", \($0)" as Words } ?? "")"
    }
    return (["\(good) of \(result.files.count) files are intact"] + others).joined(separator: "\n")
  }

  private static func words(_ state: String) -> Words {
    switch state {
    case "newer": "written by a newer ritual-agent"
    case "setAside": "found damaged earlier and set aside"
    case "foreign": "not a file of the vault"
    default: Words(state)
    }
  }

  func end(_ result: VaultVerify.Result, _ output: Output) -> ExitStatus { result.isWhole ? .done : .failed }
}

/// `vault adopt`: makes a vault from another machine usable on this one.
struct VaultAdoptCommand: CallCommand {
  typealias Method = VaultAdopt
  static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Use a vault that was copied from another machine.",
    discussion:
      "Stop using the sessions on the other machine first: two machines with the same session sign each other out. To "
      + "keep using both machines, sign in again on this one instead."
  ).examples("ritualctl vault adopt")

  @OptionGroup var common: CommonOptions

  func text(_ result: VaultAdopt.Result, _ style: Style) -> Words {
    "this vault now belongs to this machine"
      + (result.accounts.isEmpty ? "" : "; accounts: \(result.accounts.listed())")
  }

  func end(_ result: VaultAdopt.Result, _ output: Output) -> ExitStatus {
    if !result.accounts.isEmpty {
      output.note("stop using these sessions on the other machine, or both will be signed out")
    }
    return .done
  }
}
