import AgentClient
import AgentProtocol
import ArgumentParser

/// `vault status`: prints what it finds.
struct VaultStatusCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show whether the vault is open, its keys, and what they protect.",
    discussion: "Exits with 0 if the vault is open, else with 5.")

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
      [.init(ForeignText.shown(key.id)), .init(key.kind.words), .init(Self.cost(key))]
    }
    let remarks = value.protection + [home, rekeying, swap].compactMap { $0 }
    let damaged = value.damaged.map { "\($0.file): \($0.state)" }
    return
      ([door] + table.lines(style).map { "  " + $0 }
      + (remarks + damaged).map { ForeignText.shown($0, limit: 1000) }).joined(separator: "\n")
  }

  private var door: String {
    let state = "vault \(ForeignText.shown(value.state))"
    if let kind = value.openedBy { return "\(state) (\(kind.words))" }
    return value.lockedBy.map { "\(state) (\(Self.reason($0)))" } ?? state
  }

  private static func reason(_ cause: String) -> String {
    switch cause {
    case "hand": "by hand; only an unlock opens it"
    case "idle": "after idle time"
    case "session": "with the desktop session"
    case "start": "no key was there when the agent started"
    default: ForeignText.shown(cause)
    }
  }

  private static func cost(_ key: VaultKey) -> String {
    guard let passes = key.passes, let memory = key.memory else { return "" }
    return "Argon2id, \(memory >> 20) MiB, \(passes) passes"
  }

  private var home: String? {
    value.machine == "other"
      ? "It was copied from another machine, and nothing is refreshed: ritualctl vault adopt" : nil
  }

  private var rekeying: String? { value.isRekeying ? "A change of the master key was cut off: ritualctl unlock" : nil }

  private var swap: String? { value.isMemoryLocked ? nil : "Its keys could be swapped out: raise RLIMIT_MEMLOCK." }
}
