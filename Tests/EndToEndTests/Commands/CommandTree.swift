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
    /// The arguments of the first example in its help that names no account.
    let example: [String]

    var name: String { path.joined(separator: " ") }

    /// The arguments after the path, and the standard input, for a test.
    var sample: SampleCalls.Call { SampleCalls.table[name] ?? (example, "") }
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
      let discussion: String?
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
      let options = Set((command.arguments ?? []).flatMap { $0.names ?? [] }.map(\.name))
      let call = "  ritualctl \(path.joined(separator: " "))"
      let examples = (command.discussion ?? "").split(separator: "\n").filter { $0.hasPrefix(call) }
      let words = examples.first { !$0.contains("--account") }?.dropFirst(call.count).split(separator: " ") ?? []
      return [Leaf(path: path, options: options, example: words.map(String.init))]
    }
    let dump = try await home.ctl("--experimental-dump-help").stdout
    let root = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
    self.leaves = leaves(root, [])
    self.paths = paths(root, [])
  }
}

/// Calls of commands for a test, in the order of one user's session. A command that is not here is
/// called as in its help.
enum SampleCalls {
  typealias Call = (arguments: [String], input: String)

  static let table: [String: Call] = [
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
    "report": ([], ""),
    "reload": ([], ""),
    "reset": (["--yes"], ""),
  ]
}
