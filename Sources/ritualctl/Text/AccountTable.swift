import AgentProtocol

/// The accounts in a table, such as:
///
///       ACCOUNT  PROJECT  STATE      USER                       TOKEN
///     * work     prod     signed in  anna@example.org (Google)  refreshes in 54 min
///
/// A narrow terminal gets less of each user, then a block of lines for each account. `*` marks the
/// default account.
struct AccountTable {
  let accounts: [AccountStatus]

  /// The table, then the problems of the accounts.
  func text(_ style: Style) -> Words { (lines(style) + problems(style)).joined(separator: "\n") }

  /// Each problem once, in the order of the accounts.
  func problems(
    _ style: Style, of isMeant: (AccountStatus) -> Bool = { _ in true }
  ) -> [Words] {
    var seen: Set<AccountProblem> = []
    return accounts.filter(isMeant).flatMap { [$0.problem, $0.sessionEnd, $0.warning].compactMap(\.self) }
      .filter { seen.insert($0).inserted }.flatMap { $0.lines(style) }
  }

  func lines(_ style: Style) -> [Words] {
    guard !accounts.isEmpty else { return [] }
    let full = table { ($0.user?.displayName, $0.tokenWords(isLong: true)) }
    if full.width <= style.columns { return full.lines(style) }
    let brief = table { ($0.user?.displayName, $0.tokenWords(isLong: false)) }
    if brief.width <= style.columns { return brief.lines(style) }
    let plain = table { ($0.user?.shownName, $0.tokenWords(isLong: false)) }
    if plain.width <= style.columns { return plain.lines(style) }
    let room = plain.widths[Self.userColumn] - (plain.width - style.columns)
    guard room >= Self.minUserWidth else { return blocks(style) }
    return table { account in
      (account.user.map { $0.shownName.shortened(to: room) }, account.tokenWords(isLong: false))
    }.lines(style)
  }

  private static let userColumn = 4
  /// A user in fewer columns could hardly be recognized.
  private static let minUserWidth = 16

  private func table(_ describe: (AccountStatus) -> (user: Words?, token: Words)) -> Table {
    var table = Table(gaps: [1, 2, 2, 2, 2, 0])
    table.rows = [["", "ACCOUNT", "PROJECT", "STATE", "USER", "TOKEN"].map { .init($0 as Words) }]
    for account in accounts {
      let (user, token) = describe(account)
      table.rows.append([
        .init(account.isDefault ? "*" : " "), .init(account.name), .init(Self.orDash("\(account.project)")),
        account.stateWords, .init(Self.orDash(user ?? "")), .init(Self.orDash(token)),
      ])
    }
    return table
  }

  /// An empty cell would shift the columns for tools like awk(1).
  private static func orDash(_ text: Words) -> Words { text.isEmpty ? "-" : text }

  private func blocks(_ style: Style) -> [Words] {
    accounts.flatMap { account -> [Words] in
      let room = style.columns - Self.labelWidth
      func fitting(_ forms: Words...) -> Words {
        forms.first { DisplayText.width($0.text) <= room } ?? forms.last ?? ""
      }
      let values: [(Words, Table.Cell)] = [
        ("project", .init(Words(account.project).shortened(to: room))),
        ("state", account.stateWords),
        (
          "user",
          .init(account.user.map { fitting($0.displayName, $0.shownName.shortened(to: room)) } ?? "")
        ),
        ("token", .init(fitting(account.tokenWords(isLong: true), account.tokenWords(isLong: false)))),
      ]
      let lines = values.filter { !$0.1.text.isEmpty }.map { label, value -> Words in
        "    \(label.padded(to: Self.labelWidth - 4))\(style.marked(value.text, value.color))"
      }
      return ["\(account.isDefault ? "*" : " ") \(account.name)"] + lines
    }
  }

  /// The indentation, the longest label, and a gap.
  private static let labelWidth = 4 + "project".count + 2
}
