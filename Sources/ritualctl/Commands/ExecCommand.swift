import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc
import SystemSupport

/// `exec`: becomes another program that finds a token in its environment.
struct ExecCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "exec",
    abstract: "Run a command with RITUAL_ACCESS_TOKEN set.",
    usage: "ritualctl exec [--account <name>] -- <command> ...",
    discussion:
      "Exits as the command does; with 125 where there is no token, 126 where the command cannot be run, 127 where "
      + "there is none of that name.")

  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions
  @Argument(parsing: .postTerminator, help: "The command and its arguments.") var command: [String] = []

  /// The statuses of env(1).
  private static let cannotRun: Int32 = 126
  private static let notFound: Int32 = 127
  /// Longer than the agent waits for a refresh (15 s), so that the agent reports what went wrong.
  private static let tokenTimeout = Duration.seconds(20)

  func validate() throws {
    if command.isEmpty { throw ValidationError("no command given; usage: ritualctl exec -- COMMAND") }
  }

  func exitCode(of failure: Failure) -> Int32 { 125 }

  var showsErrorKind: Bool { true }

  func perform(_ output: Output) throws -> ExitStatus {
    let token = try accessToken()
    try TokenFormat.check(token)
    setenv("RITUAL_ACCESS_TOKEN", token, 1)
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    execvp(command[0], &arguments)
    let number = errno
    let words = words(of: number)
    let status = number == ENOENT ? Self.notFound : Self.cannotRun
    output.failure(Failure(.failed, "\(ForeignText.shown(command[0])) cannot be run: \(words)"), status: status)
    return ExitStatus(rawValue: status)
  }

  /// The connection is closed before the command begins.
  private func accessToken() throws -> String {
    let params = SessionToken.Params(account: account.account, reason: "ritualctl exec")
    return try common.connect().call(SessionToken.self, params, timeout: Self.tokenTimeout).accessToken
  }
}
