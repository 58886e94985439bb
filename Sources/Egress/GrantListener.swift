import AccessControl
import AgentProtocol
import Glibc
package import NIOCore
import NIOPosix
import Synchronization
import SystemSupport

/// Where the requests of a grant arrive.
package enum GrantEndpoint: Sendable, Hashable {
  /// The port on 127.0.0.1 of all grants without a socket.
  case loopback
  /// The Unix socket of the grant with this id.
  case socket(String)
}

/// The listeners of grants: one on 127.0.0.1, open while there is a grant for it, which serves only processes
/// of this user, and a Unix socket for each grant that has one. Thread-safe.
///
/// A socket serves everyone who reaches it: only the user can enter the directory of all sockets, and gives
/// the socket's own directory to a container or a sandbox, where the uid may be another one.
package final class GrantListener: Sendable {
  /// Installs the handlers of an accepted connection. Called on the connection's event loop.
  package typealias MakeConnection = @Sendable (any Channel, GrantEndpoint) -> EventLoopFuture<Void>

  /// An address that a client can connect to.
  enum Place: Sendable, Hashable {
    case port(Int)
    case path(String)

    var path: String? { if case .path(let path) = self { path } else { nil } }

    /// The URL without a slash at its end; clients that use a socket ignore its host.
    func url(host: String?) -> String {
      switch self {
      case .port(let port): "http://\(host ?? "127.0.0.1"):\(port)"
      case .path: "http://\(host ?? "localhost")"
      }
    }
  }

  private struct Listening {
    let channel: any Channel
    let place: Place
    /// The number of grants.
    var users = 1
    var connections: [ObjectIdentifier: any Channel] = [:]
  }

  private struct State {
    /// How accepted connections are served; nil until the proxy serves.
    var serving: (eventLoop: any EventLoop, makeConnection: MakeConnection)?
    var listening: [GrantEndpoint: Listening] = [:]

    /// Counts a grant and returns the place; nil if the listener is closed.
    mutating func enter(_ endpoint: GrantEndpoint) -> Place? {
      listening[endpoint]?.users += 1
      return listening[endpoint]?.place
    }
  }

  /// Fits into sun_path (unix(7)) with the byte 0.
  private static let maxPathBytes = 107

  private let state = Mutex(State())
  /// Held while the loopback listener is being opened.
  private let opening = AsyncGate()
  /// The directory of all sockets; nil for an agent without sockets.
  private let directory: String?

  package init(directory: String?) { self.directory = directory }

  /// Serves connections on `eventLoop` from now on.
  package func serve(on eventLoop: any EventLoop, makeConnection: @escaping MakeConnection) {
    state.withLock { $0.serving = (eventLoop, makeConnection) }
  }

  /// The port, if the loopback listener is open.
  package var port: Int? {
    guard case .port(let port)? = state.withLock({ $0.listening[.loopback]?.place }) else { return nil }
    return port
  }

  /// Opens the listener for a grant, unless it is open. Each call must be followed by one `release`.
  ///
  /// - Throws: `tooMany` if no port is available, `internalError` if the owner of a connection cannot be
  ///   determined, `misconfigured` if the socket cannot be made, `notReady` before the proxy serves; then
  ///   nothing is to be released.
  func acquire(_ endpoint: GrantEndpoint) async throws(AgentError) -> Place {
    await opening.enter()
    defer { opening.leave() }
    if let place = state.withLock({ $0.enter(endpoint) }) { return place }
    guard let serving = state.withLock({ $0.serving }) else { throw AgentError(.notReady) }
    let serve: @Sendable (any Channel) -> EventLoopFuture<Void> = { [self] channel in
      add(channel, to: endpoint)
        ? serving.makeConnection(channel, endpoint) : channel.eventLoop.makeFailedFuture(ChannelError.eof)
    }
    let listening =
      switch endpoint {
      case .loopback: try await Self.listen(on: serving.eventLoop, serve)
      case .socket(let id): try await listen(id, on: serving.eventLoop, serve)
      }
    state.withLock { $0.listening[endpoint] = listening }
    return listening.place
  }

  private static func listen(
    on eventLoop: any EventLoop, _ serve: @escaping LoopbackPeers.Serve
  ) async throws(AgentError) -> Listening {
    do {
      let channel = try await LoopbackPeers.listen(port: 0, on: eventLoop, serve: serve)
      return Listening(channel: channel, place: .port(channel.localAddress?.port ?? 0))
    } catch let error as AgentError {
      throw error
    } catch {
      throw AgentError(.tooMany, "No free port for a grant on this machine.")
    }
  }

  /// Closes the listener and all of its connections if no grant is left.
  func release(_ endpoint: GrantEndpoint) {
    let closed = state.withLock { state -> Listening? in
      state.listening[endpoint]?.users -= 1
      return state.listening[endpoint]?.users == 0 ? state.listening.removeValue(forKey: endpoint) : nil
    }
    guard let closed else { return }
    if let path = closed.place.path { Self.remove(path) }
    for channel in [closed.channel] + closed.connections.values { channel.close(promise: nil) }
  }

  /// Returns false if the listener was closed meanwhile.
  private func add(_ connection: any Channel, to endpoint: GrantEndpoint) -> Bool {
    let id = ObjectIdentifier(connection)
    let isOpen = state.withLock { state in
      state.listening[endpoint]?.connections[id] = connection
      return state.listening[endpoint] != nil
    }
    if isOpen {
      connection.closeFuture.whenComplete { [self] _ in
        state.withLock { $0.listening[endpoint]?.connections[id] = nil }
      }
    }
    return isOpen
  }
}

