import AgentClient
import AgentProtocol
import ArgumentParser
import FoundationEssentials

/// `profile`: shows or changes the profile of the account's user.
struct ProfileCommand: AccountCallCommand {
  typealias Method = ProfileGet
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Show or change the user's profile, if the project has a profile API.",
    discussion: """
      A value of --set is read as JSON if it is a number, true, false, null, an object, an array, or a quoted string; \
      anything else is used as plain text. null resets a field.
      """
  ).examples("ritualctl profile", "ritualctl profile --set display_name=Anna --set onboarding_complete=true")

  @Option(help: ArgumentHelp("Change a field; may be repeated.", valueName: "key=value")) var set: [String] = []
  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    for text in set where ProfileChange(text) == nil { throw ValidationError("write a change as --set key=value") }
  }

  func call() throws -> ProfileResult {
    let connection = try common.connect()
    guard !set.isEmpty else { return try connection.call(ProfileGet.self, params, timeout: Self.requestTimeout) }
    let changes = Dictionary(set.compactMap { ProfileChange($0) }.map { ($0.key, $0.value) }) { $1 }
    return try connection.call(
      ProfileUpdate.self, ProfileUpdate.Params(account: account.account, set: changes), timeout: Self.requestTimeout)
  }

  /// Longer than the agent waits for an API, so that the agent reports the error.
  private static let requestTimeout = Duration.seconds(180)
}

/// A change as written on the command line: `key=value`.
struct ProfileChange {
  let key: String
  let value: JSONValue

  init?(_ text: String) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
    key = String(text[..<equals])
    let rest = String(text[text.index(after: equals)...])
    value = (try? WireCoding.decode(JSONValue.self, from: Data(rest.utf8))) ?? .string(rest)
  }
}

extension ProfileResult: Answer {
  func text(_ style: Style) -> Words {
    let lines: [Words] = ["account     \(account)", "onboarding  \(onboarding)"]
    guard let profile else { return (lines + ["no profile yet"] + hints).joined(separator: "\n") }
    let rows = profile.sorted { $0.key < $1.key }.map { [Table.Cell($0.key), Table.Cell(Self.shown($0.value))] }
    return (lines + [""] + Table(gaps: [2], rows: rows).lines(style) + hints).joined(separator: "\n")
  }

  private var hints: [Words] {
    guard let prefill else { return [] }
    let values = prefill.sorted { $0.key < $1.key }.map { "\($0.key) \(Self.shown($0.value))" as Words }
    return ["", "From Apple, not saved yet: \(values.joined(separator: ", "))"]
  }

  private static func shown(_ value: JSONValue) -> Words {
    switch value {
    case .string(let text): Words(text)
    case .null: "-"
    default: Words((try? WireCoding.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
  }
}
