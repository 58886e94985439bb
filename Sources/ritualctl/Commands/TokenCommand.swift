import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc
import Hashing
import SystemSupport
import WebURLs

struct TokenCommand: FrequentCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Print a valid access token.",
    discussion: """
      With --assurance aal2, exit status 8 means that the session has no second factor yet: `ritualctl mfa verify`.

      With a rejected token, exit status 7 means that the rejected token is still the newest one; try again after 5 s. Never \
      pass the token as an argument, because every user of the machine can read arguments.
      """
  ).runOften.examples(
    "ritualctl token", "ritualctl token --format curl | curl -K - https://api.example.org/items",
    "# Headers for the helper command of an AI client", "ritualctl token --format headers --account work",
    "# Valid for at least 10 minutes", "ritualctl token --account work --min-ttl 600",
    "# Only with a second factor", "ritualctl token --assurance aal2",
    "# A token that replaces the one that the server rejected",
    "printf '%s\\n' \"$TOKEN\" | ritualctl token --rejected-stdin")
  static let documents = [JSONDocument(SessionToken.Result.self)]

  /// In seconds. A refresh takes a second or two; a script rarely wants to wait for more than a few.
  private static let defaultTimeout = 10.0

  @OptionGroup var account: AccountOption
  @Option(
    name: .customLong("min-ttl"),
    help: ArgumentHelp(
      "Minimum validity of the token; by default 60 s, or a tenth of its lifetime if less.", valueName: "seconds"))
  var minTTL: Double?
  @Option(
    help: ArgumentHelp(
      "SHA-256 (64 lowercase hex digits) of the token that a server rejected with 401.", valueName: "sha256"))
  var rejected: String?
  @Flag(
    name: .customLong("rejected-stdin"),
    help: "Read the token that a server rejected with 401 from standard input (one line).")
  var rejectedStdin = false
  @Option(help: ArgumentHelp("Maximum time to wait; exit status 7 if exceeded.", valueName: "seconds"))
  var timeout: Double = TokenCommand.defaultTimeout
  @Option(help: "Output format: raw, header, headers (JSON), env, json, or curl; by default raw.")
  var format: TokenFormat?
  @Option(help: "Lowest level of assurance: aal1, or aal2 for a session with a second factor. Default: aal1.")
  var assurance: Assurance?
  @Flag(help: "Copy to the terminal's clipboard instead of printing; the terminal must allow OSC 52.")
  var copy = false
  @OptionGroup var common: CommonOptions

  init() {}

  init?(account: String?, command: [String]) {
    guard command.isEmpty else { return nil }
    self.account = AccountOption(named: account)
    (minTTL, rejected, timeout, format, common) = (nil, nil, Self.defaultTimeout, nil, .defaults)
    assurance = nil
    (rejectedStdin, copy) = (false, false)
  }

  /// Also reads `--format` without the parser, because AI clients get their headers so for each connection.
  init?(plain arguments: ArraySlice<String>) {
    var others = Array(arguments)
    var format: TokenFormat?
    if let index = others.firstIndex(of: "--format"), index + 1 < others.count {
      guard let named = TokenFormat(rawValue: others[index + 1]) else { return nil }
      format = named
      others.removeSubrange(index...index + 1)
    }
    // An assignment to `format` in this initializer would set the default of the option, not its value.
    guard var command = Self(withoutParser: others[...]) else { return nil }
    command.format = format
    self = command
  }

  func validate() throws {
    if let minTTL, !(minTTL >= 0 && minTTL.isFinite) {
      throw ValidationError("--min-ttl must be a number of seconds, 0 or more")
    }
    guard timeout > 0, timeout <= 3600 else {
      throw ValidationError("--timeout must be more than 0 and at most 3600 seconds")
    }
    if let rejected, !SessionToken.isFingerprint(rejected) {
      throw ValidationError(
        "--rejected must be the SHA-256 of the token (64 lowercase hex digits), never the token itself; "
          + "use --rejected-stdin to pass the token")
    }
    if rejected != nil, rejectedStdin { throw ValidationError("use --rejected or --rejected-stdin, not both") }
    if copy, common.json || format == .json { throw ValidationError("--copy and JSON output cannot be combined") }
    if common.json, let format, format != .json {
      throw ValidationError("--json and --format \(format) cannot be combined")
    }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let limit = Duration.milliseconds(max(1, Int64(timeout * 1000)))
    let format = format ?? (common.json ? .json : .raw)
    output.json = format == .json
    let clipboard = copy ? try ControllingTerminal.withClipboard() : nil
    let params = SessionToken.Params(
      account: account.account, minTTL: minTTL, rejected: try rejectedStdin ? Self.rejectedToken() : rejected,
      reason: "ritualctl token", endpoints: format == .headers ? true : nil, assurance: assurance?.rawValue)
    let token = try common.ask(SessionToken.self, params, within: limit)
    try TokenFormat.check(token.accessToken)
    guard token.unchanged != true else { throw Self.unchanged(token.account) }
    let key = token.endpoints?.anonKey
    if let key { try TokenFormat.check(key) }
    let text = format.text(token.accessToken, key: key)
    if let clipboard {
      try clipboard.copy(text)
      output.note("sent the token of account \(token.account) to the terminal's clipboard")
    } else {
      try output.answer(token, Words(harmless: text), isFolded: false)
    }
    warnOfHashedNewline(token, output)
    warnOfShortLife(token, output)
    return .done
  }

  /// The SHA-256 of the token on standard input.
  ///
  /// - Throws: wrong usage for a line that cannot be a token, such as a complete header: its hash
  ///   would match no token, and the caller would get the rejected token again.
  private static func rejectedToken() throws -> String {
    let token = try Streams.readSecret("token", limit: Wire.frameLimit)
    guard token.isVisibleASCII else {
      throw Failure(.usage, "the line on standard input is not an access token")
    }
    return SessionToken.fingerprint(of: token)
  }

  /// The failure for a rejected token that is still the newest. The agent refreshes on request at
  /// most once every 5 s.
  private static func unchanged(_ account: String) -> Failure {
    let name = Words(account)
    var failure = Failure(
      .unchanged, "the rejected token is still the newest token of account \(name)",
      hint: "try again in 5 s; if the next token is rejected too: ritualctl why --account \(name)")
    (failure.retryable, failure.retryAfter, failure.account) = (true, 5, name)
    return failure
  }

  /// Warns if the hash includes a newline, as with `echo TOKEN | sha256sum`: the agent cannot
  /// recognize such a hash.
  private func warnOfHashedNewline(_ token: SessionToken.Result, _ output: Output) {
    guard let rejected,
      ["\n", "\r\n"].contains(where: { SessionToken.fingerprint(of: token.accessToken + $0) == rejected })
    else {
      return
    }
    output.warning(
      "--rejected is the SHA-256 of this token and a newline, so the rejected token was not recognized\n"
        + "  hash only the token: printf %s \"$TOKEN\" | sha256sum")
  }

  private func warnOfShortLife(_ token: SessionToken.Result, _ output: Output) {
    guard let minTTL, Double(token.expiresIn) < minTTL.rounded(.down) else { return }
    output.warning(
      "the token is valid for \(token.expiresIn) s, less than --min-ttl: the project's tokens have a shorter lifetime")
  }
}

