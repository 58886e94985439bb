import AccessControl
import AgentConfiguration
import AgentProtocol
import AgentServer
import Glibc
import NIOCore
import Synchronization
import SystemSupport

/// The current configuration. A reload replaces it as a whole, or is refused and leaves it
/// unchanged. Thread-safe.
final class CurrentSettings: Sendable {
  private struct State {
    var configuration: Configuration
    var refusal: String?
  }

  private let state: Mutex<State>

  init(_ configuration: Configuration) { state = Mutex(State(configuration: configuration)) }

  var current: Configuration { state.withLock { $0.configuration } }

  /// The error of the last reload; nil if the file was accepted.
  var refusal: String? { state.withLock { $0.refusal } }

  func replace(with new: Configuration) { state.withLock { $0 = State(configuration: new) } }

  /// Records that the file was refused because of `message`. The old settings stay.
  func refuse(_ words: String) { state.withLock { $0.refusal = ForeignText.shown(words, limit: 1000) } }

  /// The complaints for `agent.status`.
  var complaints: [String] {
    refusal.map { ["invalid configuration, previous settings stay in effect: \($0); fix it, then: ritualctl reload"] }
      ?? []
  }
}

/// Reads the configuration of an agent that is starting.
///
/// When the agent ends because of an invalid file, systemd keeps the socket open and starts the
/// agent again for each client that waits there. After a few starts systemd gives up on the socket
/// itself (systemd.unit(5), StartLimitBurst=), and a corrected file alone would not help. Therefore
/// connected clients receive the error here, and the next client after the correction finds an
/// agent.
struct StartupConfiguration {
  let path: String
  /// The sockets that systemd passed. Without a passed socket no client can be waiting.
  let passed: AgentSockets.Passed

  /// How long clients receive the error, in milliseconds. systemd allows five starts in 10 s: a
  /// start of 5 s leaves three of them to a person who starts and stops the agent meanwhile, and
  /// the start of the unit still fails while the person watches.
  private static let clientTimeout: Int64 = 5000

  /// Reads the file. If that fails and clients wait, each receives the error, and the file is read
  /// again for each client that connects within `clientTimeout`. The first client that finds the file
  /// corrected is served.
  ///
  /// - Throws: `ConfigurationError`.
  func load() throws -> Configuration {
    let listeners = [passed.agent, passed.egress, passed.credentials].compactMap { $0 }
      .filter(\.isListeningUnixStream)
    let end = Self.now + Self.clientTimeout
    var hasAnswered = false
    while true {
      do {
        return try Configuration.loadWithSecrets(path: path)
      } catch {
        guard !listeners.isEmpty else { throw error }
        if !hasAnswered { Notifier().status("\(error)") }
        for listener in waiting(at: listeners, for: 0) where tell(error, at: listener) { hasAnswered = true }
        guard hasAnswered, Self.now < end, !waiting(at: listeners, for: end - Self.now).isEmpty else { throw error }
      }
    }
  }

  /// The sockets at which a connection is waiting, or arrives within `milliseconds`.
  private func waiting(at listeners: [PassedSocket], for milliseconds: Int64) -> [PassedSocket] {
    var entries = listeners.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    // An interruption ends the wait early, and the next client then causes a start.
    guard poll(&entries, nfds_t(entries.count), Int32(clamping: max(0, milliseconds))) > 0 else { return [] }
    return zip(listeners, entries).filter { $0.1.revents != 0 }.map(\.0)
  }

  /// Sends the error to the next client. Only clients of this user receive the error, because it
  /// quotes the file. Nothing is read.
  ///
  /// - Returns: true if a connection was accepted.
  private func tell(_ error: ConfigurationError, at listener: PassedSocket) -> Bool {
    let client = accept(listener.descriptor, nil, nil)
    guard client >= 0 else { return false }
    defer { close(client) }
    guard Peer(of: client)?.uid == geteuid() else { return true }
    let message = message(error, at: listener)
    // The buffer of a new socket has room for the message. MSG_NOSIGNAL, because the client may be
    // gone.
    _ = message.withUnsafeReadableBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    return true
  }

  /// The error in the protocol of the socket: one line with a null id for the agent's, an answer of
  /// HTTP for egress, and an empty credential.
  private func message(_ error: ConfigurationError, at listener: PassedSocket) -> ByteBuffer {
    let refusal = AgentError(
      .misconfigured, ForeignText.shown("\(error)", limit: 1000), hint: "fix the file, then try again")
    if listener == passed.credentials { return ByteBuffer() }
    guard listener == passed.egress else {
      var line = Outgoing.error(refusal, id: Incoming.nullID)
      line.writeInteger(UInt8(ascii: "\n"))
      return line
    }
    let document = JSONValue.object([
      "type": .string("about:blank"), "title": .string("Service Unavailable"), "status": .integer(503),
      "kind": .string(refusal.kind.rawValue), "detail": .string(refusal.message),
      "hint": .string(refusal.data.hint ?? ""),
    ])
    let body = (try? WireCoding.encode(document)).map { Array($0) } ?? []
    return ByteBuffer(
      string: "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nConnection: close\r\n"
        + "Proxy-Status: ritual-agent; error=proxy_configuration_error; details=\"\(refusal.kind.rawValue)\"\r\n"
        + "Content-Length: \(body.count)\r\n\r\n" + String(decoding: body, as: UTF8.self))
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
