import AgentClient
import AgentProtocol
import ArgumentParser

/// `vault verify`: every file, held against the keys.
struct VaultVerifyCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check every file of the open vault; changes nothing.",
    discussion: "Exits with 0 if every file is as the vault wrote it, else with 1.")

  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let result = try common.connect().call(VaultVerify.self, timeout: KeyCommand.patience)
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
    return (["\(good) of \(value.files.count) files are as the vault wrote them"] + others).joined(separator: "\n")
  }

  private static func words(_ state: String) -> String {
    switch state {
    case "newer": "of a newer ritual-agent"
    case "setAside": "found damaged some time ago, and set aside"
    case "foreign": "no file of the vault"
    default: ForeignText.shown(state)
    }
  }
}
