import AgentProtocol
import Synchronization
import SystemSupport

/// How many calls that cost network, disk or Argon2 one process may make (PR-4): one that asks in a loop is told so, and
/// nobody waits behind it. Answers from memory are not counted; they are kept fair by `FairTurns`. Safe from any thread.
final class CallBudget: Sendable {
  /// Calls at once: a tool that opens its data with one request for each part makes some dozens.
  static let burst = 200.0
  /// Calls a second in the long run: more than a person's tools make, and a small part of what disk and server can do.
  static let rate = 100.0
  /// Processes that are remembered. A full bucket says nothing, so those are forgotten first.
  static let mostProcesses = 1024

  /// The methods that are counted.
  static let methods: Set<String> = [
    "agent.reload", "api.request", "approval.answer", "audit.list", "audit.verify", "identity.decide", "identity.link",
    "identity.list", "identity.unlink", "profile.get", "profile.update", "session.refresh", "session.signOut",
    "session.use", "signIn.complete", "signIn.idToken", "signIn.importSession", "signIn.methods", "signIn.password",
    "signIn.signUp", "signIn.start", "vault.addKey", "vault.adopt", "vault.rekey", "vault.removeKey", "vault.unlock",
    "vault.verify",
  ]

  private let clock: any AgentClock
  private let buckets = Mutex<[Int32: TokenBucket]>([:])

  init(clock: any AgentClock) { self.clock = clock }

  /// How many processes are remembered.
  var processes: Int { buckets.withLock { $0.count } }

  /// Counts a call of `method` by the process `pid`.
  ///
  /// - Throws: `tooMany`, with the seconds until there is room.
  func admit(_ method: String, _ pid: Int32) throws(AgentError) {
    guard Self.methods.contains(method) else { return }
    let now = clock.now
    let later = buckets.withLock { buckets in
      if buckets.count >= Self.mostProcesses, buckets[pid] == nil { Self.makeRoom(&buckets, now) }
      var bucket = buckets[pid] ?? TokenBucket(capacity: Self.burst, perSecond: Self.rate, now: now)
      defer { buckets[pid] = bucket }
      return bucket.take(now: now)
    }
    guard let later else { return }
    throw AgentError(
      .tooMany, "This program asks for too much at once. Please try again.",
      retryAfter: max(1, now.duration(to: later).seconds))
  }

  private static func makeRoom(_ buckets: inout [Int32: TokenBucket], _ now: BootTime) {
    buckets = buckets.filter { !$0.value.isFull(now: now) }
    if buckets.count >= mostProcesses, let any = buckets.keys.first { buckets[any] = nil }
  }
}
