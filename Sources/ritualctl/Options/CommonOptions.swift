import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc
import Synchronization

/// The options of all commands.
struct CommonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Path of the agent's socket.", valueName: "path"), completion: .file())
  var socket: String?

  @Flag(help: "Output JSON. Errors are JSON on stderr.")
  var json = false

  @Flag(name: [.long, .customShort("q")], help: "Print only results, warnings, and errors.")
  var quiet = false

  @Option(help: "When to use color: auto, always, or never. NO_COLOR changes auto to never.")
  var color: ColorChoice = .auto

  /// The options as the parser leaves them if none is given.
  static var defaults: Self {
    var options = Self()
    (options.socket, options.json, options.quiet, options.color) = (nil, false, false, .auto)
    return options
  }

  var output: Output {
    Output(
      json: json, quiet: quiet, style: Style(color, isJSON: json, of: STDOUT_FILENO),
      errorStyle: Style(color, isJSON: json, of: STDERR_FILENO))
  }

  /// The maximum time for a running agent to accept a connection.
  static let connectTimeout = Duration.seconds(3)

  /// The path of the agent's socket.
  var agentSocket: String { get throws { try socket ?? AgentPaths.ofThisProcess().socket } }

  /// Connects to the agent. The working directory selects the account of requests that name none.
  func connect(within limit: Duration = connectTimeout) throws -> AgentConnection {
    let connection = try socket.map { try AgentConnection(to: $0, timeout: limit) } ?? AgentConnection(timeout: limit)
    connection.directory = WorkingDirectory.path
    return connection
  }

  /// The account that is set for the working directory; nil if there is none.
  func accountHere() throws -> String? { try connect().call(AgentStatusMethod.self, .init()).here?.account }

  /// Sends one request on a separate connection. `limit` covers connecting and the answer.
  func ask<Method: AgentMethod>(
    _ method: Method.Type, _ params: Method.Params, within limit: Duration
  ) throws -> Method.Result {
    let end = ContinuousClock.now + limit
    let connection = try connect(within: limit)
    connection.maxSilence = nil
    return try connection.call(method, params, timeout: max(.milliseconds(1), ContinuousClock.now.duration(to: end)))
  }
}

/// The option `--account`, which most commands have. Without it, RITUAL_ACCOUNT names the account.
struct AccountOption: ParsableArguments {
  @Option(
    name: .customLong("account"),
    help: ArgumentHelp(
      "Account to use; by default RITUAL_ACCOUNT, that of the directory, or the default.", valueName: "name"),
    completion: .custom(Completion.accounts))
  var option: String?

  /// The option with this value, as the parser leaves it.
  init(named name: String?) { option = name }

  init() {}

  /// The account to use; nil for that of the directory, or the default account.
  var account: String? {
    if let option { return option }
    guard let value = getenv("RITUAL_ACCOUNT"), value.pointee != 0 else { return nil }
    Self.isVariableUsed.store(true, ordering: .relaxed)
    return String(cString: value)
  }

  /// Why the command uses the account `name`, for a person.
  func reason(_ here: DirectoryAccount?, isDefault: Bool) -> Words? {
    if option != nil { return nil }
    if account != nil { return "from RITUAL_ACCOUNT" }
    if let here { return here.reason }
    return isDefault ? "the default account" : nil
  }

  /// Whether the command takes its account from RITUAL_ACCOUNT.
  private static let isVariableUsed = Atomic(false)

  /// Adds to a failure that the account is from RITUAL_ACCOUNT, if there is no such account.
  static func explained(_ failure: Failure) -> Failure {
    let kinds = [ErrorKind.unknownAccount.rawValue, ErrorKind.invalidParams.rawValue]
    guard isVariableUsed.load(ordering: .relaxed), kinds.contains(failure.kind),
      let name = AccountOption(named: nil).account,
      failure.kind == kinds[0] || !AccountName.isValid(name)
    else { return failure }
    var failure = failure
    failure.hints.insert(
      "RITUAL_ACCOUNT is set to \(name, limit: 40); choose another account with --account", at: 0)
    return failure
  }

