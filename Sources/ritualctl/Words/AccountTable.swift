import AgentProtocol

/// Accounts, one a line: `* work  prod  signed in  anna@example.org (Google)   token good for 41 min, next refresh 14:32`.
enum AccountTable {
  static func lines(_ accounts: [AccountStatus], _ style: Style) -> [String] {
    var table = Table(gaps: [1, 2, 2, 2, 3])
    for account in accounts {
      table.rows.append([
        .init(account.isDefault ? "*" : " "), .init(ForeignText.shown(account.name)),
        .init(ForeignText.shown(account.project)), account.stateWords, .init(account.who), .init(account.next),
      ])
    }
    return table.lines(style)
  }
}

/// One account as an answer.
struct AccountAnswer: Answer {
  let value: AccountStatus

  func text(_ style: Style) -> String { AccountTable.lines([value], style).joined(separator: "\n") }
}
