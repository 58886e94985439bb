import AgentProtocol
import SessionVault

/// The vault, as `doctor` shows it.
enum VaultDiagnosis {
  /// - Parameter complaints: what `agent.status` finds wrong with it.
  static func check(_ vault: VaultSummary, complaints: [String]) -> DiagnosticCheck {
    func failed(_ words: String, _ next: String) -> DiagnosticCheck {
      DiagnosticCheck("vault", .fail, words, next: next)
    }
    switch vault.state {
    case "open":
      let words = (["open (\(vault.openedBy ?? "key"))."] + [vault.protection].compactMap { $0 }).joined(separator: " ")
      return DiagnosticCheck(
        "vault", complaints.isEmpty ? .ok : .warn, words,
        next: complaints.isEmpty ? nil : complaints.joined(separator: "; "))
    case "locked": return failed("locked: no token is handed out", "ritualctl unlock")
    case "copied":
      return failed(
        "copied from another machine: nothing is refreshed", "ritualctl vault adopt, if the other is given up")
    default: return failed("cannot be opened", vault.protection ?? "ritualctl vault verify")
    }
  }

  /// A row for each copy that was made again since the agent started.
  static func checks(_ restored: [RestoredCopy]) -> [DiagnosticCheck] {
    restored.map { copy in
      let file = ForeignText.shown(copy.file)
      let reason = ForeignText.shown(copy.reason)
      guard let failure = copy.failure else {
        return DiagnosticCheck(
          "copies", .warn, "\(file): \(reason); restored from its other copy",
          next: "look for the cause: the disk, or a program that changes these files")
      }
      return DiagnosticCheck(
        "copies", .fail, "\(file): \(reason); not restored: \(ForeignText.shown(failure))",
        next: "mend that, then restart the agent")
    }
  }
}