  var params: AccountParams { AccountParams(account: account) }

  /// ` --account NAME` for a command in a hint; empty if no account was given.
  var hintSuffix: Words { account.map { " --account \($0, limit: 40)" } ?? "" }
}

/// The directory of this process, as `DirectoryParams` has it.
enum WorkingDirectory {
  /// Nil if the directory was deleted.
  static var path: String? {
    // Returns the path without symbolic links (getcwd(3)).
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return sendable(UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) })
  }

  /// The path up to the first segment that JSON or the agent does not take. No directory below it can have
  /// an account of its own.
  static func sendable(_ bytes: [UInt8]) -> String? {
    guard bytes.first == UInt8(ascii: "/") else { return nil }
    var path = ""
    for segment in bytes.split(separator: UInt8(ascii: "/")) {
      guard let text = String(validating: segment, as: UTF8.self),
        path.utf8.count + 1 + segment.count <= DirectoryAccount.maxLength
      else { break }
      path += "/" + text
    }
    return path.isEmpty ? "/" : path
  }
}

extension DirectoryAccount {
  /// Why the account is used, for a person.
  var reason: Words { "set for \(directory, limit: 200)" }

  /// Says on a terminal which account a command uses, and why.
  static func tell(_ directory: String?, _ account: String?, _ output: Output) {
    guard let directory, let account, isatty(STDERR_FILENO) == 1 else { return }
    output.note("account \(account), \(DirectoryAccount(directory: directory, account: account).reason)")
  }
}

/// The timeout of commands that request only local state, which the agent answers from memory.
struct AnswerTimeout: ParsableArguments {
  @Option(
    name: .customLong("timeout"),
    help: ArgumentHelp(
      "Maximum time to wait for the agent (default: 3); exit status 7 if exceeded.", valueName: "seconds"))
  var seconds: Double?

  static var defaults: Self {
    var options = Self()
    options.seconds = nil
    return options
  }

  func validate() throws {
    guard let seconds else { return }
    guard seconds > 0, seconds <= 3600 else {
      throw ValidationError("--timeout must be more than 0 and at most 3600 seconds")
    }
  }

  var limit: Duration { limit(byDefault: 3) }

  func limit(byDefault other: Double) -> Duration { .milliseconds(max(1, Int64((seconds ?? other) * 1000))) }
}

/// The interface of the commands of this program.
protocol AgentCommand: ParsableCommand {
  /// The documents that the command prints with `--json`.
  static var documents: [JSONDocument] { get }
  var common: CommonOptions { get }
  /// Runs the command. A thrown error determines the error message and the exit status.
  func perform(_ output: Output) throws -> ExitStatus
  /// The exit status of a failure.
  func exitCode(of failure: Failure) -> Int32
  /// Whether the message includes the error's stable name, because the exit status does not
  /// identify it.
  var showsErrorKind: Bool { get }
}

extension AgentCommand {
  func exitCode(of failure: Failure) -> Int32 { failure.exit.rawValue }
  var showsErrorKind: Bool { false }
}

/// A command that is one call to the agent: it names the method, the parameters and the text of the answer.
protocol CallCommand: AgentCommand {
  associatedtype Method: AgentMethod
  var params: Method.Params { get throws }
  func call() throws -> Method.Result
  func text(_ result: Method.Result, _ style: Style) -> Words
  /// Whether long lines of the text are folded on a terminal.
  static var isFolded: Bool { get }
  /// Prints what follows the answer.
  /// - Returns: the exit status.
  func end(_ result: Method.Result, _ output: Output) -> ExitStatus
}

extension CallCommand {
  static var documents: [JSONDocument] { [JSONDocument(Method.Result.self)] }
  static var isFolded: Bool { true }

  func call() throws -> Method.Result { try common.connect().call(Method.self, params) }

