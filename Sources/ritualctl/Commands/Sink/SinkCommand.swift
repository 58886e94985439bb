import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc

/// `sink`: keeps a fresh token in a file, for tools that can only read a file.
struct SinkCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "sink",
    abstract: "Keep a valid access token in a file, for tools that can only read a file.",
    discussion: """
      Runs until it is stopped. The file contains the token and nothing else, has mode 0600, and is replaced with each \
      new token, in one step. It is removed at the end, when the vault is locked, at a sign-out, when the token expires \
      without a new one, and when the agent stops; it comes back with the next token. Without --account, it is the token \
      of the directory's account (see `ritualctl use --help`), or of the default account, also after another account \
      becomes the default.

      The file's directory must be in memory (tmpfs) and private to you: by default it is \
      $XDG_RUNTIME_DIR/ritual-agent. Any of your programs can read the file, whatever the policy rules say.
      """
  ).examples(
    "ritualctl sink", "ritualctl sink --account work",
    "# In another directory, which is created if it is missing", "ritualctl sink \"$XDG_RUNTIME_DIR/tool/token\"")
  static let documents = [JSONDocument(TokenFileAnswer.self)]

  @Argument(
    help: "File to write; by default $XDG_RUNTIME_DIR/ritual-agent/token.ACCOUNT.", completion: .file())
  var path: String?
  @Flag(
    name: .customLong("on-disk"), help: "Allow a file that is not in memory. Its token can be recovered from the disk.")
  var onDisk = false
  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    // A closed standard output is then an error of the next write.
    signal(SIGPIPE, SIG_IGN)
    let signals = SignalListener([SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    let connection = try common.connect()
    let (account, followsDefault) = try Self.account(self.account.account, connection)
    let file = try TokenFile(try path ?? Self.usualPath(account), onDisk: onDisk)
    if onDisk {
      output.remark(
        "warning: tokens in \(file.path) can be recovered from the disk, also after their removal")
    }
    var updater = TokenFileUpdater(account: account, file: file, signals: signals, common: common, output: output)
    if followsDefault {
      updater.fileOfDefault = { name in try path == nil ? TokenFile(Self.usualPath(name), onDisk: onDisk) : file }
    }
    let number = try updater.run(connection)
    // The file is gone. Only a signal ends the command: SIGINT with the status of a cancelled command,
    // another signal as it would have.
    guard number != SIGINT else { throw Failure(.cancelled, "cancelled") }
    signal(number, SIG_DFL)
    raise(number)
    return .done
  }

  /// The name of the account, and whether it is the default account, whichever that is.
  private static func account(_ name: String?, _ connection: AgentConnection) throws -> (String, Bool) {
    if let name {
      do {
        return (try connection.call(SessionStatus.self, AccountParams(account: name)).name, false)
      } catch let error as AgentError where error.kind == .vaultLocked {
        guard AccountName.isValid(name) else { throw error }
        return (name, false)
      }
    }
    let status = try connection.call(AgentStatusMethod.self, .init())
    if let here = status.here { return (here.account, false) }
    if let usual = status.accounts.first(where: \.isDefault) { return (usual.name, true) }
    // The agent's own error says what is missing.
    return (try connection.call(SessionStatus.self, AccountParams(account: nil)).name, true)
  }

  /// Beside the agent's default socket: the directory is private and in memory.
  private static func usualPath(_ account: String) throws -> String {
    guard let runtime = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), runtime.hasPrefix("/") else {
      throw Failure(
        .failed, "XDG_RUNTIME_DIR is not set", hint: "name a file in a directory in memory: ritualctl sink PATH")
    }
    return "\(runtime)/ritual-agent/token.\(account)"
  }
}

/// A change of the file, as one of several answers.
struct TokenFileAnswer: Answer {
  /// The account whose token the file contains.
  let account: String
  /// The path of the file.
  let path: String
  /// True if a new token was written, false if the file was removed, or is not there yet.
  let isWritten: Bool
  /// When the written token expires.
  var expiresAt: Timestamp?
  /// Why there is no file.
  var reason: String?

  func text(_ style: Style) -> Words {
    guard isWritten else { return "\(path): no token: \(reason ?? "")" }
    return "\(path): token of \(account)" + (expiresAt.map { ", valid until \(Times.clock($0))" } ?? "")
  }
}