struct ExecCommand: FrequentCommand {
  static let configuration = CommandConfiguration(
    commandName: "exec",
    abstract: "Run a command with RITUAL_ACCESS_TOKEN set.",
    usage:
      "ritualctl exec [--account <name>] [--assurance <level>] [--egress[=socket] [--egress-host <name>] "
      + "[--method <method>] [--path <path>] [--form <form>] [--prefix <text>]] -- <command> ...",
    discussion:
      "Also sets SUPABASE_URL and SUPABASE_KEY (the anon key) to those of the account's project, and RITUAL_API_URL "
      + "to its API URL, or to the project URL if it has none.\n\nWith --egress, the command never gets the token: "
      + "RITUAL_ACCESS_TOKEN, SUPABASE_KEY and SUPABASE_ANON_KEY are a placeholder token, and the URLs lead to the agent, "
      + "which adds the token to each request (see `ritualctl grant --help`). The placeholder is valid until the process ends, "
      + "24 hours at most. no_proxy gets the loopback names.\n\nWith --egress=socket, RITUAL_API_SOCKET is the path of a Unix "
      + "socket, whose directory a sandbox can bind. With --egress-host, the URLs have that name, and no_proxy is unchanged: "
      + "for a sandbox whose only way out is a proxy.\n\nExits with the status of the command, or with 125 if there is no token, 126 if the command cannot be run, and "
      + "127 if it is not found."
  ).runOften.examples(
    "ritualctl exec -- ./import.sh", "ritualctl exec --account work -- npm run sync",
    "ritualctl exec --assurance aal2 -- ./import.sh",
    "# The command never holds the token", "ritualctl exec --egress -- npm run sync",
    "# ... and can only read one path", "ritualctl exec --egress --method GET --path /rest/v1/todos -- ./report.sh")
  static let documents = [JSONDocument(ErrorDocument.self)]

