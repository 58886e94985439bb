import AccessControl
import AgentProtocol
package import NIOCore
import NIOPosix
import Synchronization
import SystemSupport

/// The listener on 127.0.0.1 for all grants, open while there is at least one. Serves only
/// processes of this user. Thread-safe.
package final class GrantListener: Sendable {
  /// Installs the handlers of an accepted connection. Called on the connection's event loop.
  package typealias MakeConnection = @Sendable (any Channel) -> EventLoopFuture<Void>

  private struct State {
    /// How accepted connections are served; nil until the proxy serves.
    var serving: (eventLoop: any EventLoop, makeConnection: MakeConnection)?
    /// The number of grants.
    var users = 0
    var channel: (any Channel)?
    var connections: [ObjectIdentifier: any Channel] = [:]

    /// Counts a grant and returns the port; nil if the listener is closed.
    mutating func enter() -> Int? {
      guard let port = channel?.localAddress?.port else { return nil }
      users += 1
      return port
    }
  }

  private let state = Mutex(State())
  /// Held while the listener is being opened.
  private let opening = AsyncGate()

  package init() {}

  /// Serves connections on `eventLoop` from now on.
  package func serve(on eventLoop: any EventLoop, makeConnection: @escaping MakeConnection) {
    state.withLock { $0.serving = (eventLoop, makeConnection) }
  }

  /// The port, if the listener is open.
  package var port: Int? { state.withLock { $0.channel?.localAddress?.port } }

  /// Opens the listener for a grant, unless it is open. Each call must be followed by one `release`.
  ///
  /// - Returns: the port.
  /// - Throws: `tooMany` if no port is available, `internalError` if the owner of a connection cannot be
  ///   determined, `notReady` before the proxy serves; then nothing is to be released.
  func acquire() async throws(AgentError) -> Int {
    await opening.enter()
    defer { opening.leave() }
    if let port = state.withLock({ $0.enter() }) { return port }
    guard let serving = state.withLock({ $0.serving }) else { throw AgentError(.notReady) }
    do {
      let channel = try await LoopbackPeers.listen(port: 0, on: serving.eventLoop) { [self] channel in
        add(channel) ? serving.makeConnection(channel) : channel.eventLoop.makeFailedFuture(ChannelError.eof)
      }
      state.withLock { state in (state.channel, state.users) = (channel, 1) }
      return channel.localAddress?.port ?? 0
    } catch let error as AgentError {
      throw error
    } catch {
      throw AgentError(.tooMany, "No free port for a grant on this machine.")
    }
  }

  /// Closes the listener and all of its connections if no grant is left.
  func release() {
    let closed = state.withLock { state -> [any Channel] in
      state.users -= 1
      guard state.users == 0, let channel = state.channel else { return [] }
      defer { (state.channel, state.connections) = (nil, [:]) }
      return [channel] + state.connections.values
    }
    for channel in closed { channel.close(promise: nil) }
  }

  /// Returns false if the listener was closed meanwhile.
  private func add(_ connection: any Channel) -> Bool {
    let id = ObjectIdentifier(connection)
    let isOpen = state.withLock { state in
      guard state.channel != nil else { return false }
      state.connections[id] = connection
      return true
    }
    if isOpen { connection.closeFuture.whenComplete { [self] _ in state.withLock { $0.connections[id] = nil } } }
    return isOpen
  }
}
