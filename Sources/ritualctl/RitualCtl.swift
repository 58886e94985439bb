import AgentProtocol
import ArgumentParser
import Glibc

@main
struct RitualCtl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ritualctl",
    abstract: "Sign in to Supabase projects and get access tokens from ritual-agentd.",
    discussion:
      "Exit status: 0 success, 1 failure, 2 cancelled, 3 agent not reachable, 4 sign-in needed, 5 vault locked, "
      + "6 denied by policy, 7 temporary failure (try again), 64 wrong usage.",
    version: AgentVersion.current,
    subcommands: commands + [ApprovalsCommand.self, VaultCommand.self])

  /// The commands without subcommands.
  private static let commands: [any AgentCommand.Type] = [
    InitCommand.self, SignInCommand.self, CompleteSignInCommand.self, StatusCommand.self, AccountsCommand.self,
    UseCommand.self, UseAPICommand.self, TokenCommand.self, RefreshCommand.self, WhyCommand.self, SignOutCommand.self,
    ExecCommand.self, APICommand.self, EventsCommand.self, IdentitiesCommand.self, LinkCommand.self,
    UnlinkCommand.self, ProfileCommand.self, AuditCommand.self, MetricsCommand.self, LockCommand.self,
    UnlockCommand.self, RegisterHandlerCommand.self, DoctorCommand.self, ReloadCommand.self, ResetCommand.self,
  ]

  /// Calls exit(3) itself instead of through the parser, because the exit statuses are part of the
  /// interface.
  static func main() {
    CoreDumps.turnOff()
    if let command = parsedAlone(CommandLine.arguments.dropFirst()) { Glibc.exit(perform(command)) }
    do {
      var parsed = try parseAsRoot()
      guard let command = parsed as? any AgentCommand else {
        // The program's name alone, or a command that the parser adds, such as `help`.
        try parsed.run()
        Glibc.exit(ExitStatus.done.rawValue)
      }
      Glibc.exit(perform(command))
    } catch {
      Glibc.exit(report(error))
    }
  }

  /// Parses valid arguments by the one command that they name. The parser's tree of all commands
  /// takes longer to build than most commands run; only help and errors need it.
  private static func parsedAlone(_ arguments: ArraySlice<String>) -> (any AgentCommand)? {
    guard let name = arguments.first else { return nil }
    let rest = arguments.dropFirst()
    if let frequent = frequent(name), let command = frequent.init(plain: rest) { return command }
    let type = frequent(name) ?? commands.first { $0.configuration.commandName == name }
    return try? type?.parse(Array(rest))
  }

  /// The frequent command of that name, without the configurations of all others.
  private static func frequent(_ name: String) -> (any FrequentCommand.Type)? {
    switch name {
    case "token": TokenCommand.self
    case "exec": ExecCommand.self
    case "status": StatusCommand.self
    default: nil
    }
  }

  private static func perform(_ command: any AgentCommand) -> Int32 {
    let output = command.common.output
    if output.json { Interrupts.prepareDocument() }
    do {
      let status = try command.perform(output)
      try output.finish()
      return status.rawValue
    } catch {
      let failure = FailedUnits.explained(Failure(error), socket: command.common.socket)
      let status = command.exitCode(of: failure)
      output.failure(failure, showsKind: command.showsErrorKind, status: status)
      return status
    }
  }

  /// Prints the parser's result and returns the exit status: 0 for help and version, else 64 for
  /// wrong usage (EX_USAGE of sysexits.h).
  private static func report(_ error: any Error) -> Int32 {
    // Parsing failed, so `--json` is searched for by its spelling. Arguments after `--` belong to
    // another program.
    let json = CommandLine.arguments.prefix { $0 != "--" }.contains("--json")
    let color = ColorChoice.spelled(in: CommandLine.arguments.prefix { $0 != "--" })
    let output = Output(
      json: json, quiet: false, style: .plain, errorStyle: Style(color, isJSON: json, of: STDERR_FILENO))
    guard exitCode(for: error) != .success else {
      try? output.stream(HelpAnswer(fullMessage(for: error)))
      return ExitStatus.done.rawValue
    }
    if CommandLine.arguments.contains(where: { $0.hasPrefix("--password") && $0 != "--password-stdin" }) {
      // The parser's message would repeat the password on standard error, which may be logged.
      output.failure(
        Failure(
          .usage, "passwords are not accepted as arguments, because other users can read them",
          hint: "use --password-stdin"))
    } else if hasPassphraseArgument {
      output.failure(
        Failure(
          .usage, "passphrases are not accepted as arguments, because other users can read them",
          hint: "use --passphrase-stdin"))
    } else {
      output.usage(json ? message(for: error) : parserMessage(for: error))
    }
    return ExitStatus.usage.rawValue
  }

  /// True if a passphrase was passed as an argument. `--passphrase` is a flag, so a word after it
  /// would be the passphrase.
  private static var hasPassphraseArgument: Bool {
    zip(CommandLine.arguments, CommandLine.arguments.dropFirst() + [""]).contains { argument, next in
      argument.hasPrefix("--passphrase=") || argument.hasPrefix("--passphrase-stdin=")
        || (["--passphrase", "--passphrase-stdin"].contains(argument) && !next.isEmpty && !next.hasPrefix("-"))
    }
  }

  /// The parser's message without the heading "Error: ", which the prefix `ritualctl: ` replaces.
  private static func parserMessage(for error: any Error) -> String {
    let (text, heading) = (fullMessage(for: error), "Error: ")
    return text.hasPrefix(heading) ? String(text.dropFirst(heading.count)) : text
  }
}

/// The output of `--help` and `--version`.
private struct HelpAnswer: Answer {
  struct Value: Encodable { let text: String }

  let value: Value

  init(_ text: String) { value = Value(text: text) }

  func text(_ style: Style) -> String { value.text }
}
