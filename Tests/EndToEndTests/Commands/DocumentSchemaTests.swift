import AuthSandbox
import Foundation
import TestKit
import Testing

/// The schemas of docs/json-output.json, by document.
struct DocumentSchemas: Sendable {
  private let schemas: [String: JSON]
  private let shared: [String: JSON]

  /// Read once for all tests.
  static var built: DocumentSchemas { get throws { try reading.get() } }

  private static let reading = Result { try DocumentSchemas() }

  private init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../docs/json-output.json").standardized
    let all = try JSON(try String(contentsOf: file, encoding: .utf8))
    (schemas, shared) = (all["documents"]?.object ?? [:], all["$defs"]?.object ?? [:])
  }

  var names: Set<String> { Set(schemas.keys) }

  /// Expects that each document on standard output matches the command's schema, and one on standard
  /// error that of errors. Every member must be in the schema, although it allows others.
  func expectValid(_ output: Output, _ command: String) throws {
    let isAnswer = !output.stdout.isEmpty
    // `exec` prints what its command prints.
    guard !isAnswer || command != "exec" else { return }
    let schema = try #require(schemas[isAnswer ? command : "error"], "no schema of \(command)")
    let check = SchemaCheck(named: shared, refusesUnknownMembers: true)
    let lines = (isAnswer ? output.stdout : output.stderr).split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines {
      let complaints = check.complaints(try JSON(String(line)), schema)
      #expect(complaints == [], "\(command): \(line)")
    }
  }
}