// MARK: - Sockets

extension GrantListener {
  /// Makes the directory and the socket of a grant.
  private func listen(
    _ id: String, on eventLoop: any EventLoop, _ serve: @escaping LoopbackPeers.Serve
  ) async throws(AgentError) -> Listening {
    guard let directory else { throw AgentError(.notReady) }
    let path = Self.path(of: id, in: directory)
    guard path.utf8.count <= Self.maxPathBytes else {
      throw AgentError(
        .misconfigured, "The path of the grant's socket has more than \(Self.maxPathBytes) bytes: \(path)",
        hint: "run the agent with a shorter XDG_RUNTIME_DIR or --socket")
    }
    var channel: (any Channel)?
    do {
      try Self.makeDirectory(directory, mode: 0o700)
      try Self.makeDirectory(directory + "/" + id, mode: 0o711)
      let bound = try await ServerBootstrap(group: eventLoop)
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AcceptPause()) }
        }
        .childChannelInitializer(serve)
        .bind(unixDomainSocketPath: path).get()
      channel = bound
      // The umask applies to the socket, and would keep other uids out.
      try systemCall("chmod") { chmod(path, 0o666) }
      return Listening(channel: bound, place: .path(path))
    } catch {
      channel?.close(promise: nil)
      Self.remove(path)
      let reason = (error as? SystemCallError).map { errorDescription($0.errno) } ?? "\(error)"
      throw AgentError(
        .misconfigured, "The grant's socket \(path) cannot be made: \(reason).",
        hint: "ritualctl grant, without --socket")
    }
  }

  private static func path(of id: String, in directory: String) -> String { "\(directory)/\(id)/s" }

  private static func makeDirectory(_ path: String, mode: mode_t) throws(SystemCallError) {
    do { try systemCall("mkdir") { mkdir(path, mode) } } catch {
      if error.errno != EEXIST { throw error }
    }
    // Whatever the umask is.
    try systemCall("chmod") { chmod(path, mode) }
  }

  /// Removes a socket with its directory.
  private static func remove(_ path: String) {
    unlink(path)
    rmdir(String(path.dropLast("/s".count)))
  }

  /// Removes the sockets that an agent has left that was killed.
  package func removeLeftovers() {
    guard let directory, let stream = opendir(directory) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      let path = Self.path(of: name, in: directory)
      // Another agent can have its socket in the same directory.
      if !name.hasPrefix("."), !Self.isServed(path) { Self.remove(path) }
    }
  }

  private static func isServed(_ path: String) -> Bool {
    guard let address = try? SocketAddress(unixDomainSocketPath: path) else { return false }
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    defer { close(descriptor) }
    // EAGAIN: the queue is full, so a process listens.
    return address.withSockAddr { connect(descriptor, $0, socklen_t($1)) } == 0 || errno == EAGAIN
  }
}
