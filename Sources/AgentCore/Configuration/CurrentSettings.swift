import AccessControl
import AgentConfiguration
import AgentProtocol
import AgentServer
import Glibc
import NIOCore
import Synchronization
import SystemSupport

/// The configuration that holds now; a reload replaces it whole, or is refused and leaves it. Safe from any thread.
final class CurrentSettings: Sendable {
  private struct State {
    var configuration: Configuration
    var refusal: String?
  }

  private let state: Mutex<State>

  init(_ configuration: Configuration) { state = Mutex(State(configuration: configuration)) }

  var current: Configuration { state.withLock { $0.configuration } }

  /// What was wrong with the file at the last reload; nil where it was taken.
  var refusal: String? { state.withLock { $0.refusal } }

  func replace(with new: Configuration) { state.withLock { $0 = State(configuration: new) } }

  /// The file was refused, by what `words` say; the old settings stay.
  func refuse(_ words: String) { state.withLock { $0.refusal = ForeignText.shown(words, limit: 1000) } }

  /// The line of `agent.status`.
  var complaints: [String] {
    refusal.map { ["the configuration was refused, the old settings stay: \($0); correct it, then: ritualctl reload"] }
      ?? []
  }
}

/// The configuration of an agent that is just starting.
///
/// systemd keeps the socket open while the agent ends for a mistake in the file, and starts it again for each client that
/// waits there: after a few of those it gives up on the socket itself (systemd.unit(5), StartLimitBurst=), and a mended file
/// alone would help nobody. So who has connected is told what is wrong, here, and the next client after the mistake is
/// mended finds an agent.
struct ConfigurationAtStart {
  let path: String
  /// The socket that systemd passed; without one nobody can be waiting.
  let passed: PassedSocket?

  /// How long clients are told, in milliseconds. A start in 5 s leaves three of systemd's five in 10 s to a person who starts
  /// and stops it meanwhile; and the unit's start still fails while somebody looks on.
  private static let patience: Int64 = 5000

  /// Reads it. Where that fails and clients wait, it answers them with the mistake, and reads the file again for each that
  /// comes for a while: the first that finds it mended is served.
  ///
  /// - Throws: `ConfigurationError`.
  func load() throws -> Configuration {
    let end = Self.now + Self.patience
    var hasAnswered = false
    while true {
      do {
        return try Configuration.load(path: path)
      } catch {
        guard let listener = passed, listener.isListeningUnixStream else { throw error }
        if !hasAnswered { Notifier().status("\(error)") }
        if isWaiting(at: listener, for: 0), tell(error, at: listener) { hasAnswered = true }
        guard hasAnswered, Self.now < end, isWaiting(at: listener, for: end - Self.now) else { throw error }
      }
    }
  }

  /// Whether a connection is there, or comes within `milliseconds`.
  private func isWaiting(at listener: PassedSocket, for milliseconds: Int64) -> Bool {
    var entry = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
    // An interruption ends the wait early, which costs the next client a start of its own.
    return poll(&entry, 1, Int32(clamping: max(0, milliseconds))) > 0
  }

  /// Tells who comes next the mistake, in a line without an id, and the user alone: it quotes the file. Nothing is read.
  ///
  /// - Returns: whether somebody came.
  private func tell(_ error: ConfigurationError, at listener: PassedSocket) -> Bool {
    let client = accept(listener.descriptor, nil, nil)
    guard client >= 0 else { return false }
    defer { close(client) }
    guard Peer(of: client)?.uid == geteuid() else { return true }
    let refusal = AgentError(
      .misconfigured, ForeignText.shown("\(error)", limit: 1000), hint: "correct the file, then try again")
    var line = Outgoing.error(refusal, id: Incoming.nullID)
    line.writeInteger(UInt8(ascii: "\n"))
    // A socket that was just made has room for it; MSG_NOSIGNAL, for the client may have gone.
    _ = line.withUnsafeReadableBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    return true
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
