import AgentProtocol
import ArgumentParser
import Glibc

/// `setup`: prints what to add to a program or a unit, so that it gets its tokens from the agent.
/// Changes nothing, and prints no token.
struct SetupCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Print what to add where, so that a tool gets its tokens from the agent.",
    discussion:
      "Names: \(SetupName.allCases.map(\.rawValue).joined(separator: ", ")). Without a name, lists them. The text has the "
      + "paths of this machine, and no token. Changes nothing; `ritualctl doctor` checks what you added."
  ).examples("ritualctl setup", "ritualctl setup systemd", "ritualctl setup claude-code work")
  static let documents = [
    JSONDocument(SetupListAnswer.self, "Without a name."),
    JSONDocument(SetupAnswer.self, "With a name."),
  ]

  @Argument(help: "The setup to print; without it, all are listed.") var name: SetupName?
  @Argument(help: "Account to use, as with --account.", completion: .custom(Completion.accounts)) var named: String?
  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if named != nil, account.option != nil { throw ValidationError("the account is named twice") }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    guard let name else {
      let names = SetupName.allCases.map { SetupListAnswer.Entry(name: $0.rawValue, purpose: $0.purpose) }
      try output.answer(SetupListAnswer(setups: names))
      return .done
    }
    let socket = try common.agentSocket
    // The text is to be copied, so nothing in it is escaped.
    guard Words(socket).text == socket else {
      throw Failure(.failed, "the socket's path has characters that cannot be shown")
    }
    let account = named ?? account.account
    if let account { try check(account) }
    let guide = SetupGuide(
      socket: socket, account: account, runtime: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) },
      program: OwnProgram.path("ritualctl") ?? "ritualctl")
    try output.answer(SetupAnswer(name: name.rawValue, account: account, steps: guide.steps(name)))
    return .done
  }
}

extension SetupCommand {
  /// How long the agent may take to tell whether there is such an account.
  private static let answerTimeout = Duration.seconds(1)

  /// Refuses a name that no account can have, or that an agent does not know. Works without an agent.
  private func check(_ account: String) throws {
    guard AccountName.isValid(account) else { throw Failure(.usage, "an account's name \(AccountName.rule)") }
    do {
      _ = try common.ask(SessionStatus.self, AccountParams(account: account), within: Self.answerTimeout)
    } catch let error as AgentError where error.kind == .unknownAccount {
      throw error
    } catch {
      // The text is as useful for an account that is added later.
    }
  }
}

/// The systems and tools that can be set up.
enum SetupName: String, CaseIterable, ExpressibleByArgument {
  case systemd, curl, python, node, go, mcp
  case claudeCode = "claude-code"
  case opencode, vscode, cursor, gemini, codex

  var purpose: String {
    switch self {
    case .systemd: "a unit that reads a token at its start"
    case .curl: "requests with curl"
    case .python: "a Python program (httpx)"
    case .node: "a Node program"
    case .go: "a Go program"
    case .mcp: "an MCP server that an AI tool starts"
    case .claudeCode: "MCP servers in Claude Code"
    case .opencode: "MCP servers in OpenCode"
    case .vscode: "MCP servers in Visual Studio Code"
    case .cursor: "MCP servers in Cursor"
    case .gemini: "MCP servers in Gemini CLI"
    case .codex: "MCP servers in Codex"
    }
  }
}

/// The text of each setup, from the paths of one machine.
struct SetupGuide {
  /// The agent's socket.
  let socket: String
  /// The account; nil means the default account, whichever it is then.
  let account: String?
  /// `$XDG_RUNTIME_DIR`.
  let runtime: String?
  /// The path of ritualctl.
  let program: String

  private var egress: String { AgentPaths.egressSocket(nextTo: socket) }
  /// The host of egress: an account's name, or `localhost` for the default account.
  private var host: String { account ?? "localhost" }
  private var credential: String { "token" + (account.map { ".\($0)" } ?? "") }

  func steps(_ name: SetupName) -> [SetupAnswer.Step] {
    switch name {
    case .systemd: systemd
    case .curl: curl
    case .python: [.init(where: "in the program, with the package httpx", text: python)]
    case .node: [.init(where: "in the program", text: node)]
    case .go: [.init(where: "in the program", text: go)]
    case .mcp: mcp
    case .claudeCode: claudeCode
    case .opencode: opencode
    case .vscode: vscode
    case .cursor: variables("~/.cursor/mcp.json", client: "cursor", url: "url", "env:")
    case .gemini: variables("~/.gemini/settings.json", client: "gemini", url: "httpUrl", "")
    case .codex: codex
    }
  }

