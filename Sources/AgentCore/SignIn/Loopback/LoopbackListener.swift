import AgentProtocol
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A small HTTP server on 127.0.0.1 for one flow (RFC 8252, section 7.3). Serves processes of this user alone.
final class LoopbackListener: Sendable {
  typealias Answering = @Sendable (LoopbackRequest) async -> LoopbackAnswer

  let port: Int
  private let channel: any Channel

  /// Listens and serves until `close`.
  /// - Parameter port: nil for a free one.
  /// - Throws: `invalidParams` where the port cannot be had.
  static func open(
    port: Int?, on group: any EventLoopGroup, bounds: LoopbackBounds = LoopbackBounds(), _ answer: @escaping Answering
  ) async throws(AgentError) -> LoopbackListener {
    let open = ConnectionCount(limit: bounds.connections)
    let bootstrap = ServerBootstrap(group: group.next())
      .serverChannelOption(.backlog, value: LoopbackBounds.backlog)
      // A port that was asked for can be used again at once after the last flow (tcp(7), TIME_WAIT).
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
        }
      }
      .childChannelInitializer { channel in
        guard open.enter() else { return channel.close() }
        channel.closeFuture.whenComplete { _ in open.leave() }
        return channel.eventLoop.makeCompletedFuture {
          try LoopbackConnection.add(to: channel, bounds: bounds, answer: answer)
        }
      }
    do {
      let channel = try await bootstrap.bind(host: "127.0.0.1", port: port ?? 0).get()
      return LoopbackListener(channel, port: channel.localAddress?.port ?? 0)
    } catch {
      throw refusal(error, port)
    }
  }

  private init(_ channel: any Channel, port: Int) {
    self.channel = channel
    self.port = port
  }

  /// Accepts no more connections; those that are open end by themselves.
  func close() async { try? await channel.close().get() }

  private static func refusal(_ error: any Error, _ port: Int?) -> AgentError {
    guard let port, let number = (error as? IOError)?.errnoCode, [EADDRINUSE, EACCES].contains(number) else {
      return AgentError(.tooMany, "No port on this machine is free for the sign-in.")
    }
    let why = number == EACCES ? "may only be used by root" : "is in use by another program"
    return AgentError(.invalidParams, "Port \(port) \(why).", hint: "name another --redirect-port, or none")
  }
}

/// Counts the connections of one listener. Safe from any thread.
private final class ConnectionCount: Sendable {
  private let count = Mutex(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// False where there are too many already; then nothing was counted.
  func enter() -> Bool {
    count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
  }

  func leave() { count.withLock { $0 -= 1 } }
}
