import AgentConfiguration
import AgentProtocol

/// Suggestions for misspelled words of the command line.
enum DidYouMean {
  /// The maximum number of names in a suggestion; more would be a list of everything.
  private static let maxNames = 3

  /// Returns `; did you mean 'status'?` for the names that start with `word`, or else for the
  /// nearest one; empty if no name is near.
  static func clause(_ word: String, among names: [String]) -> Words {
    let longer = names.filter { word.count > 1 && $0.hasPrefix(word) && $0 != word }
    let near = (1...maxNames).contains(longer.count) ? longer : NearestName.suggestion(word, among: names).map { [$0] }
    guard let near, !near.isEmpty else { return "" }
    return "; did you mean \(list(near.map { "'\($0)'" }))?"
  }

  /// Such as `a, b, or c`.
  static func list(_ names: [String]) -> String {
    guard names.count > 2 else { return names.joined(separator: " or ") }
    return names.dropLast().joined(separator: ", ") + ", or " + names[names.count - 1]
  }
}

/// A command line that the parser refuses or that asks for help, read as far as its words are known.
/// The parser's own errors neither suggest commands and values, nor show which command's help to
/// read.
struct CommandLineWords {
  /// The named command and those above it, without the program.
  private(set) var path: [CommandDescription] = []
  /// The first word that is not the name of a command where one is expected.
  private(set) var unknownCommand: String?
  /// Why the first unknown word is refused; nil if every name and value is known.
  private(set) var complaint: Words?
  /// Whether a command got too many arguments, or a flag got a value.
  private var hasSurplus = false

  private let root: CommandDescription
  private var rest: ArraySlice<String>
  private var positionalCount = 0

  init(_ arguments: [String], root: CommandDescription) {
    self.root = root
    rest = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    while complaint == nil, let word = rest.popFirst(), word != "--" {
      if word.hasPrefix("--") {
        readOption(word)
      } else if word.hasPrefix("-"), word.count > 1 {
        readShortOptions(word)
      } else if command.children.isEmpty {
        readPositional(word)
      } else {
        readCommand(word)
      }
    }
    // Only words after `--` are left.
    if complaint == nil, !rest.isEmpty, command.positionals.isEmpty { hasSurplus = true }
  }

  /// The command that shows the help of the named command.
  var helpCommand: Words {
    "\((["ritualctl"] + path.map(\.commandName) + ["--help"]).joined(separator: " "))"
  }

  /// Why an unexpected argument that may be a secret is refused, without the argument; nil if there
  /// is none.
  var secretArgument: Failure? {
    guard complaint == nil, hasSurplus else { return nil }
    if takesFactorCode {
      return Self.hidden("code", hint: "codes are read from the terminal, with --browser, or with --code-stdin")
    }
    switch command.commandName {
    case "token":
      return Self.hidden("token", hint: "use --rejected-stdin for a rejected token, and --account for an account")
    case "sign-in", "link":
      return Self.hidden("code", hint: "codes and links are read from the terminal, or with --code-stdin")
    default: return nil
    }
  }

  /// Whether a misplaced word may be the code of a second factor.
  private var takesFactorCode: Bool { path.first?.commandName == "mfa" }

  /// Whether a word must not be repeated in a complaint, because it may be a part of a code.
  private func isSecret(_ word: String) -> Bool { takesFactorCode && word.first?.isNumber == true }

  private static func hidden(_ secret: Words, hint: Words) -> Failure {
    Failure(.usage, "unexpected argument, which is not shown because it may be a \(secret)", hint: hint)
  }

  private var command: CommandDescription { path.last ?? root }

  private mutating func readCommand(_ word: String) {
    if let child = command.child(named: word) { return path.append(child) }
    guard !isSecret(word) else {
      hasSurplus = true
      return
    }
    // A default command without arguments does not accept the word either.
    guard command.defaultChild?.positionals.isEmpty != false else { return }
    unknownCommand = word
    let names = command.children.flatMap { [$0.commandName] + ($0.aliases ?? []) }
    // Such as `rekey` for `vault rekey`.
    let deeper = command.children.filter { $0.child(named: word) != nil }.map { "'\($0.commandName) \(word)'" }
    let suggestion =
      deeper.isEmpty ? DidYouMean.clause(word, among: names) : "; did you mean \(DidYouMean.list(deeper))?"
    let group = path.last.map { "\($0.commandName) " } ?? ""
    complaint = "unknown command '\(group)\(Self.shown(word))'\(suggestion)"
  }

  private mutating func readOption(_ word: String) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = command.options.first(where: { $0.longName.map { parts[0] == $0 } ?? false }) else {
      return refuse(option: String(parts[0]))
    }
    if option.takesValue {
      readValue(of: option, parts.count > 1 ? String(parts[1]) : nil)
    } else if parts.count > 1 {
      hasSurplus = true
    }
  }

  /// Reads options of one letter, such as `-q` or `-iX`.
  private mutating func readShortOptions(_ word: String) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = command.options.first(where: { $0.isNamed(String(letter), "short") }) else {
        return refuse(option: word)
      }
      guard !option.takesValue else { return readValue(of: option, letters.isEmpty ? nil : String(letters)) }
    }
  }

  private mutating func refuse(option: String) {
    // Such as -123456, or -c123456.
    guard !takesFactorCode || !option.contains(where: \.isNumber) else {
      hasSurplus = true
      return
    }
    let names = command.options.compactMap(\.longName)
    let word = String(option.drop { $0 == "-" })
    let suggestion = DidYouMean.clause("--" + word, among: names.filter { word.count > 1 || $0 == option })
    complaint = "unknown option '\(Self.shown(option))'\(suggestion)"
  }

  /// Reads the option's value, which is the next word unless it follows `=`.
  private mutating func readValue(of option: CommandDescription.Argument, _ attached: String?) {
    guard attached != nil || rest.first?.hasPrefix("-") == false else {
      // The parser reports the missing value. The words after it cannot be read without it.
      rest = []
      return
    }
    check(attached ?? rest.removeFirst(), of: option, named: option.longName ?? "the option")
  }

  private mutating func readPositional(_ word: String) {
    let positionals = command.positionals
    guard let argument = positionals.dropFirst(positionalCount).first ?? positionals.last else {
      hasSurplus = true
      return
    }
    positionalCount += 1
    if positionalCount > positionals.count, !argument.isRepeating { hasSurplus = true }
    check(word, of: argument, named: "<\(argument.valueName ?? "argument")>")
  }

  private mutating func check(_ value: String, of argument: CommandDescription.Argument, named name: String) {
    guard let values = argument.allValues, !values.isEmpty, !values.contains(value) else { return }
    guard !isSecret(value) else {
      hasSurplus = true
      return
    }
    let suggestion = DidYouMean.clause(value, among: values)
    let next = suggestion.isEmpty ? "; use \(DidYouMean.list(values))" : suggestion
    complaint = "invalid value '\(Self.shown(value))' for \(name)\(next)"
  }

  private static func shown(_ word: String) -> Words { Words(word, limit: 40) }
}
