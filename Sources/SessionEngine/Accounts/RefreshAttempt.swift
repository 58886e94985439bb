import SupabaseAuth
import SystemSupport

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
  case check(CheckRequest)
}

/// That the server is to be asked about a restored session, when its turn comes. Without the token: one that waits here while
/// the vault is locked would stay in memory.
struct CheckRequest: Sendable {
  let account: String
  let project: String
  let generation: UInt64
}

/// A restored session that the server is asked about.
struct SessionCheck: Sendable {
  let account: String
  let project: Project
  let token: BearerToken
  let generation: UInt64
}
