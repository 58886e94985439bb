import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// `--json` prints exactly one document on standard output or, on failure, one on standard error,
/// for every command and failure.
@Suite(.serialized, .timeLimit(.minutes(10))) struct JSONEndToEndTests {
  /// Runs `ritualctl`, or a copy of it, without a terminal.
  private static func start(
    _ home: TestHome, _ arguments: [String], input: String = "", program: String = Programs.path("ritualctl"),
    environment: [String: String] = [:]
  ) throws -> RunningProgram {
    try RunningProgram(
      "/usr/bin/setsid", ["--wait", program] + arguments,
      environment: home.environment.merging(environment) { $1 }, input: input, folder: home.folder)
  }

  private static func start(
    _ home: TestHome, _ leaf: CommandTree.Leaf, _ more: [String] = [], program: String = Programs.path("ritualctl")
  ) throws -> RunningProgram {
    let call = leaf.sample
    return try start(home, leaf.path + more + ["--json"] + call.arguments, input: call.input, program: program)
  }

  /// Expects one document, on the stream that matches the exit status.
  static func expectOneDocument(_ output: Output, _ what: String, fails: Bool = false) {
    let (text, isError) = output.stdout.isEmpty ? (output.stderr, true) : (output.stdout, false)
    if !isError { #expect(output.stderr.isEmpty, "\(what): \(output.stderr)") }
    if fails || isError { #expect(isError && output.status != 0, "\(what): \(output)") }
    #expect(text.hasSuffix("\n") && !text.dropLast().contains("\n"), "\(what): \(text)")
    let document = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
    #expect(document?["formatVersion"] as? Int == 1, "\(what): \(text)")
    guard isError else { return }
    #expect(document?["exitStatus"] as? Int == Int(output.status), "\(what): \(text)")
    let error = document?["error"] as? [String: Any]
    #expect(error?["kind"] is String && error?["message"] is String, "\(what): \(text)")
  }

  /// Runs all commands at the same time, except those in `names`.
  private static func expectAll(
    _ home: TestHome, _ situation: String, without names: Set<String> = [], _ more: [String] = [],
    where isMeant: (CommandTree.Leaf) -> Bool = { _ in true }, fails: Bool = false
  ) async throws {
    let leaves = try await CommandTree(home).leaves.filter { !names.contains($0.name) && isMeant($0) }
    #expect(!leaves.isEmpty)
    let programs = try leaves.map { ($0, try start(home, $0, more)) }
    for (leaf, program) in programs {
      let output = try await program.end()
      expectOneDocument(output, "\(leaf.name) (\(situation))", fails: fails)
      try DocumentSchemas.built.expectValid(output, leaf.name)
    }
  }

  @Test("prints one document without an agent, and for wrong usage", .home)
  func withoutAgent() async throws {
    try await Self.expectAll(home, "wrong usage", ["--no-such-option"], fails: true)
    await home.stopAgent()
    try await Self.expectAll(home, "no agent", without: ["reset"])
    for arguments in [["nonsense", "--json"], ["vault", "nonsense", "--json"], ["--jsn", "--json"]] {
      Self.expectOneDocument(try await Self.start(home, arguments).end(), "\(arguments)", fails: true)
    }
    for arguments in [
      ["--json"], ["vault", "--json"], ["token", "--help", "--json"], ["--help", "--json"], ["--version", "--json"],
    ] {
      Self.expectOneDocument(try await Self.start(home, arguments).end(), "\(arguments)")
    }
  }

  @Test("prints one document for an unknown account, and with a locked vault", .home)
  func refused() async throws {
    try await home.signIn()
    try await Self.expectAll(
      home, "unknown account", without: ["sign-in", "init"], ["--account", "nobody"],
      where: { $0.options.contains("account") }, fails: true)
    #expect(try await home.ctl("lock").status == 0)
    try await Self.expectAll(
      home, "locked", without: ["unlock", "reset", "events", "vault add-key", "vault rekey"]
    )
  }

  @Test("prints one document for a program that a rule denies", .home)
  func denied() async throws {
    try await home.signIn()
    let tool = home.folder.path + "/denied-tool"
    try await home.copyProgram("ritualctl", to: tool)
    try home.append("\n[[policy.rules]]\nexecutable = \"\(tool)\"\naction = \"deny\"\n")
    try await home.reload()
    let refused: Set = [
      "sign-in", "use", "use-api", "token", "refresh", "sign-out", "exec", "api", "identities", "link", "unlink",
      "profile",
    ]
    let leaves = try await CommandTree(home).leaves.filter { refused.contains($0.name) }
    #expect(leaves.count == refused.count)
    for leaf in leaves {
      let output = try await Self.start(home, leaf, program: tool).end()
      Self.expectOneDocument(output, "\(leaf.name) (denied)", fails: true)
      #expect(output.stderr.contains(#""kind":"denied""#), "\(leaf.name): \(output)")
      #expect(output.status == (leaf.name == "exec" ? 125 : 6), "\(leaf.name): \(output)")
    }
    // The rule does not affect the other commands.
    for leaf in try await CommandTree(home).leaves
    where !refused.contains(leaf.name) && !["events", "reset"].contains(leaf.name) {
      Self.expectOneDocument(try await Self.start(home, leaf, program: tool).end(), "\(leaf.name) (denied)")
    }
  }

  /// A desktop whose browser writes the URL that it opens to the file `seen`.
  private static func desktop(_ home: TestHome) async throws -> (environment: [String: String], seen: String) {
    let (programs, seen) = (home.folder.path + "/desktop", home.folder.path + "/opened")
    try await ShellScript.install(
      "printf '%s' \"$*\" > \(seen).new && mv \(seen).new \(seen)\necho noise >&2", as: programs + "/xdg-open")
    return (["DISPLAY": ":0", "PATH": programs + ":/usr/bin:/bin"], seen)
  }

  /// Returns the opened URL and clears it.
  private static func opened(_ seen: String) async throws -> String {
    try await eventually("the browser") { FileManager.default.fileExists(atPath: seen) }
    defer { unlink(seen) }
    return try String(contentsOfFile: seen, encoding: .utf8)
  }

  @Test("a sign-in or link that opens a browser prints only its outcome", arguments: ["sign-in", "link"])
  func inTheBrowser(command: String) async throws {
    try await withTestHome(.with { $0.manualLinking = true }) { home in
      home.sandbox.addProviderAccount(.google, email: TestHome.email, firstName: "Anna")
      try await home.signIn()
      let (environment, seen) = try await Self.desktop(home)
      let arguments = [command, "google", "--json"]
      let cancelled = try Self.start(home, arguments, environment: environment)
      try await home.submit(ConsentForm(try await home.browse(try await Self.opened(seen))), ["action": "cancel"])
      let output = try await cancelled.end()
      Self.expectOneDocument(output, "cancelled", fails: true)
      #expect(output.status == 2, "\(output)")
      let late = try await Self.start(home, arguments + ["--timeout", "1"], environment: environment).end()
      Self.expectOneDocument(late, "nobody comes", fails: true)
      #expect(late.status == 7, "\(late)")
      _ = try await Self.opened(seen)
      home.sandbox.configure { $0.autoConsentGoogle = TestHome.email }
      let ending = try Self.start(home, arguments, environment: environment)
      try await home.browse(try await Self.opened(seen))
      let done = try await ending.end()
      Self.expectOneDocument(done, "signed in")
      let outcome = try done.json()["outcome"] as? String
      #expect(done.status == 0 && outcome == "signedIn", "\(done)")
    }
  }

  @Test("an opener that fails ends a sign-in without a terminal, before its timeout")
  func tellsThatTheBrowserFailed() async throws {
    try await withTestHome { home in
      let programs = home.folder.path + "/desktop"
      try await ShellScript.install("exit 3", as: programs + "/xdg-open")
      let environment = ["DISPLAY": ":0", "PATH": programs + ":/usr/bin:/bin"]
      let output = try await Self.start(
        home, ["sign-in", "google", "--json", "--timeout", "60"], environment: environment
      ).end()
      Self.expectOneDocument(output, "a failing opener", fails: true)
      #expect(output.status == 64 && output.stderr.contains("--no-browser"), "\(output)")
      #expect(output.stderr.contains("no browser could be opened: xdg-open failed with exit status 3"), "\(output)")
    }
  }

  @Test(
    "without a browser, fails at once and names --no-browser, whose document contains the URL",
    .home(.with { $0.manualLinking = true }),
    arguments: ["sign-in", "link"])
  func withoutABrowser(command: String) async throws {
    home.sandbox.addProviderAccount(.google, email: TestHome.email, firstName: "Anna")
    home.sandbox.configure { $0.autoConsentGoogle = TestHome.email }
    try await home.signIn()
    let arguments = [command, "google", "--json"]
    for environment in [["DISPLAY": ""], ["DISPLAY": ":0", "SSH_CONNECTION": "1"], ["DISPLAY": ":0", "PATH": "/"]] {
      let output = try await Self.start(home, arguments, environment: environment).end()
      Self.expectOneDocument(output, "\(environment)", fails: true)
      #expect(output.status == 64 && output.stderr.contains("--no-browser"), "\(output)")
    }
    Self.expectOneDocument(
      try await Self.start(home, arguments + ["--no-browser", "--qr"]).end(), "a QR code", fails: true)
    let begun = try await Self.start(home, arguments + ["--no-browser"]).end()
    Self.expectOneDocument(begun, "begun")
    #expect(begun.status == 4, "\(begun)")
    let document = try begun.json()
    #expect(document["outcome"] as? String == "begun" && document["expiresAt"] is String, "\(begun)")
    let landing = try await home.finalAddress(of: try #require(document["url"] as? String))
    let done = try await Self.start(home, ["complete-sign-in", "--yes", "--json", landing]).end()
    Self.expectOneDocument(done, "completed")
    let outcome = try done.json()["outcome"] as? String
    #expect(done.status == 0 && outcome == "signedIn", "\(done)")
    #expect(try await home.ctl("identities").stdout.contains("Google"))
  }

  @Test("TK-4: a warning is a member of the document, or on standard error", .home)
  func warns() async throws {
    try await home.signIn()
    let token = try await home.token()
    let rejected = try await home.sha256(token + "\n")
    let text = try await home.ctl("token", "--rejected", rejected)
    #expect(text.status == 0 && text.stdout == token + "\n", "\(text)")
    #expect(text.stderr.contains("warning: ") && text.stderr.contains("newline"), "\(text)")
    let session = try await home.foreignRefreshToken()
    for (arguments, input, words) in [
      (["token", "--rejected", rejected], "", "and a newline"),
      (["token", "--rejected", String(repeating: "0", count: 64)], "", nil),
      (["token", "--min-ttl", "99999999"], "", "less than --min-ttl"),
      (["sign-in", "--session-stdin"], session, "stop using this session elsewhere"),
      (["register-handler"], "", "xdg-mime"),
    ] as [([String], String, String?)] {
      let output = try await Self.start(
        home, arguments + ["--json"], input: input, environment: ["PATH": "/nowhere"]
      ).end()
      Self.expectOneDocument(output, "\(arguments)")
      let warnings = try output.json()["warnings"] as? [String] ?? []
      let isWarned = warnings.contains { $0.contains(words ?? "") }
      #expect(output.status == 0 && isWarned == (words != nil), "\(arguments): \(output)")
    }
    let output = try await Self.start(
      home,
      ["init", "--json", "--project", "work", "--project-url", home.sandbox.url + "/auth/v1", "--anon-key", "k"]
    ).end()
    Self.expectOneDocument(output, "init")
    #expect(try output.json()["note"] is String, "\(output)")
  }

  @Test("a stopped agent causes exit 7 within seconds, with a remedy", .home)
  func stopped() async throws {
    try await home.signIn()
    let pid = try #require(await home.agentPID)
    try await suspendProcess(pid)
    defer { kill(pid, SIGCONT) }
    try await Self.expectAll(home, "stopped", without: ["reset"])
    let commands = [
      ["status"], ["accounts"], ["use", "default"], ["why"], ["vault", "status"], ["lock"], ["approvals"], ["metrics"],
      ["events"], ["refresh"], ["sign-out"], ["api", "/"], ["status", "--timeout", "0.2"], ["token", "--timeout", "1"],
    ]
    for (arguments, command) in try commands.map({ ($0, try Self.start(home, $0)) }) {
      // A tenfold margin over the timeout of 3 s, for a busy machine.
      let output = try await command.end(within: .seconds(30))
      #expect(output.status == 7, "\(arguments): \(output)")
      #expect(output.stdout.isEmpty)
      #expect(output.stderr.contains("did not respond within"), "\(output.stderr)")
      #expect(output.stderr.contains("to continue it: kill -CONT \(pid)"), "\(output.stderr)")
    }
  }

  @Test(
    "prints one document if the agent sends invalid data, or never accepts", .home,
    arguments: ["garbage", "half", "other", "backlog"])
  func damaged(kind: String) async throws {
    await home.stopAgent()
    let server = try FakeAgent.start(kind, home)
    try await eventually("the server listens") { server.stdout.contains("ready") }
    try await Self.expectAll(home, kind, without: ["reset"])
    await server.stop()
  }

  @Test("prints one document after Ctrl-C at a prompt, without a terminal, and for a write error", .home)
  func prompts() async throws {
    try await home.signIn()
    for arguments in [
      ["sign-in"], ["sign-in", "email"], ["complete-sign-in"], ["reset"], ["vault", "add-key", "--passphrase"],
    ] {
      let output = try await Self.start(home, arguments + ["--json"]).end()
      Self.expectOneDocument(output, "\(arguments) without a terminal", fails: true)
    }
    for (prompt, arguments) in [
      ("mail: ", ["sign-in", "email"]), ("Continue?", ["reset"]), ("last page", ["complete-sign-in"]),
      ("passphrase: ", ["vault", "add-key", "--passphrase", "--keep-key-file"]),
    ] {
      let shown = try await Self.interrupt(home, at: prompt, arguments + ["--json"])
      let lines = shown.stdout.split(separator: "\n").filter { $0.hasPrefix("{") || $0.contains("{\"error") }
      #expect(shown.status == 2, "\(arguments): \(shown)")
      #expect(lines.count == 1 && shown.stdout.contains(#""kind":"cancelled""#), "\(arguments): \(shown)")
    }
    let full = try await home.run(
      "/bin/sh", ["-c", "exec \"$0\" status --json > /dev/full", Programs.path("ritualctl")])
    Self.expectOneDocument(full, "a full disk", fails: true)
  }

  private static func interrupt(_ home: TestHome, at prompt: String, _ arguments: [String]) async throws -> Output {
    try await home.startOnTerminal(arguments, "expect('\(prompt)')\nsay('\\x03')").end()
  }
}

/// A server that replaces the agent and violates the protocol.
enum FakeAgent {
  /// Starts a server of one kind:
  /// - `garbage`: responds with text that is not JSON
  /// - `half`: sends part of a response, then closes the connection
  /// - `other`: sends a response of another shape
  /// - `backlog`: accepts no connection, and its listen queue is full
  static func start(_ kind: String, _ home: TestHome) throws -> RunningProgram {
    let file = home.folder.path + "/fake-agent.py"
    try script.write(toFile: file, atomically: true, encoding: .utf8)
    return try RunningProgram(
      "/usr/bin/python3", ["-u", file, home.socket, kind], environment: home.environment, folder: home.folder)
  }

  private static let script = """
    import json, os, socket, sys, threading
    path, kind = sys.argv[1:]
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    if os.path.exists(path): os.unlink(path)
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(0 if kind == 'backlog' else 128)
    def serve(connection):
        for line in connection.makefile():
            if kind == 'garbage': connection.sendall(b'what\\n')
            elif kind == 'half':
                connection.sendall(b'{"jsonrpc":"2.0",')
                connection.shutdown(socket.SHUT_RDWR)
                return
            elif kind == 'other':
                answer = {'jsonrpc': '2.0', 'id': json.loads(line)['id'], 'result': [1]}
                connection.sendall(json.dumps(answer).encode() + b'\\n')
    if kind == 'backlog':
        full = []
        for _ in range(3):
            client = socket.socket(socket.AF_UNIX)
            client.setblocking(False)
            try: client.connect(path)
            except BlockingIOError: break
            full.append(client)
    print('ready')
    if kind == 'backlog': threading.Event().wait()
    while True:
        connection, _ = server.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()

    """
}
