import NIOCore
import Synchronization

extension AuthSandbox {
  /// Starts a sandbox on 127.0.0.1 and returns once it accepts connections. Port 0 selects a free
  /// port.
  /// - Throws: `SandboxError` with code `.cannotListen`.
  public static func start(_ settings: SandboxSettings = SandboxSettings(), port: Int = 0) async throws -> AuthSandbox {
    let backend = try await Backend(settings: settings)
    let control = ControlAPI(backend: backend)
    // Takes over the connections of WebSockets.
    let connections = Connections()
    let frontend = HTTPFrontend(
      exchanger: Exchanger(backend: backend, table: .all, control: control.answer), connections: connections)
    let (listening, signal) = AsyncThrowingStream<any Channel, any Error>.makeStream()
    // An unstructured task, because the server runs until `stop()`, beyond this function.
    let task = Task {
      do {
        try await frontend.serve(port: port) { listener in
          let bound = listener.localAddress?.port ?? port
          backend.state.withLock { $0.origin = "http://127.0.0.1:\(bound)" }
          signal.yield(listener)
        }
        signal.finish()
      } catch {
        signal.finish(throwing: error)
        throw error
      }
    }
    do {
      for try await listener in listening {
        let server = RunningServer(task: task, listener: listener, connections: connections)
        return AuthSandbox(backend: backend, server: server)
      }
    } catch {
      throw SandboxError(
        code: .cannotListen, message: "cannot listen on 127.0.0.1:\(port); choose another port, or 0 for a free one",
        cause: error)
    }
    throw SandboxError(code: .cannotListen, message: "the server stopped before it was listening", cause: nil)
  }
}

/// Runs `body` with a new sandbox, which is stopped when `body` returns or throws.
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
