import AccessControl
import AgentProtocol
package import NIOCore
import NIOPosix
import Synchronization
import SystemSupport

/// The listener on 127.0.0.1 for all grants, open while there is at least one (EG-6). Serves only
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

  /// Connections that wait to be accepted: as many as a tool opens at once.
  private static let backlog: Int32 = 128

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
  /// - Throws: `tooMany` if no port is available, `notReady` before the proxy serves; then nothing is to
  ///   be released.
  func acquire() async throws(AgentError) -> Int {
    await opening.enter()
    defer { opening.leave() }
    if let port = state.withLock({ $0.enter() }) { return port }
    guard let serving = state.withLock({ $0.serving }) else { throw AgentError(.notReady) }
    do {
      let channel = try await open(on: serving.eventLoop, serving.makeConnection)
      state.withLock { state in (state.channel, state.users) = (channel, 1) }
      return channel.localAddress?.port ?? 0
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

  private func open(
    on eventLoop: any EventLoop, _ makeConnection: @escaping MakeConnection
  ) async throws -> any Channel {
    let peers = LoopbackPeers()
    let bootstrap = ServerBootstrap(group: eventLoop)
      .serverChannelOption(.backlog, value: Self.backlog)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptPause(maxLookups: .max) { 0 })
        }
      }
      .egressConnectionOptions()
      .childChannelInitializer { [self] channel in
        // Another user's connection gets no answer.
        peers.isOwn(channel).flatMap { [self] isOwn in
          guard isOwn, add(channel) else { return channel.close() }
          return makeConnection(channel)
        }
      }
    do {
      let channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
      channel.closeFuture.whenComplete { _ in Task { await peers.close() } }
      return channel
    } catch {
      await peers.close()
      throw error
    }
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
