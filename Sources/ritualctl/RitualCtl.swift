import AgentProtocol
import ArgumentParser
import Glibc
import SystemSupport

@main
struct RitualCtl: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "ritualctl",
    abstract: "Sign in to Supabase projects and get access tokens from ritual-agentd.",
    version: AgentVersion.current,
    groupedSubcommands: groups
  ).examples(
    "ritualctl init", "ritualctl sign-in",
    "ritualctl exec -- ./import.sh")
  static let documents = [
    JSONDocument(HelpAnswer.self, "With `--help` or `--version`."),
    JSONDocument(Overview.Value.self, "Without a command."),
  ]

  /// The commands, in the groups of the help and the manual pages (`ritualctl --help --json`).
  static let groups = [
    CommandGroup(
      name: "Sign in",
      subcommands: [
        InitCommand.self, SignInCommand.self, CompleteSignInCommand.self, SignOutCommand.self, AccountsCommand.self,
        UseCommand.self, IdentitiesCommand.self, LinkCommand.self, UnlinkCommand.self, MFACommand.self,
        ProfileCommand.self,
      ]),
    CommandGroup(
      name: "Use tokens",
      subcommands: [
        TokenCommand.self, ExecCommand.self, APICommand.self, GrantCommand.self, GrantsCommand.self, SinkCommand.self,
        SetupCommand.self, RefreshCommand.self, ApprovalsCommand.self,
      ]),
    CommandGroup(
      name: "Inspect",
      subcommands: [
        StatusCommand.self, WhoamiCommand.self, WhyCommand.self, EventsCommand.self, AuditCommand.self,
        MetricsCommand.self, DoctorCommand.self, ReportCommand.self,
      ]),
    CommandGroup(name: "Vault", subcommands: [LockCommand.self, UnlockCommand.self, VaultCommand.self]),
    CommandGroup(
      name: "Maintain",
      subcommands: [
        ReloadCommand.self, UseAPICommand.self, RegisterHandlerCommand.self, ResetCommand.self,
      ]),
  ]

  @OptionGroup var common: CommonOptions

  /// Runs without a command: shows the groups and the next step. Never fails because of the agent.
  func perform(_ output: Output) throws -> ExitStatus {
    let value = Overview.Value(groups: Self.groups.map { Overview.Group($0).usable }, next: NextStep(common))
    try output.answer(value, Overview(value: value, abstract: Self.configuration.abstract).text)
    return .done
  }

  /// Calls exit(3) itself instead of through the parser, because the exit statuses are part of the
  /// interface.
  static func main() {
    Descriptor.occupyStandardNumbers()
    CoreDumps.turnOff()
    let arguments = GrantCommand.spelledOut(CommandLine.arguments.dropFirst())
    if let command = parsedAlone(arguments) { Glibc.exit(perform(command)) }
    do {
      // Anything but a command of this program is a request for help, or a group without a command.
      guard let command = try parseAsRoot(Array(arguments)) as? any AgentCommand else { Glibc.exit(showHelp()) }
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
    let type: (any ParsableCommand.Type)? =
      frequent(name) ?? groups.lazy.flatMap(\.subcommands).first { $0.configuration.isNamed(name) }
    return (try? type?.parseAsRoot(Array(rest))) as? any AgentCommand
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
      let failure = AccountOption.explained(UnreachableAgent.failure(error, socket: command.common.socket))
      let status = command.exitCode(of: failure)
      output.failure(failure, showsKind: command.showsErrorKind, status: status)
      return status
    }
  }

  /// The output before the options are parsed. `--json` is searched for by its spelling; arguments
  /// after `--` belong to another program.
  private static var plainOutput: Output {
    let options = CommandLine.arguments.prefix { $0 != "--" }
    let json = options.contains("--json")
    let color = ColorChoice.spelled(in: options)
    return Output(
      json: json, quiet: false, style: .plain, errorStyle: Style(color, isJSON: json, of: STDERR_FILENO))
  }

  /// Shows the help of the named command, and returns the exit status.
  private static func showHelp() -> Int32 {
    let output = plainOutput
    do {
      let root = try CommandDescription.of(Self.self)
      let words = CommandLineWords(Array(CommandLine.arguments.dropFirst()), root: root)
      if let complaint = words.complaint, words.unknownCommand != nil {
        return refuse(Failure(.usage, complaint, hint: words.helpCommand), output)
      }
      let text = HelpText(words.path, root: root, groups: groups).text
      try output.stream(HelpAnswer(text, groups: words.path.isEmpty ? groups.map(Overview.Group.init) : nil))
      return ExitStatus.done.rawValue
    } catch {
      return refuse(Failure(error), output)
    }
  }

  private static func refuse(_ failure: Failure, _ output: Output) -> Int32 {
    output.failure(failure)
    return failure.exit.rawValue
  }

  /// Prints the parser's result and returns the exit status: 0 for a version or a completion script,
  /// else 64 for wrong usage (EX_USAGE of sysexits.h).
  private static func report(_ error: any Error) -> Int32 {
    let output = plainOutput
    guard exitCode(for: error) != .success else {
      let text = fullMessage(for: error)
      let script = CompletionScript.requestedShell(CommandLine.arguments).map {
        CompletionScript(text, shell: $0, aliases: CompletionScript.aliases(of: Self.self)).text
      }
      do { try output.stream(HelpAnswer(script ?? text)) } catch { return refuse(Failure(error), output) }
      return ExitStatus.done.rawValue
    }
    // The parser's message would repeat the secret on standard error, which may be logged.
    if let secret: Words = hasPasswordArgument ? "password" : hasPassphraseArgument ? "passphrase" : nil {
      return refuse(
        Failure(
          .usage, "\(secret)s are not accepted as arguments, because other users can read them",
          hint: "use --\(secret)-stdin"), output)
    }
    let root = try? CommandDescription.of(Self.self)
    let words = root.map { CommandLineWords(Array(CommandLine.arguments.dropFirst()), root: $0) }
    if let failure = words?.secretArgument { return refuse(failure, output) }
    return refuse(Failure(.usage, words?.complaint ?? parserMessage(for: error), hint: words?.helpCommand), output)
  }

  private static var hasPasswordArgument: Bool {
    CommandLine.arguments.contains { $0.hasPrefix("--password") && $0 != "--password-stdin" }
  }

  /// True if a passphrase was passed as an argument. `--passphrase` is a flag, so a word after it
  /// would be the passphrase.
  private static var hasPassphraseArgument: Bool {
    zip(CommandLine.arguments, CommandLine.arguments.dropFirst() + [""]).contains { argument, next in
      argument.hasPrefix("--passphrase=") || argument.hasPrefix("--passphrase-stdin=")
        || (["--passphrase", "--passphrase-stdin"].contains(argument) && !next.isEmpty && !next.hasPrefix("-"))
    }
  }

  /// The parser's message in the form of this program's messages: without a capital and a full stop.
  private static func parserMessage(for error: any Error) -> Words {
    var text = Words(lines: message(for: error)).text
    if text.hasSuffix(".") { text.removeLast() }
    return Words(harmless: text.prefix(1).lowercased() + text.dropFirst())
  }
}

extension CommandConfiguration {
  fileprivate func isNamed(_ name: String) -> Bool { commandName == name || aliases.contains(name) }
}

/// The output of `--help` and `--version`.
struct HelpAnswer: Answer {
  /// `HelpText` has its own layout, and a completion script is read by a shell.
  static let isFolded = false
  /// The groups of commands; only with the help of the program itself.
  var groups: [Overview.Group]?
  /// The text.
  let text: String

  init(_ text: String, groups: [Overview.Group]? = nil) { (self.text, self.groups) = (text, groups) }

  func text(_ style: Style) -> Words { Words(harmless: text) }
}