  @OptionGroup var account: AccountOption
  @Option(help: "Lowest level of assurance: aal1, or aal2 for a session with a second factor. Default: aal1.")
  var assurance: Assurance?
  @Option(
    defaultAsFlag: Egress.port.rawValue, parsing: .next,
    help: ArgumentHelp(
      "Set a loopback URL and a placeholder instead of the token, for as long as the command runs; with =socket, a Unix socket.",
      valueName: "port|socket"), completion: .list(Egress.allCases.map(\.rawValue)))
  var egress: String?
  @Option(
    help: ArgumentHelp(
      "With --egress: the host of the URLs, which the proxy of a sandbox resolves to this machine.", valueName: "name"))
  var egressHost: String?
  @Option(help: ArgumentHelp("With --egress: permit only this HTTP method; can be repeated.", valueName: "method"))
  var method: [String] = []
  @Option(
    help: ArgumentHelp(
      "With --egress: permit only this path and the paths below it; can be repeated.", valueName: "path"))
  var path: [String] = []
  @OptionGroup var form: PlaceholderOptions
  @OptionGroup var common: CommonOptions
  @Argument(parsing: .postTerminator, help: "The command and its arguments.") var command: [String] = []

  /// Where the command's requests go instead of the project.
  enum Egress: String, CaseIterable {
    case port, socket
  }

  /// The exit statuses of env(1).
  private static let cannotRun: Int32 = 126
  private static let notFound: Int32 = 127
  /// The maximum, because the grant ends with the command.
  private static let grantSeconds = 86_400.0
  /// Longer than the agent waits for a refresh (15 s), so that the agent reports what went wrong.
  private static let tokenTimeout = Duration.seconds(20)

  init() {}

  init?(account: String?, command: [String]) {
    guard !command.isEmpty else { return nil }
    self.account = AccountOption(named: account)
    (assurance, method, path, common, self.command) = (nil, [], [], .defaults, command)
    (egress, egressHost, form) = (nil, nil, .defaults)
  }

  func validate() throws {
    if command.isEmpty { throw ValidationError("no command given; usage: ritualctl exec -- COMMAND") }
    if let egress {
      // The parser would take an option of this type with another value for one without a value.
      if Egress(rawValue: egress) == nil { throw ValidationError("--egress must be port or socket") }
      if assurance != nil { throw ValidationError("--egress and --assurance cannot be combined") }
      return
    }
    if !method.isEmpty || !path.isEmpty { throw ValidationError("--method and --path need --egress") }
    if egressHost != nil { throw ValidationError("--egress-host needs --egress") }
    if form.form != nil || form.prefix != nil { throw ValidationError("--form and --prefix need --egress") }
  }