  func perform(_ output: Output) throws -> ExitStatus {
    let result = try call()
    try output.answer(result, isFolded: Self.isFolded) { text(result, $0) }
    return end(result, output)
  }

  func end(_ result: Method.Result, _ output: Output) -> ExitStatus { .done }
}

extension CallCommand where Method.Result: Answer {
  func text(_ result: Method.Result, _ style: Style) -> Words { result.text(style) }
}

/// A call about one account, with no other parameter.
protocol AccountCallCommand: CallCommand where Method.Params == AccountParams {
  var account: AccountOption { get }
}

extension AccountCallCommand {
  var params: AccountParams { account.params }
}

extension CallCommand where Method.Params == Empty {
  var params: Empty { Empty() }
}

/// A call that the agent answers from memory, within `--timeout`.
protocol LocalCallCommand: CallCommand {
  var timeout: AnswerTimeout { get }
}

extension LocalCallCommand {
  func call() throws -> Method.Result { try common.ask(Method.self, params, within: timeout.limit) }
}

extension CommandConfiguration {
  /// This configuration for a command that scripts and prompts run often.
  ///
  /// It names the program as the command's group. The parser then does not search the arguments for
  /// `--generate-completion-script`, which takes it as long as to parse them; with that option, the
  /// tree of all commands parses the arguments (`RitualCtl.parsedAlone`).
  var runOften: Self {
    var configuration = self
    configuration._superCommandName = "ritualctl"
    return configuration
  }
}

/// A command that scripts and prompts run often, most of the time with no option but `--account`.
///
/// In that form it is read without the parser, which takes half of the time from start to exit: it
/// determines the command's options at run time. The parser reads every other form, and its results
/// are the same (`FrequentCommandTests`).
protocol FrequentCommand: AgentCommand {
  /// - Parameters:
  ///   - account: The value of `--account`.
  ///   - command: The words after `--`; empty if there are none.
  /// - Returns: Nil if the command cannot be used so.
  init?(account: String?, command: [String])

  /// Nil if the parser has to read these arguments.
  init?(plain arguments: ArraySlice<String>)
}

extension FrequentCommand {
  init?(plain arguments: ArraySlice<String>) { self.init(withoutParser: arguments) }

  init?(withoutParser arguments: ArraySlice<String>) {
    let options = arguments.prefix { $0 != "--" }
    let command = arguments.dropFirst(options.count + 1)
    // A second `--`, an empty word, or a name like an option: the parser knows what that means.
    guard !command.contains("--"), options.isEmpty || options.count == 2,
      options.isEmpty || options.first == "--account",
      options.dropFirst().allSatisfy({ !$0.isEmpty && !$0.hasPrefix("-") }),
      command.isEmpty == (arguments.count == options.count)
    else { return nil }
    self.init(account: options.last, command: Array(command))
  }
}

/// The installed version, which is the version of this program: the agent and its tools are in one
/// package.
enum InstalledVersion {
  /// The next step if the running agent is older than what is installed, as after an upgrade, which
  /// may keep the version; nil otherwise.
  static func complaint(about agent: AgentStatusMethod.Result) -> String? {
    let installed = AgentVersion.current
    if let old = numbers(agent.version), let new = numbers(installed), old.lexicographicallyPrecedes(new) {
      return "the running agent is version \(agent.version), but \(installed) is installed: "
        + ServiceManager.restartAgent
    }
    return agent.programReplaced == true ? "\(replaced): \(ServiceManager.restartAgent)" : nil
  }

  static let replaced = "the program of the running agent was replaced after its start"

  /// Major, minor and patch number (Semantic Versioning 2.0.0, section 11), without pre-release and
  /// build.
  private static func numbers(_ version: String) -> [Int]? {
    let parts = version.prefix { $0 != "-" && $0 != "+" }.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    return numbers.count == 3 && parts.count == 3 ? numbers : nil
  }
}
