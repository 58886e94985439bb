import AgentProtocol
import SystemSupport

/// What changes at accounts other than their sessions, as the ledger knows it.
struct AccountChanges: Sendable {
  /// A rename that has not ended, or that a lock interrupted.
  struct Move: Sendable, Equatable {
    let old: String
    let new: String
    /// The sessions that the two accounts may hold.
    let held: Set<Int>
    let taken: Set<Int>
  }

  var moves: [Move] = []
  var defaults = DefaultAccount()
  /// The API origins that a session was bound to, at its sign-in or by the user since.
  var apiOrigins: [Int: Set<String>] = [:]
  /// Whether an account's list contains a factor, as its last change says.
  var factors: [String: [String: Bool]] = [:]
  /// The factors whose enrolment was answered.
  var enrolled: Set<String> = []
  /// The factors whose removal began before that, so that the answer to the enrolment may list them again, and
  /// those that changed at the moment at which a list was asked for.
  var uncertain: Set<String> = []
  var listAsked: BootTime?
  var lastChange: (factor: String, at: BootTime)?
}

/// The default account. Any order of the changes that run at the same time is possible.
struct DefaultAccount: Sendable {
  enum Change: Sendable {
    case use(String), signIn(String), remove(String), rename(String, to: String)

    func applied(to old: String?) -> String? {
      switch self {
      case .use(let name): name
      case .signIn(let name): old ?? name
      case .remove(let name): old == name ? nil : old
      case .rename(let name, let new): old == name ? new : old
      }
    }
  }

  private struct Running {
    let change: Change
    var hasEnded = false
    /// True if the change certainly happened.
    var isCertain = false
  }

  /// Before the changes.
  private var before: Set<String?> = [nil]
  private var changes: [Int: Running] = [:]
  private var last = 0
  /// More changes at a time would take too long to permute.
  private static let maxChanges = 5

  mutating func begin(_ change: Change) -> Int {
    last += 1
    changes[last] = Running(change: change)
    return last
  }

  mutating func end(_ id: Int, isCertain: Bool) {
    changes[id]?.hasEnded = true
    changes[id]?.isCertain = isCertain
  }

  /// Whether `name` is the outcome of some order. Nil is possible only if no change makes another.
  func allows(_ name: String?) -> Bool {
    changes.count > Self.maxChanges || outcomes(before, Array(changes.values)).contains(name)
  }

  /// `name` is known to be the default account.
  mutating func settle(_ name: String?) {
    guard changes.values.allSatisfy(\.hasEnded) else { return }
    reset(name)
  }

  /// Forgets the changes of a process that has ended, or before a lock.
  mutating func reset(_ name: String?) { (before, changes) = ([name], [:]) }

  private func outcomes(_ defaults: Set<String?>, _ left: [Running]) -> Set<String?> {
    guard !left.isEmpty else { return defaults }
    return left.indices.reduce(into: []) { all, index in
      var rest = left
      let next = rest.remove(at: index)
      let applied = Set(defaults.map(next.change.applied))
      all.formUnion(outcomes(next.isCertain ? applied : applied.union(defaults), rest))
    }
  }
}

extension Ledger.State {
  // MARK: - Renames

  mutating func beginMove(_ old: String, _ new: String) -> AccountChanges.Move {
    for name in [old, new] { beginOperation(name) }
    let move = AccountChanges.Move(old: old, new: new, held: possible[old] ?? [0], taken: possible[new] ?? [0])
    possible[old] = move.held.union([0])
    possible[new] = move.taken.union(move.held)
    changes.moves.append(move)
    return move
  }

  mutating func endMove(_ move: AccountChanges.Move, _ error: ErrorKind?) {
    let isAlone = overlapped.isDisjoint(with: [move.old, move.new])
    switch error {
    case nil:
      if isAlone { (possible[move.old], possible[move.new]) = ([0], move.held) }
      // A look at the disk may have found the new record already.
      if let stored = verification.stored.removeValue(forKey: move.old) { verification.stored[move.new] = stored }
      changes.factors[move.new] = changes.factors.removeValue(forKey: move.old)
    // The unlock finds one of the names.
    case .vaultLocked?: break
    default: if isAlone { (possible[move.old], possible[move.new]) = (move.held, move.taken) }
    }
    if error != .vaultLocked { changes.moves.removeAll { $0 == move } }
    for name in [move.old, move.new] { endOperation(name) }
  }

  mutating func beginOperation(_ name: String) {
    // An interrupted rename can no longer be told from this change.
    changes.moves.removeAll { [$0.old, $0.new].contains(name) && running[$0.old, default: 0] == 0 }
    if running[name, default: 0] > 0 { overlapped.insert(name) }
    running[name, default: 0] += 1
    changes.factors[name] = nil
  }

  mutating func endOperation(_ name: String) {
    running[name, default: 1] -= 1
    if running[name] == 0 { overlapped.remove(name) }
  }

  /// Forgets what ran in a process that has ended.
  mutating func operationsEnded() {
    changes.moves.removeAll { !overlapped.isDisjoint(with: [$0.old, $0.new]) }
    (running, overlapped) = ([:], [])
  }

  // MARK: - Factors

  /// The server may remove the factor before the agent learns of it, and any account of the user may list it.
  mutating func removalBegins(of id: String) {
    for name in changes.factors.keys { changes.factors[name]?[id] = nil }
    if !changes.enrolled.contains(id) { changes.uncertain.insert(id) }
  }

  /// Records that the agent asks for a list, or gets the answer to a change of a factor.
  mutating func factorsConcerned(_ changed: String?, at now: BootTime) {
    if let changed { changes.lastChange = (changed, now) } else { changes.listAsked = now }
    guard let last = changes.lastChange, last.at == changes.listAsked else { return }
    changes.uncertain.insert(last.factor)
    changes.factors = changes.factors.mapValues { $0.filter { $0.key != last.factor } }
  }

  /// - Parameter held: the sessions that the account could hold when the change began.
  mutating func factorChanged(_ id: String, of name: String, _ held: Set<Int>?, isListed: Bool) {
    guard running[name, default: 0] == 0, held == possible[name], !changes.uncertain.contains(id) else { return }
    changes.factors[name, default: [:]][id] = isListed
  }

  /// New tokens of a session came with a list, which the agent has to take, however old it is.
  mutating func factorsTaken(_ session: Int, _ listed: [String]) {
    for (name, known) in changes.factors where possible[name]?.contains(session) == true {
      changes.factors[name] = known.filter { listed.contains($0.key) == $0.value }
    }
  }
}
