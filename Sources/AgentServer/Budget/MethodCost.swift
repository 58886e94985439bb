import AgentProtocol

/// The cost of one call of a method (PR-4). A test runs every method and compares its cost with its registration.
package struct MethodCost: Sendable, Hashable {
  /// Processor time of a call in a release build; what is measured beyond it is charged as well.
  let microseconds: Int
  /// Bytes that its answer usually takes at most. A method whose answers grow asks for more (`Call.makeRoom`).
  package let answer: Int
  /// True for work that takes more than a millisecond where there is much of what it works on: it runs on a thread of
  /// `CostlyThreads`, two at a time for a process.
  let isCostly: Bool

  private init(_ microseconds: Int, answer: Int, isCostly: Bool) {
    (self.microseconds, self.answer, self.isCostly) = (microseconds, answer, isCostly)
  }

  /// An answer from memory.
  package static let memory = MethodCost(50, answer: 4 * 1024, isCostly: false)
  /// Waits for a person: many of them leave room for others on their connection.
  package static let wait = MethodCost(50, answer: 1024, isCostly: false)
  /// An answer from memory that grows with the accounts.
  package static let accounts = MethodCost(150, answer: 4 * 1024, isCostly: true)
  /// Requests to a server. It bears less of them than this processor: 100 a second, 500 at once.
  package static let network = MethodCost(2_000, answer: 8 * 1024, isCostly: false)
  /// Commits to the disk: each waits for two or three fsync(2). As many as of `network`.
  package static let disk = MethodCost(2_000, answer: 4 * 1024, isCostly: false)
  /// Reads many files, on a thread.
  package static let files = MethodCost(5_000, answer: 64 * 1024, isCostly: true)
  /// May derive a key: half a second for a passphrase, charged as it is measured.
  package static let keys = MethodCost(5_000, answer: 4 * 1024, isCostly: false)

  /// A token, which may be some kilobytes long, from memory.
  package static let token = MethodCost(50, answer: 8 * 1024, isCostly: false)
  /// A profile, which may be large.
  package static let profile = MethodCost(2_000, answer: 64 * 1024, isCostly: false)
  /// The list of approvals.
  package static let approvals = MethodCost(150, answer: 64 * 1024, isCostly: true)
  package static let counters = MethodCost(500, answer: 64 * 1024, isCostly: true)
  package static let diagnosis = MethodCost(2_000, answer: 32 * 1024, isCostly: false)
  /// The whole protocol: writing 70 KiB is most of it.
  package static let discovery = MethodCost(1_000, answer: 128 * 1024, isCostly: false)

  /// The answer to what is no request, and of an unknown method.
  static let errorAnswer = 512
  /// The answer to a request that is not parsed yet.
  static let longAnswer = api.answer
  /// `api.request`: a small answer. A larger one asks for room before it is fetched.
  package static let api = MethodCost(2_000, answer: 16 * 1024, isCostly: false)
}
