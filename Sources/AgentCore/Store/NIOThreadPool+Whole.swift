import NIOPosix

extension NIOThreadPool {
  /// Runs `body` in its turn, also where the task that asks is cancelled: `runIfActive` by itself would leave it out then,
  /// and a client that goes away must not leave a lock half done, or one of two records unwritten.
  ///
  /// - Throws: what `body` throws; `NIOThreadPoolError` after the shutdown.
  func runWhole<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await Task { try await runIfActive(body) }.value
  }
}