  func exitCode(of failure: Failure) -> Int32 { 125 }

  var showsErrorKind: Bool { true }

  func perform(_ output: Output) throws -> ExitStatus {
    if egress != nil {
      export(try grant(output))
    } else {
      let token = try token(output)
      try TokenFormat.check(token.accessToken)
      try Self.checkLength(token.accessToken)
      export(token, output)
    }
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    execvp(command[0], &arguments)
    let number = errno
    let words = errorDescription(number)
    let status = number == ENOENT ? Self.notFound : Self.cannotRun
    output.failure(Failure(.failed, "\(command[0]) cannot be run: \(words)"), status: status)
    return ExitStatus(rawValue: status)
  }

  /// Throws if a variable cannot hold the token: the kernel would refuse the command, and name no reason.
  private static func checkLength(_ token: String) throws {
    // MAX_ARG_STRLEN of execve(2), with the NUL at the end.
    let limit = 32 * sysconf(Int32(_SC_PAGESIZE))
    guard "RITUAL_ACCESS_TOKEN=\(token)".utf8.count + 1 > limit else { return }
    throw Failure(
      .failed, "the access token is too large for a variable: Linux allows \(limit >> 10) KiB",
      hint: "ritualctl exec --egress, which sets a placeholder instead; or ritualctl token")
  }

  /// Requests the token. The connection is closed before the command starts.
  private func token(_ output: Output) throws -> SessionToken.Result {
    let params = SessionToken.Params(
      account: account.account, reason: "ritualctl exec", endpoints: true, assurance: assurance?.rawValue)
    let token = try common.connect().call(SessionToken.self, params, timeout: Self.tokenTimeout)
    DirectoryAccount.tell(token.directory, token.account, output)
    return token
  }

  /// Requests a grant that ends with this process, which the command replaces.
  private func grant(_ output: Output) throws -> EgressGrant.Result {
    let params = EgressGrant.Params(
      account: account.account, for: Self.grantSeconds, methods: method.isEmpty ? nil : method.map { $0.uppercased() },
      paths: path.isEmpty ? nil : path, process: true, form: form.form?.rawValue, prefix: form.prefix,
      socket: egress == Egress.socket.rawValue ? true : nil, host: egressHost)
    let grant = try common.connect().call(EgressGrant.self, params, timeout: Self.tokenTimeout)
    try TokenFormat.check(grant.token)
    DirectoryAccount.tell(grant.directory, grant.account, output)
    return grant
  }

  private func export(_ grant: EgressGrant.Result) {
    CommandEnvironment.set([
      "RITUAL_API_URL": grant.url, "SUPABASE_URL": grant.url, "RITUAL_ACCESS_TOKEN": grant.token,
      "SUPABASE_KEY": grant.token, "SUPABASE_ANON_KEY": grant.token, "RITUAL_API_SOCKET": grant.socket,
    ])
    // The name of a proxy's host is resolved by the proxy, to this machine.
    if egressHost == nil { CommandEnvironment.exceptLoopbackFromProxies() }
  }

  private func export(_ token: SessionToken.Result, _ output: Output) {
    let project = token.endpoints
    CommandEnvironment.set([
      "RITUAL_ACCESS_TOKEN": token.accessToken, "RITUAL_API_URL": project?.apiURL,
      "SUPABASE_URL": project?.projectURL, "SUPABASE_KEY": project?.anonKey, "RITUAL_API_SOCKET": nil,
    ])
    guard let project, project.apiURL == nil else { return }
    output.warning(
      "RITUAL_API_URL is not set, because the API URL changed after the sign-in\n"
        + "  if you trust it: ritualctl use-api --account \(token.account)")
  }
}

extension SessionToken {
  /// The SHA-256 of a token, as `rejected` has it.
  fileprivate static func fingerprint(of token: String) -> String {
    SHA256.digest(token).hexadecimal
  }
}
