import AgentClient
import AgentProtocol
import ArgumentParser

/// `reload`: the agent reads its configuration again; also what `systemctl --user reload ritual-agent` runs.
struct ReloadCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Have the agent read its configuration again.",
    discussion: "A file with a fault is refused, with file, line and column, and the old settings stay: exit status 1.")

  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let result = try common.connect().call(AgentReload.self, AgentReload.Params())
    try output.answer(ReloadAnswer(value: result))
    return .done
  }
}

private struct ReloadAnswer: Answer {
  let value: AgentReload.Result

  func text(_ style: Style) -> String {
    guard !value.projects.isEmpty else { return "configuration read; it names no project" }
    return "configuration read; projects: " + value.projects.map { ForeignText.shown($0) }.joined(separator: ", ")
  }
}
