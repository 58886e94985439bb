import AgentClient
import AgentProtocol
import ArgumentParser

/// `events`: what happens, a line each, until Ctrl-C.
struct EventsCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "events", abstract: "Follow what happens; the present state comes first.",
    discussion:
      "With --json each event is a document on a line of its own (JSON Lines). Ends by Ctrl-C, with exit status 2.")

  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    Interrupts.handle()
    let connection = try common.connect()
    _ = try connection.subscribe()
    try connection.forEachEvent { event in
      try output.stream(EventAnswer(value: event))
      return true
    }
    return .done
  }
}

private struct EventAnswer: Answer {
  let value: AgentEvent

  func text(_ style: Style) -> String {
    let words = [
      Times.clock(value.at), ForeignText.shown(value.type.rawValue), value.account.map { ForeignText.shown($0) },
      value.status.map { "(\($0.stateWords.text))" }, value.reason.map { ForeignText.shown($0) },
    ]
    return words.compactMap { $0 }.joined(separator: "  ")
  }
}