/// Each successful command prints one document, which matches its schema. JSONEndToEndTests check every other
/// situation.
@Suite(.timeLimit(.minutes(5))) struct DocumentSchemaTests {
  /// Runs commands and records which documents were seen.
  private final class Session {
    let home: TestHome
    let schemas: DocumentSchemas
    private(set) var seen: Set<String> = []

    init(_ home: TestHome) throws {
      self.home = home
      schemas = try .built
    }

    @discardableResult
    func run(
      _ command: String, _ arguments: String..., input: String = "", status: Int32 = 0
    ) async throws -> [String: JSON] {
      let words = command.split(separator: " ").map(String.init) + ["--json"] + arguments
      let output = try await home.detached(words, more: ["PATH": "/nowhere"], input: input)
      #expect(output.status == status, "\(command) \(arguments): \(output)")
      JSONEndToEndTests.expectOneDocument(output, command)
      try note(output, command)
      return try JSON(output.stdout.isEmpty ? output.stderr : output.stdout).object
    }

    func note(_ output: Output, _ document: String) throws {
      try schemas.expectValid(output, document)
      seen.insert(document)
    }
  }

  @Test("the document of every successful command matches its schema", .home(.with { $0.manualLinking = true }))
  func everyDocument() async throws {
    home.sandbox.addProviderAccount(.google, email: TestHome.email, firstName: "Anna")
    home.sandbox.configure { $0.autoConsentGoogle = TestHome.email }
    let session = try Session(home)
    try await Self.signInAndAsk(session)
    try await Self.link(session)
    try await Self.verify(session)
    try await Self.changeKeys(session)
    try await Self.administer(session)
    try await Self.approve(session)
    try await Self.end(session)
    #expect(session.seen.isSuperset(of: SampleCalls.table.keys))
  }

  private static func signInAndAsk(_ session: Session) async throws {
    let (home, url) = (session.home, session.home.sandbox.url)
    try await session.run("init", "--project", "more", "--project-url", url + "/auth/v1", "--anon-key", "k")
    try await session.run(
      "sign-in", "email", "--email", TestHome.email, "--password-stdin", input: TestHome.password + "\n")
    for command in ["whoami", "report", "status", "use-api", "token", "refresh", "why", "identities", "profile"] {
      try await session.run(command)
    }
    try await session.run("accounts list")
    try await session.run("use", "default")
    try await session.run("profile", "--set", "display_name=Anna")
    try await session.run("api", "/api/v1/profile")
    try await session.run("api", "/no/such", status: 1)
    let events = try home.start(["events", "--json"])
    try await eventually("the first event") { events.stdout.contains("\n") }
    await events.stop()
    try session.note(Output(status: 0, stdout: events.stdout, stderr: ""), "events")
    let sink = try home.start(["sink", "--on-disk", "--json"])
    try await eventually("the token file") { sink.stdout.contains("\n") }
    await sink.stop()
    try session.note(Output(status: 0, stdout: sink.stdout, stderr: ""), "sink")
    try await session.run("setup")
    for name in ["systemd", "mcp"] { try await session.run("setup", name, "--account", "default") }
    let grant = try #require(try await session.run("grant", "--for", "60s")["id"]?.text)
    try await session.run("grants list")
    try await session.run("grants revoke", grant)
  }

  private static func link(_ session: Session) async throws {
    let begun = try await session.run("link", "google", "--no-browser", status: 4)
    let landing = try await session.home.finalAddress(of: try #require(begun["url"]?.text))
    try await session.run("complete-sign-in", "--yes", landing)
    let list = try await session.run("identities")["identities"]?.array ?? []
    let google = try #require(list.first { $0["provider"] == "google" }?["identityID"]?.text)
    try await session.run("unlink", google)
    try await session.run("sign-in", "google", "--account", "other", "--no-browser", status: 4)
    try await session.run("sign-in", "code", "--email", TestHome.email, "--account", "third", status: 4)
  }

  /// Two factors, so that every document of `mfa verify` is printed; none is left.
  private static func verify(_ session: Session) async throws {
    let sandbox = session.home.sandbox
    sandbox.configure {
      $0.mfaPhoneEnroll = true
      $0.mfaPhoneVerify = true
    }
    let app = try #require(try await session.run("mfa enroll", "totp")["factor"]?.text)
    let code = try #require(sandbox.totpCode(of: app))
    try await session.run("mfa verify", "--factor", app, "--code-stdin", input: code + "\n")
    let phone = try await session.run("mfa enroll", "phone", "--phone", "+4915112345678", "--name", "phone")["factor"]?
      .text
    try await session.run("mfa verify", "--factor", try #require(phone), status: 8)
    try await session.run("mfa list")
    try await session.run("mfa remove", app, "--yes")
  }

  private static func changeKeys(_ session: Session) async throws {
    try await session.run("vault status")
    try await session.run("vault verify")
    let added = try await session.run(
      "vault add-key", "--passphrase-stdin", "--keep-key-file", input: "correct horse 9\n")
    try await session.run("vault remove-key", try #require(added["key"]?["id"]?.text))
    try await session.run("vault rekey")
    try await session.run("vault adopt")
    try await session.run("lock")
    try await session.run("status", status: 5)
    try await session.run("vault status", status: 5)
    try await session.run("unlock")
  }

  private static func administer(_ session: Session) async throws {
    for command in ["reload", "audit", "metrics"] { try await session.run(command) }
    try await session.run("audit", "--verify")
    for option in ["--print", "--quiet", "--remove"] { try await session.run("register-handler", option) }
    try session.note(try await session.home.ctl("doctor", "--json"), "doctor")
    try session.note(try await session.home.ctl("--version", "--json"), "help")
    try session.note(try await session.home.ctl("token", "--account", "nobody", "--json"), "error")
    try await session.run("exec", "--account", "nobody", "--", "/bin/true", status: 125)
  }

  /// The test itself asks, and `ritualctl` answers: a program cannot answer its own request.
  private static func approve(_ session: Session) async throws {
    let home = session.home
    try home.append("\n[[policy.rules]]\naccount = \"default\"\naction = \"ask\"\n")
    try await home.reload()
    let tool = try SocketTool(home.socket)
    func approval() async throws -> String {
      try tool.send(#"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{}}"#)
      return try #require(try JSON(try await tool.line())["error"]?["data"]?["approval"]?.text)
    }
    let id = try await approval()
    try await session.run("approvals list")
    try await session.run("approvals allow", id, "--for", "600")
    try await session.run("approvals list")
    try await session.run("approvals revoke", id)
    try await session.run("approvals deny", try await approval())
    try home.rename("action = \"ask\"", to: "action = \"allow\"")
    try await home.reload()
  }

  private static func end(_ session: Session) async throws {
    session.home.sandbox.inject(.databaseDown, at: .logout, count: nil)
    try await session.run("accounts rename", "default", "renamed")
    try await session.run("accounts remove", "renamed", "--yes")
    try await session.run("sign-out", "--all")
    try await session.run("reset", "--yes")
  }
}
