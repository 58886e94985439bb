import AgentProtocol
import ArgumentParser

/// `register-handler`: makes the desktop pass URLs of a custom scheme to the agent.
struct RegisterHandlerCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "register-handler",
    abstract: "Open dailyritual:// URLs with the agent.",
    discussion:
      "For projects that redirect to a custom scheme: redirect = \"scheme\" under [sign_in]. Writes a desktop entry "
      + "for your user and makes it the scheme's default handler."
  ).examples(
    "ritualctl register-handler", "ritualctl register-handler --remove", "# For the desktop entry of a package",
    "ritualctl register-handler --print --program /usr/bin/ritualctl")
  static let documents = [
    JSONDocument(HandlerAnswer.self, "Without `--print`."),
    JSONDocument(EntryAnswer.self, "With `--print`."),
  ]

  @Option(help: ArgumentHelp("Scheme, as in redirect_scheme of the project.", valueName: "name"))
  var scheme = "dailyritual"
  @Flag(help: "Remove the handler.") var remove = false
  @Flag(help: "Print the desktop entry, for use in a package, and write nothing.") var print = false
  @Option(
    help: ArgumentHelp("Program that the entry starts; by default this one.", valueName: "path"), completion: .file())
  var program: String?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if remove && print { throw ValidationError("use --remove or --print, not both") }
    if let program, !program.hasPrefix("/") || program.utf8.contains(where: { $0 < 0x20 }) {
      throw ValidationError("--program must be an absolute path")
    }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let handler = try SchemeHandler(scheme)
    if print {
      let entry = EntryAnswer(entry: try handler.entry(program: program ?? Self.program))
      // Without its final newline, which the output adds.
      try output.answer(entry, Words(lines: String(entry.entry.dropLast())), isFolded: false)
      return .done
    }
    let folder = try AgentPaths.ofThisProcess().applications
    if remove {
      let wasThere = try handler.remove(from: folder)
      try output.answer(HandlerAnswer(scheme: handler.scheme, file: folder + "/" + handler.file, registered: false))
      if !wasThere { output.note("no handler was registered") }
      return .done
    }
    let missing = try handler.install(program: program ?? Self.program, in: folder)
    try output.answer(HandlerAnswer(scheme: handler.scheme, file: folder + "/" + handler.file, registered: true))
    if missing.contains("xdg-mime") {
      output.warning("the handler is not the default yet: xdg-mime is missing or failed\n  sudo apt install xdg-utils")
    }
    return .done
  }

  private static var program: String {
    get throws {
      guard let path = OwnProgram.ownPath else {
        throw Failure(.failed, "the path of this program cannot be found: is /proc mounted?")
      }
      return path
    }
  }
}

struct HandlerAnswer: Answer {
  /// The URL scheme.
  let scheme: String
  /// The path of the desktop entry.
  let file: String
  /// Whether the agent opens URLs of the scheme now.
  let registered: Bool

  func text(_ style: Style) -> Words {
    "\(scheme):// URLs are \(registered ? "now" : "no longer") opened by the agent: \(file)"
  }
}

/// The desktop entry, for `--print`.
struct EntryAnswer: Codable {
  /// The text of the desktop entry.
  let entry: String
}
