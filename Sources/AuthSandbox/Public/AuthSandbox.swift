import Synchronization

/// A stand-in for Supabase Auth v2.196 on a loopback port, with Google and Apple look-alikes, a profile API and a
/// control API. A handle: copies mean the same sandbox. All members may be used from any task; nothing is shared
/// between sandboxes.
public struct AuthSandbox: Sendable {
  let backend: Backend
  private let server: Task<Void, any Error>?

  /// `server` is nil in the control API's handle, which stops nothing.
  init(backend: Backend, server: Task<Void, any Error>?) {
    self.backend = backend
    self.server = server
  }

  /// Ends all connections, hanging ones too, and returns when the port is free. More calls do nothing.
  public func stop() async {
    server?.cancel()
    backend.hangs.open()
    _ = await server?.result
  }

  /// `http://127.0.0.1:PORT`: Supabase Auth is under `/auth/v1`, the profile API under `/api/v1`.
  public var url: String { backend.state.withLock { $0.origin } }

  /// The project's public key, which the gateway wants in `apikey`.
  public var anonKey: String { backend.anonKey }

  /// The key of the service role, for `/auth/v1/admin`. As on a real project, not for clients.
  public var serviceRoleKey: String { backend.serviceRoleKey }
}
