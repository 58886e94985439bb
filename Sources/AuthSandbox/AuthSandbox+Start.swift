import Synchronization

extension AuthSandbox {
  /// Listens on 127.0.0.1 and returns when connections are accepted; `port` 0 takes a free one.
  /// Throws `SandboxError` `.cannotListen`.
  public static func start(_ settings: SandboxSettings = SandboxSettings(), port: Int = 0) async throws -> AuthSandbox {
    let backend = try await Backend(settings: settings)
    let control = ControlAPI(backend: backend)
    let door = HTTPFrontDoor(exchanger: Exchanger(backend: backend, table: .all, control: control.answer))
    let (listening, signal) = AsyncThrowingStream<Void, any Error>.makeStream()
    // Not a child task: it lives until `stop()`, beyond this function.
    let server = Task {
      do {
        try await door.serve(port: port) { bound in
          backend.state.withLock { $0.origin = "http://127.0.0.1:\(bound)" }
          signal.yield()
        }
        signal.finish()
      } catch {
        signal.finish(throwing: error)
        throw error
      }
    }
    do {
      for try await _ in listening { return AuthSandbox(backend: backend, server: server) }
    } catch {
      throw SandboxError(
        code: .cannotListen, message: "cannot listen on 127.0.0.1:\(port); choose another port, or 0 for a free one",
        cause: error)
    }
    throw SandboxError(code: .cannotListen, message: "the server ended before it listened", cause: nil)
  }
}

/// Runs `body` with a sandbox of its own, stopped when it ends, whatever happens in it.
public func withSandbox<Result>(
  _ settings: SandboxSettings = SandboxSettings(), isolation: isolated (any Actor)? = #isolation,
  _ body: (AuthSandbox) async throws -> Result
) async throws -> Result {
  let sandbox = try await AuthSandbox.start(settings)
  do {
    let result = try await body(sandbox)
    await sandbox.stop()
    return result
  } catch {
    await sandbox.stop()
    throw error
  }
}
