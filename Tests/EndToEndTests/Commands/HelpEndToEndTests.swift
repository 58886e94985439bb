import Foundation
import TestKit
import Testing

/// The help of every command that the program lists, so that no new command is forgotten.
@Suite(.newHome, .timeLimit(.minutes(5))) struct HelpEndToEndTests {
  private static let width = 80

  @Test("every command's help fits 80 columns, and has an example and the common options once")
  func hasHelp() async throws {
    let tree = try await CommandTree(home)
    #expect(tree.paths.count > 40)
    for path in tree.paths {
      let name = (["ritualctl"] + path).joined(separator: " ")
      let help = try await home.start(path + ["--help"]).end()
      #expect(help.status == 0 && help.stderr.isEmpty, "\(name): \(help)")
      #expect(help.stdout.contains("\n\nUsage: \(name)"), "\(help.stdout)")
      for line in help.stdout.split(separator: "\n") { #expect(line.count <= Self.width, "\(name): \(line)") }
      #expect(Self.examples(help.stdout).contains { $0.contains(name) }, "\(name) has no example")
      #expect(help.stdout.contains("--socket <path>") == path.isEmpty, "\(name)")
      #expect(help.stdout.hasSuffix("see ritualctl --help\n") != path.isEmpty, "\(name)")
      #expect(try await home.start(["help"] + path).end().stdout == help.stdout)
    }
  }

  @Test("every program prints the same version")
  func hasVersion() async throws {
    let version = try await home.ctl("--version").stdout
    #expect(version.contains("."))
    for name in ["ritual-agentd", "ritual-notify", "ritual-sandbox"] {
      let program = try await home.run(Programs.path(name), ["--version"])
      #expect(program.stdout == version && program.status == 0, "\(name): \(program)")
    }
  }

  @Test("every program has the same form of help and of usage errors")
  func hasOneStyle() async throws {
    for name in ["ritualctl", "ritual-agentd", "ritual-notify", "ritual-sandbox"] {
      let help = try await home.run(Programs.path(name), ["--help"])
      #expect(help.status == 0 && help.stderr.isEmpty)
      #expect(help.stdout.contains("\n\nUsage: \(name) ") && !help.stdout.contains("OVERVIEW"), "\(help.stdout)")
      #expect(help.stdout.contains(/\nOptions( of every command)?:\n/), "\(help.stdout)")
      let refused = try await home.run(Programs.path(name), ["--nonsense"])
      #expect(refused.status == 64 && refused.stdout.isEmpty)
      #expect(refused.stderr == "\(name): unknown option '--nonsense'\n  \(name) --help\n", "\(refused.stderr)")
    }
  }

  @Test("every command is in one group, and the root's help shows it with its aliases")
  func hasGroup() async throws {
    struct Groups: Decodable {
      struct Group: Decodable { let name: String, commands: [String] }
      let groups: [Group]
      let text: String
    }
    let help = try JSONDecoder().decode(Groups.self, from: Data(try await home.ctl("--help", "--json").stdout.utf8))
    #expect(help.groups.map(\.name) == ["Sign in", "Use tokens", "Inspect", "Vault", "Maintain"])
    let commands = try await CommandTree(home).paths.filter { $0.count == 1 }.map { $0[0] }
    #expect(help.groups.flatMap(\.commands).sorted() == commands.sorted())
    for group in help.groups { #expect(help.text.contains("\n\n\(group.name):\n  \(group.commands[0])")) }
    let aliases = ["sign-in": "sign-in, login", "sign-out": "sign-out, logout"]
    for command in commands {
      #expect(help.text.contains("\n  \(aliases[command] ?? command)  "), "\(command)")
    }
  }

  @Test("the parser accepts every example as a shell passes it")
  func acceptsExamples() async throws {
    let (tools, calls) = (home.folder.path + "/tools", home.folder.path + "/calls")
    for tool in ["curl", "jq", "npm", "pass", "wl-paste"] {
      try await ShellScript.install("cat > /dev/null; echo x", as: "\(tools)/\(tool)")
    }
    try await ShellScript.install("printf '%s\\0' \"$@\" > '\(calls)'", as: tools + "/ritualctl")
    for path in try await CommandTree(home).paths {
      for line in Self.examples(try await home.start(path + ["--help"]).end().stdout) where !line.hasPrefix("#") {
        try? FileManager.default.removeItem(atPath: calls)
        let shell = try await RunningProgram(
          "/bin/sh", ["-c", line],
          environment: ["PATH": tools + ":/usr/bin:/bin", "TOKEN": "x", "HOME": home.folder.path], folder: home.folder
        ).end()
        #expect(shell.status == 0, "\(line): \(shell)")
        let words = try String(contentsOfFile: calls, encoding: .utf8).split(separator: "\0").map(String.init)
        let output = try await home.detached(words, input: "x\n")
        #expect(output.status != 64 || output.stderr.contains("terminal"), "\(line): \(output.stderr)")
      }
    }
  }

  @Test("the help of ritual-agentd and ritual-sandbox fits, and has examples of their options")
  func daemonsHaveExamples() async throws {
    for name in ["ritual-agentd", "ritual-sandbox"] {
      let help = try await home.run(Programs.path(name), ["--help"]).stdout
      for line in help.split(separator: "\n") { #expect(line.count <= Self.width, "\(line)") }
      let examples = Self.examples(help).filter { $0.hasPrefix(name) }
      #expect(examples.count > 1)
      let words = examples.flatMap { $0.split(separator: " ").prefix { $0 != "--" } }
      for option in words where option.hasPrefix("--") { #expect(help.contains("\n  \(option) "), "\(option)") }
    }
  }

  /// The lines below the heading "Examples:".
  private static func examples(_ help: String) -> [String] {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let rest = lines.drop { $0 != "Examples:" }.dropFirst().drop { $0.isEmpty }
    return rest.prefix { $0.hasPrefix("  ") }.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
