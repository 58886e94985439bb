import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// HTTP/1.1 on accepted connections, each of which is known from its setup until it is handled.
///
/// An accepted connection is handled by a task of the server. If the server is cancelled before that
/// task exists, nothing finishes the connection's writer, and NIO stops the process. Such connections
/// are therefore finished here.
///
struct TrackedHTTP: ServerChildChannel {
  let http: HTTP1Channel
  let connections: Connections

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    http.setup(channel: channel, logger: logger).map { value in
      connections.add(value)
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    guard connections.take(value) else { return }
    await http.handle(value: value, logger: logger)
  }
}

/// The connections that are accepted and not handled yet.
final class Connections: Sendable {
  private struct State {
    var waiting: [ObjectIdentifier: HTTP1Channel.Value] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  func add(_ value: HTTP1Channel.Value) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.waiting[ObjectIdentifier(value.channel)] = value }
      return state.isClosed
    }
    // The server has ended, so nothing else can finish the connection.
    if isClosed { Task { await Self.finish(value) } }
  }

  /// Removes a connection that is about to be handled. False if it was finished already.
  func take(_ value: HTTP1Channel.Value) -> Bool {
    state.withLock { $0.waiting.removeValue(forKey: ObjectIdentifier(value.channel)) != nil }
  }

  /// Finishes the connections that were never handled, and every later one. Called once the server
  /// has ended.
  func close() async {
    let rest = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for value in rest { await Self.finish(value) }
  }

  private static func finish(_ value: HTTP1Channel.Value) async {
    // The connection may have been closed by its client, which is no failure here.
    try? await value.executeThenClose { _, _ in }
  }
}

/// A server that listens.
struct RunningServer: Sendable {
  let task: Task<Void, any Error>
  let listener: any Channel
  let connections: Connections

  /// Closes the listening socket, so that no connection is accepted while the server ends, and then
  /// cancels the server.
  func cancel() async {
    try? await listener.close()
    task.cancel()
  }

  /// Returns when the server has ended and all connections are closed.
  func end() async {
    _ = await task.result
    await connections.close()
  }
}
