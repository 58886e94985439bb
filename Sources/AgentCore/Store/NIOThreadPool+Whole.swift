import NIOPosix

extension NIOThreadPool {
  /// Runs `body` in its turn, also where the task that asks is cancelled: `runIfActive` would leave it out then, and a client
  /// that goes away must not leave a lock half done, or one of two records unwritten.
  ///
  /// - Throws: what `body` throws; `CancellationError` where the threads have ended.
  func runWhole<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      submit { state in
        continuation.resume(
          with: Result {
            guard case .active = state else { throw CancellationError() }
            return try body()
          })
      }
    }
  }
}
