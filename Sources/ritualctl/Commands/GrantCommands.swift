import AgentClient
import AgentProtocol
import ArgumentParser

/// `grant`: opens a loopback URL, or a socket for a sandbox, for a tool that has no token.
struct GrantCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "Get a loopback URL or a socket, and a placeholder token, for one tool.",
    discussion: """
      Prints the URL and the placeholder token, one line each, once. The tool sends the placeholder as bearer token or as \
      apikey; the agent replaces it by the access token, which the tool never gets. Elsewhere it is worth nothing.

      With --socket, a third line is the path of a Unix socket, and the URL's host means that socket. Its directory can be \
      mounted into a container or bound into a sandbox: who has it and the placeholder is served, also as another user in there.

      The grant acts as the program that asked for it: policy rules judge each request. It ends when its time is over, and \
      with `ritualctl grants revoke`, a lock of the vault, a sign-out, and a stop of the agent.

      --method and --path compare the method and whole segments of the path. They are no limit on tables: rpc, graphql \
      and embedded selects of a permitted path reach other tables, as far as the project's own rules allow it.
      """
  ).examples(
    "ritualctl grant", "ritualctl grant --account work --for 12h --json",
    "# For a container: mount the directory of the socket", "ritualctl grant --socket --json",
    "# Only reads of one table's path", "ritualctl grant --method GET --path /rest/v1/todos")
  static let documents = [JSONDocument(EgressGrant.Result.self)]

  /// As the agent limits it.
  private static let maxSeconds = 86_400

  @OptionGroup var account: AccountOption
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "How long the grant is valid, such as 90s, 15m or 8h (at most 24h). Default: 1h.",
      valueName: "duration"))
  var duration: TimeSpan?
  @Option(help: ArgumentHelp("Permit only this HTTP method; can be repeated.", valueName: "method"))
  var method: [String] = []
  @Option(
    help: ArgumentHelp("Permit only this path and the paths below it; can be repeated.", valueName: "path"))
  var path: [String] = []
  @Flag(
    help:
      "Make a Unix socket in a directory of its own, for a container or a sandbox. --socket without a path is short for it."
  )
  var unixSocket = false
  @OptionGroup var form: PlaceholderOptions
  @Option(help: "Output format: text, json, or headers (a JSON object for the tool's HTTP headers). Default: text.")
  var format: Format?
  @OptionGroup var common: CommonOptions

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, headers
  }

  /// `--socket` without a path asks for the grant's socket; with one, it names the agent's, as everywhere.
  static func spelledOut(_ arguments: ArraySlice<String>) -> ArraySlice<String> {
    guard arguments.first == configuration.commandName else { return arguments }
    let next = arguments.dropFirst() + ["--"]
    return zip(arguments, next).map { $0 == "--socket" && $1.hasPrefix("-") ? "--unix-socket" : $0 }[...]
  }

  func validate() throws {
    if common.json, let format, format != .json {
      throw ValidationError("--json and --format \(format) cannot be combined")
    }
    guard let seconds = duration?.seconds, !(1...Self.maxSeconds).contains(seconds) else { return }
    throw ValidationError("--for must be between 1s and 24h")
  }

  func perform(_ output: Output) throws -> ExitStatus {
    output.json = common.json || format == .json
    let params = EgressGrant.Params(
      account: account.account, for: duration.map { Double($0.seconds) },
      methods: method.isEmpty ? nil : method.map { $0.uppercased() }, paths: path.isEmpty ? nil : path,
      form: form.form?.rawValue, prefix: form.prefix, socket: unixSocket ? true : nil)
    let grant = try common.connect().call(EgressGrant.self, params)
    try TokenFormat.check(grant.token)
    DirectoryAccount.tell(grant.directory, grant.account, output)
    let socket: Words = grant.socket.map { "\n\($0, limit: .max)" } ?? ""
    if format == .headers {
      try output.answer(
        grant, Words(harmless: TokenFormat.headers.text(grant.token, key: grant.token)), isFolded: false)
      output.note("for requests to \(grant.url)\(socket)")
    } else {
      try output.answer(grant, "\(grant.url)\n\(grant.token, limit: .max)\(socket)", isFolded: false)
    }
    output.note(
      "valid until \(Times.clock(grant.expiresAt)); to end it: ritualctl grants revoke \(grant.id, limit: 40)")
    if !method.isEmpty || !path.isEmpty {
      output.note("limited by method and path, not by table: rpc, graphql and embedded selects reach other tables")
    }
    return .done
  }
}

/// The form of a placeholder token.
struct PlaceholderOptions: ParsableArguments {
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case key, jwt
  }

  @Option(
    help:
      "Form of the placeholder token: key, as Supabase's clients expect it; or jwt, for tools that decode their token. Default: key."
  )
  var form: Form?
  @Option(
    help: ArgumentHelp("Prefix of the placeholder token, for tools that expect another key.", valueName: "text"))
  var prefix: String?

  /// The options as the parser leaves them if none is given.
  static var defaults: Self {
    var options = Self()
    (options.form, options.prefix) = (nil, nil)
    return options
  }

  func validate() throws {
    if form == .jwt, prefix != nil { throw ValidationError("--form jwt and --prefix cannot be combined") }
  }
}

struct GrantsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grants",
    abstract: "List and revoke grants.",
    subcommands: [GrantsListCommand.self, GrantsRevokeCommand.self],
    defaultSubcommand: GrantsListCommand.self
  ).examples("ritualctl grants", "ritualctl grants revoke 3f9c02ab71de")
}

struct GrantsListCommand: LocalCallCommand {
  typealias Method = EgressList
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the valid grants, oldest first."
  ).examples("ritualctl grants list")

  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func text(_ list: EgressList.Result, _ style: Style) -> Words { Table(holding: list.grants).text(style) }

  func end(_ list: EgressList.Result, _ output: Output) -> ExitStatus {
    if list.grants.isEmpty { output.note("no valid grants") }
    return .done
  }
}

extension EgressList.Grant: Permission {
  var cells: [Table.Cell] {
    let scope = (methods ?? []) + (paths ?? [])
    return [
      .init("\(id, limit: 40)"), .init("\(account, limit: 40)"), .init("until \(Times.clock(expiresAt))"),
      .init(requests == 1 ? "1 request" : "\(requests) requests"),
      .init(scope.isEmpty ? "any method and path" : scope.map { Words($0) }.joined(separator: " ")),
      Table.asker(
        executable, comm.map { "calls itself \($0)" }, unit, process ? "ends with pid \(pid)" : "pid \(pid)"),
    ]
  }
}

struct GrantsRevokeCommand: RevokeCommand {
  typealias Method = EgressRevoke
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "End a grant and its open streams."
  ).examples("ritualctl grants revoke 3f9c02ab71de")

  @Argument(help: "ID shown by `grants`.", completion: .custom(Completion.grants)) var id: String
  @OptionGroup var common: CommonOptions

  var params: EgressRevoke.Params { EgressRevoke.Params(id: id) }
}
