import AgentConfiguration
import AgentProtocol
import ArgumentParser

/// The candidates for the Tab key that only the agent or the configuration knows: names and IDs,
/// never secrets. A candidate that cannot be found out within `limit` is not offered.
struct Completion {
  /// The signature of a custom completion of ArgumentParser: the words of the line, the index of the
  /// completed word, and its part before the cursor.
  typealias Function = @Sendable (_ words: [String], _ index: Int, _ prefix: String) -> [String]

  /// The total time for an answer of the agent: the shell does not react meanwhile.
  static let limit = Duration.milliseconds(300)

  static let accounts = candidates { $0.accounts.map(\.name) }
  static let projects = candidates { $0.projects }
  static let identities = candidates { $0.identities }
  /// The methods of `sign-in` that the project has enabled.
  static let methods = candidates { $0.methods.map(\.word) }
  /// The methods of `link` that the project has enabled.
  static let linkable = candidates { $0.methods.filter(\.isLinkable).map(\.word) }
  /// The server is asked, because only it knows them; offered if it answers in time.
  static let factors = candidates {
    $0.ask(MFAList.self, AccountOption(named: $0.value(of: "--account")).params)?.factors.map(\.id)
  }
  static let keys = candidates { $0.ask(VaultStatus.self, Empty())?.keys.map(\.id) }
  static let approvals = candidates { $0.ask(ApprovalList.self, Empty())?.approvals.map(\.id) }
  static let grants = candidates { $0.ask(EgressList.self, Empty())?.grants.map(\.id) }

  private static func candidates(_ all: @escaping @Sendable (Completion) -> [String]?) -> Function {
    { words, _, _ in all(Completion(words))?.filter(isPlain) ?? [] }
  }

  /// The words before `--`, as typed: bash and zsh do not remove quotes.
  private let words: [String]

  init(_ words: [String]) { self.words = Array(words.prefix { $0 != "--" }) }

  private var accounts: [AccountStatus] { ask(SessionList.self, Empty())?.accounts ?? [] }

  /// The identities that the agent remembers of the named or the default account. The server is not
  /// asked.
  private var identities: [String] {
    let name = AccountOption(named: value(of: "--account")).account
    let account = accounts.first { name == nil ? $0.isDefault : $0.name == name }
    return account?.identities.map(\.identityID) ?? []
  }

  /// The enabled methods of the named or the only project; the common ones if the agent does not
  /// answer.
  private var methods: [SignInMethod] {
    let answer = ask(SignInMethods.self, SignInMethods.Params(project: value(of: "--project")))
    return answer.map { SignInMethod.offered($0.methods) } ?? SignInMethod.common
  }

  /// The projects of the configuration file, which needs no agent.
  private var projects: [String] {
    guard let file = try? value(of: "--config") ?? AgentPaths.ofThisProcess().configuration,
      let configuration = try? Configuration.load(path: file)
    else { return [] }
    return configuration.projects.keys.sorted()
  }

  /// The agent's answer; nil without one within `limit`.
  func ask<Method: AgentMethod>(
    _ method: Method.Type, _ params: Method.Params, within limit: Duration = limit
  ) -> Method.Result? {
    var common = CommonOptions.defaults
    common.socket = value(of: "--socket")
    return try? common.ask(method, params, within: limit)
  }

  /// The value of an option in the line, without its quotes. bash splits words at `=`.
  private func value(of option: String) -> String? {
    if let word = words.last(where: { $0.hasPrefix(option + "=") }), word != option + "=" {
      return Self.unquoted(word.dropFirst(option.count + 1))
    }
    guard let index = words.lastIndex(of: option) else { return nil }
    return words[(index + 1)...].first { $0 != "=" }.map { Self.unquoted($0[...]) }
  }

  private static func unquoted(_ word: Substring) -> String { word.filter { !#"'"\"#.contains($0) } }

  /// Whether every shell takes the candidate literally. bash expands candidates, and an ID may come
  /// from a server: `$(…)` would be run.
  private static func isPlain(_ candidate: String) -> Bool {
    !candidate.isEmpty && !candidate.hasPrefix("-")
      && candidate.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
