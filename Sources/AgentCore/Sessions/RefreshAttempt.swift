import SupabaseAuth

/// Why a refresh was begun.
enum RefreshReason: String, Sendable {
  /// The token comes to its end.
  case ahead
  /// A caller needs a token with more life.
  case demand
  /// A server refused the token.
  case rejected
  /// `session.refresh`.
  case forced
  /// The agent started and has to see whether the session still lives.
  case start
  /// A try before this one failed.
  case retry

  /// Whether a caller waits for it.
  var isAwaited: Bool {
    switch self {
    case .demand, .rejected, .forced: true
    case .ahead, .start, .retry: false
    }
  }
}

/// One refresh that is to be sent: what the engine needs, and what decides afterwards whether its answer still counts.
struct RefreshAttempt: Sendable {
  let account: String
  let project: Project
  let token: RefreshToken
  let generation: UInt64
  let reason: RefreshReason
  let begun: BootTime
  /// How often the vault had been locked: an answer from before a lock says nothing about what was read after it.
  var locks: UInt64 = 0
}

/// What the engine is asked to do, outside of the actor that owns the accounts.
enum EngineWork: Sendable {
  case refresh(RefreshAttempt)
  /// A write that failed is to be tried again.
  case store(account: String)
  /// Whether the server still knows a restored session is to be asked, in the background (SE-3).
  case check(SessionCheck)
}

/// A restored session that the server is asked about.
struct SessionCheck: Sendable {
  let account: String
  let project: Project
  let token: BearerToken
  let generation: UInt64
}
