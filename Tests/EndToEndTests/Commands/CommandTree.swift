import Foundation
import TestKit

/// The commands of the built `ritualctl`, as the program itself lists them, so that no new command
/// is forgotten.
struct CommandTree {
  /// A command without subcommands.
  struct Leaf: Sendable {
    /// Such as `["vault", "status"]`.
    let path: [String]
    /// The names of its options, such as `account`.
    let options: Set<String>

    var name: String { path.joined(separator: " ") }
  }

  let leaves: [Leaf]
  /// All commands: the program itself as `[]`, groups such as `["vault"]`, and the leaves.
  let paths: [[String]]

  init(_ home: TestHome) async throws {
    struct Dump: Decodable { let command: Command }
    struct Name: Decodable { let name: String }
    struct Argument: Decodable { let names: [Name]? }
    struct Command: Decodable {
      let commandName: String
      let subcommands: [Command]?
      let arguments: [Argument]?
    }
    func children(_ command: Command) -> [Command] {
      (command.subcommands ?? []).filter { $0.commandName != "help" }
    }
    func paths(_ command: Command, _ path: [String]) -> [[String]] {
      [path] + children(command).flatMap { paths($0, path + [$0.commandName]) }
    }
    func leaves(_ command: Command, _ path: [String]) -> [Leaf] {
      let children = children(command)
      guard children.isEmpty else { return children.flatMap { leaves($0, path + [$0.commandName]) } }
      return [Leaf(path: path, options: Set((command.arguments ?? []).flatMap { $0.names ?? [] }.map(\.name)))]
    }
    let dump = try await home.ctl("--experimental-dump-help").stdout
    let root = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
    self.leaves = leaves(root, [])
    self.paths = paths(root, [])
  }
}

/// A call of each command for a test, in the order of one user's session.
enum SampleCalls {
  /// The arguments after the command path, and the standard input.
  static let table: [String: (arguments: [String], input: String)] = [
    "init": (["--project", "more", "--project-url", "http://127.0.0.1:1", "--anon-key", "k"], ""),
    "sign-in": (["email", "--email", TestHome.email, "--password-stdin"], TestHome.password + "\n"),
    "complete-sign-in": (["http://127.0.0.1:1022/callback?attempt=x&code=1"], ""), "status": ([], ""),
    "accounts list": ([], ""), "accounts rename": (["x", "y"], ""), "accounts remove": (["x", "--yes"], ""),
    "whoami": ([], ""), "use": (["default"], ""), "use-api": ([], ""), "token": ([], ""),
    "refresh": ([], ""),
    "why": ([], ""),
    "sign-out": ([], ""), "exec": (["--", "/bin/echo", #"{"formatVersion":1}"#], ""), "api": (["/api/v1/profile"], ""),
    "grant": (["--for", "60s", "--method", "GET"], ""), "grants list": ([], ""), "grants revoke": (["x"], ""),
    // A sink with a usable path runs until it is stopped. Root can create most others.
    "setup": (["curl"], ""), "sink": (["/dev/null/token"], ""),
    "events": ([], ""), "identities": ([], ""), "link": (["google", "--no-browser"], ""), "unlink": (["x"], ""),
    "mfa list": ([], ""), "mfa verify": (["--code-stdin"], "123456\n"), "mfa enroll": (["totp"], ""),
    "mfa remove": (["x", "--yes"], ""), "profile": ([], ""), "approvals list": ([], ""), "approvals allow": (["x"], ""),
    "approvals deny": (["x"], ""),
    "approvals revoke": (["x"], ""), "audit": ([], ""), "metrics": ([], ""), "lock": ([], ""), "unlock": ([], ""),
    "vault status": ([], ""), "vault verify": ([], ""),
    "vault add-key": (["--passphrase-stdin", "--keep-key-file"], "correct horse 9\n"),
    "vault remove-key": (["ffff"], ""),
    "vault rekey": ([], ""), "vault adopt": ([], ""), "register-handler": (["--print"], ""), "doctor": ([], ""),
    "reload": ([], ""), "schema": ([], ""),
    "reset": (["--yes"], ""),
  ]

  /// Commands that end the session and are therefore called last.
  static let last = ["lock", "unlock", "sign-out", "reset"]
}