  /// The path of the credential socket as a unit names it: with a specifier if possible.
  var credentialPath: String {
    let path = AgentPaths.credentialsSocket(nextTo: socket)
    guard let runtime, path.hasPrefix(runtime + "/") else { return path.replacing("%", with: "%%") }
    return "%t" + path.dropFirst(runtime.utf8.count).replacing("%", with: "%%")
  }

  private var systemd: [SetupAnswer.Step] {
    [
      .init(
        where: "in the unit: systemctl --user edit NAME.service",
        text: """
          [Service]
          LoadCredential=\(credential):\(credentialPath)
          # Without a token, the credential is empty: the unit fails here.
          ExecStartPre=/usr/bin/test -s %d/\(credential)
          """),
      .init(
        where: "in the program: the token is in this file until the program ends",
        text: "$CREDENTIALS_DIRECTORY/\(credential)"),
    ]
  }

  private var curl: [SetupAnswer.Step] {
    [
      .init(
        where: "on the command line",
        text: "curl --unix-socket \(Quoted.ifNeeded(egress)) http://\(host)/rest/v1/TABLE"),
      .init(
        where: "or once, in ~/.curlrc-ritual, for: curl -K ~/.curlrc-ritual http://\(host)/rest/v1/TABLE",
        text: "unix-socket = \(Quoted.literal(egress))"),
    ]
  }

  private var python: String {
    """
    import httpx

    client = httpx.Client(
        transport=httpx.HTTPTransport(uds=\(Quoted.literal(egress))),
        base_url="http://\(host)",
    )
    rows = client.get("/rest/v1/TABLE").raise_for_status().json()
    """
  }

  private var node: String {
    """
    import http from "node:http";

    const request = { socketPath: \(Quoted.literal(egress)), host: "\(host)", path: "/rest/v1/TABLE" };
    http.get(request, async (response) => {
      let body = "";
      for await (const piece of response.setEncoding("utf8")) body += piece;
      console.log(response.statusCode, JSON.parse(body));
    });
    """
  }

  private var go: String {
    """
    client := &http.Client{Transport: &http.Transport{
    \tDialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
    \t\treturn (&net.Dialer{}).DialContext(ctx, "unix", \(Quoted.literal(egress)))
    \t},
    }}
    response, err := client.Get("http://\(host)/rest/v1/TABLE")
    """
  }

  // MARK: - AI clients
  //
  // Tests/Documents/clients.py has an example of each client's documentation, with which the texts are compared.

  /// The command of a server that the client starts, as JSON texts.
  private var serverWords: [String] {
    let words = [program, "exec", "--egress"] + (account.map { ["--account", $0] } ?? []) + ["--", "COMMAND"]
    return words.map(Quoted.literal)
  }
  private var serverArguments: String { serverWords.dropFirst().joined(separator: ", ") }
  private var serverCommand: String {
    "\"command\": \(serverWords[0]),\n      \"args\": [\(serverArguments)]"
  }
  /// A command of this program, for a shell.
  private func command(_ words: String) -> String {
    "\(Quoted.ifNeeded(program)) \(words)" + (account.map { " --account \($0)" } ?? "")
  }
  private func throughProxy(_ client: String) -> SetupAnswer.Step {
    .init(
      where: "and start it so, for a URL and a placeholder token in its environment",
      text: command("exec --egress") + " -- \(client)")
  }
  private var grant: SetupAnswer.Step {
    .init(where: "a URL, for PORT, and a placeholder token, which end after 24 hours", text: command("grant --for 24h"))
  }

  /// A JSON object with one server in `section`.
  private static func entry(_ section: String, _ members: [String], before: String = "") -> String {
    "{\n\(before)  \"\(section)\": {\n    \"NAME\": {\n      \(members.joined(separator: ",\n      "))\n    }\n  }\n}"
  }

  private static func bearer(_ token: String) -> String {
    #""headers": {"Authorization": "Bearer \#(token)"}"#
  }

  private static func started(_ file: String, _ text: String) -> SetupAnswer.Step {
    .init(where: "in \(file): a server that it starts, its command after --", text: text)
  }
  private static func reached(_ file: String, note: String = "", _ text: String) -> SetupAnswer.Step {
    .init(where: "in \(file): a server of the project, reached by its URL\(note)", text: text)
  }

