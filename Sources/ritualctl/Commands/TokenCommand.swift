import AgentClient
import AgentProtocol
import ArgumentParser

/// `token`: a bearer token for a script.
struct TokenCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Print an access token that is good for a while.",
    discussion: """
      Never put the token into an argument, where every user of the machine can read it. With curl:

        ritualctl token --format curl | curl -K - URL
      """)

  @OptionGroup var account: AccountOption
  @Option(
    name: .customLong("min-ttl"),
    help: ArgumentHelp(
      "The least time that it is still good; by default 60 s, or a tenth of its life.", valueName: "seconds"))
  var minTTL: Double?
  @Option(
    help: ArgumentHelp(
      "The SHA-256, in 64 lowercase hex digits, of the token that a server refused with 401.", valueName: "sha256"))
  var rejected: String?
  @Option(help: ArgumentHelp("When to give up, with exit status 7.", valueName: "seconds"))
  var timeout: Double = 10
  @Option(help: "raw, header, env, json or curl; raw if not given.")
  var format: TokenFormat?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let minTTL, !(minTTL >= 0 && minTTL.isFinite) { throw ValidationError("--min-ttl is a number of seconds") }
    guard timeout > 0, timeout <= 3600 else { throw ValidationError("--timeout is above 0 and at most 3600 seconds") }
    if let rejected, !Self.isFingerprint(rejected) {
      throw ValidationError(
        "--rejected takes the SHA-256 of the token, 64 lowercase hex digits; never the token itself")
    }
    if common.json, let format, format != .json {
      throw ValidationError("--json and --format \(format) exclude each other")
    }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let limit = Duration.milliseconds(Int64(timeout * 1000))
    let params = SessionToken.Params(
      account: account.account, minTTL: minTTL, rejected: rejected, reason: "ritualctl token")
    let token = try common.connect().call(SessionToken.self, params, timeout: limit)
    try TokenFormat.check(token.accessToken)
    let format = format ?? (common.json ? .json : .raw)
    if format == .json {
      try Output(json: true, quiet: output.quiet, style: .plain).answer(TokenAnswer(value: token, format: format))
    } else {
      try output.answer(TokenAnswer(value: token, format: format))
    }
    if token.unchanged == true && format != .json {
      output.warning("this is the token that was rejected; there is no newer one, do not repeat")
    }
    return .done
  }

  private static func isFingerprint(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }
}

private struct TokenAnswer: Answer {
  let value: SessionToken.Result
  let format: TokenFormat

  func text(_ style: Style) -> String { format.text(value.accessToken) }
}
