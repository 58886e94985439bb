import Glibc
package import NIOPosix

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

  /// Names a pool of one thread, which is otherwise called like the vault's: for whoever looks at threads (proc_pid_comm(5),
  /// 15 bytes at most). Without /proc it keeps its name.
  package func name(_ name: String) {
    submit { _ in
      let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = write(file, name, name.utf8.count)
      close(file)
    }
  }
}