  private var mcp: [SetupAnswer.Step] {
    [
      .init(
        where: "in the configuration of the AI tool, with the server's own command after --",
        text: Self.entry("mcpServers", [serverCommand])),
      .init(
        where: "for a server that is reached by a URL: a URL and a placeholder token for it", text: command("grant")),
    ]
  }

  private var claudeCode: [SetupAnswer.Step] {
    let helper = Quoted.literal(command("token --format headers"))
    return [
      Self.started(".mcp.json", Self.entry("mcpServers", [serverCommand])),
      .init(
        where: "in .mcp.json: a server that accepts the access token, reached by its URL",
        text: Self.entry("mcpServers", [#""type": "http""#, #""url": "URL""#, "\"headersHelper\": \(helper)"])),
    ]
  }

  private var opencode: [SetupAnswer.Step] {
    let file = "~/.config/opencode/opencode.json"
    let url = #""url": "{env:SUPABASE_URL}/functions/v1/NAME""#
    let local = [#""type": "local""#, "\"command\": [\(serverWords.joined(separator: ", "))]"]
    let remote = [#""type": "remote""#, url, #""oauth": false"#, Self.bearer("{env:RITUAL_ACCESS_TOKEN}")]
    return [
      Self.started(file, Self.entry("mcp", local)), Self.reached(file, Self.entry("mcp", remote)),
      throughProxy("opencode"),
    ]
  }

  private var vscode: [SetupAnswer.Step] {
    let file = ".vscode/mcp.json"
    let input = """
        "inputs": [
          {"type": "promptString", "id": "ritual-token", "description": "Token of ritualctl grant", "password": true}
        ],

      """
    let url = #""url": "http://127.0.0.1:PORT/functions/v1/NAME""#
    let remote = [#""type": "http""#, url, Self.bearer("${input:ritual-token}")]
    return [
      Self.started(file, Self.entry("servers", [#""type": "stdio""#, serverCommand])),
      Self.reached(file, note: "; it asks for the token once", Self.entry("servers", remote, before: input)), grant,
    ]
  }

  /// For a client that reads variables of the environment in its configuration.
  ///
  /// - Parameters:
  ///   - url: the name of the member for a URL.
  ///   - prefix: what stands before the name of a variable.
  private func variables(_ file: String, client: String, url: String, _ prefix: String) -> [SetupAnswer.Step] {
    let remote = [
      #""\#(url)": "${\#(prefix)SUPABASE_URL}/functions/v1/NAME""#, Self.bearer("${\(prefix)RITUAL_ACCESS_TOKEN}"),
    ]
    return [
      Self.started(file, Self.entry("mcpServers", [serverCommand])),
      Self.reached(file, Self.entry("mcpServers", remote)), throughProxy(client),
    ]
  }

  private var codex: [SetupAnswer.Step] {
    let (file, table) = ("~/.codex/config.toml", "[mcp_servers.NAME]\n")
    let remote = """
      url = "http://127.0.0.1:PORT/functions/v1/NAME"
      bearer_token_env_var = "RITUAL_ACCESS_TOKEN"
      """
    return [
      Self.started(file, table + "command = \(serverWords[0])\nargs = [\(serverArguments)]"),
      Self.reached(file, note: ", with the token in RITUAL_ACCESS_TOKEN", table + remote), grant,
    ]
  }
}

/// The setups.
struct SetupListAnswer: Answer {
  /// One setup.
  struct Entry: Codable {
    /// The name for `ritualctl setup`.
    let name: String
    /// Its purpose, in words.
    let purpose: String
  }

  /// The setups that `ritualctl setup` can print.
  let setups: [Entry]

  func text(_ style: Style) -> Words {
    Table(gaps: [2, 0], rows: setups.map { [.init($0.name), .init($0.purpose)] }).text(style)
  }
}

/// The texts of one setup and their places.
struct SetupAnswer: Answer {
  static let isFolded = false
  /// A text, and its place.
  struct Step: Codable, Equatable {
    /// Where the text belongs.
    let `where`: String
    /// The text to add.
    let text: String
  }

  /// The name of the setup.
  let name: String
  /// The account; absent for the default account.
  let account: String?
  /// The texts to add, in order.
  let steps: [Step]

  func text(_ style: Style) -> Words {
    steps.map { step in
      let lines = step.text.split(separator: "\n", omittingEmptySubsequences: false)
      return (["# \(step.where, limit: .max):"] + lines.map { $0.isEmpty ? "" : "    \(Words(lines: String($0)))" })
        .joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}
