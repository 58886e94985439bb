import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc

/// `complete-sign-in`: hands in the address that the browser ended on (SI-7).
struct CompleteSignInCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete-sign-in",
    abstract: "Hand in the address that the browser ended on.",
    discussion:
      "Without a URL it asks on the terminal, or reads standard input. A first sign-in shows who it is and asks; without a "
      + "terminal it needs --yes, and is refused before the code in the URL is used.")

  @Argument(help: "The whole address, from http:// on.") var url: String?
  @Flag(help: "Skip the confirmation prompt.") var yes = false
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    Interrupts.handle()
    let callback = try callback()
    let connection = try common.connect()
    // The code in the URL can be used once: whether the user can be asked is settled before.
    let canAsk = yes || ControllingTerminal.open() != nil
    let result = try connection.call(
      SignInComplete.self, SignInComplete.Params(callback: callback, canAsk: canAsk ? nil : false))
    let status = try SignInEnd(connection: connection, acceptsAnybody: yes, isStarter: false).report(result, output)
    if status == .done { ServiceAtLogin(common: common, output: output).enableAfterFirstSignIn() }
    return status
  }

  private func callback() throws -> String {
    let text = try url ?? pasted() ?? Streams.readLine(from: STDIN_FILENO, limit: CallbackAddress.limit) ?? ""
    return try CallbackAddress.checked(text)
  }

  private func pasted() throws -> String? {
    guard isatty(STDIN_FILENO) == 1, let terminal = ControllingTerminal.open() else { return nil }
    return try terminal.ask("The address that the browser ended on: ")
  }
}
