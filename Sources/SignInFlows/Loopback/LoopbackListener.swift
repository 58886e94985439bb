import AccessControl
import AgentProtocol
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// An HTTP server on 127.0.0.1 for one flow (RFC 8252, section 7.3). Serves only processes of this
/// user.
///
/// After `retire`, the port stays bound and every connection is closed, so that no other user can
/// serve a look-alike page there.
final class LoopbackListener: Sendable {
  typealias Answering = @Sendable (LoopbackRequest) async -> LoopbackAnswer
  typealias Noticing = @Sendable () -> Void

  let port: Int
  private let channel: any Channel
  private let answering: Answers

  /// Listens and serves until `close`.
  /// - Parameters:
  ///   - port: the port; nil for any free port.
  ///   - notice: called at the first connection that is not served, because it is not from a process of this user.
  /// - Throws: `invalidParams` if the given port cannot be bound, `tooMany` if no port is
  ///   available, `internalError` if the owner of a connection cannot be determined.
  static func open(
    port: Int?, on group: any EventLoopGroup, bounds: LoopbackLimits = LoopbackLimits(),
    noticing notice: @escaping Noticing = {}, _ answer: @escaping Answering
  ) async throws(AgentError) -> LoopbackListener {
    let (open, answering) = (ConnectionCount(limit: bounds.maxConnections), Answers(answer, notice))
    do {
      let channel = try await LoopbackPeers.listen(
        port: port ?? 0, on: group.next(), whenRefused: answering.noteRefused
      ) { channel in
        guard answering.isServing, open.enter() else { return channel.eventLoop.makeFailedFuture(ChannelError.eof) }
        channel.closeFuture.whenComplete { _ in open.leave() }
        return channel.eventLoop.makeCompletedFuture {
          try LoopbackConnection.add(to: channel, bounds: bounds) { await answering.answer($0) }
        }
      }
      return LoopbackListener(channel, port: channel.localAddress?.port ?? 0, answering)
    } catch {
      throw refusal(error, port)
    }
  }

  private init(_ channel: any Channel, port: Int, _ answering: Answers) {
    (self.channel, self.port, self.answering) = (channel, port, answering)
  }

  /// Stops serving, and keeps the port bound.
  func retire() { answering.retire() }

  /// Serves another flow on the port that is still bound.
  func serve(noticing notice: @escaping Noticing, _ answer: @escaping Answering) { answering.replace(answer, notice) }

  /// Releases the port. Open connections end by themselves.
  func close() async { try? await channel.close().get() }

  private static func refusal(_ error: any Error, _ port: Int?) -> AgentError {
    if var error = error as? AgentError {
      error.data.hint = "sign in with --no-browser, or " + (error.data.hint ?? "")
      return error
    }
    guard let port, let number = (error as? IOError)?.errnoCode, [EADDRINUSE, EACCES].contains(number) else {
      return AgentError(.tooMany, "No free port for the sign-in on this machine.")
    }
    let why = number == EACCES ? "can only be used by root" : "is in use by another program"
    return AgentError(.invalidParams, "Port \(port) \(why).", hint: "choose another --redirect-port, or omit it")
  }
}

/// The functions that answer a listener's requests and notice its refusals; none after `retire`. Thread-safe.
private final class Answers: Sendable {
  private let answering: Mutex<LoopbackListener.Answering?>
  /// Nil once it was called.
  private let notice: Mutex<LoopbackListener.Noticing?>

  init(_ answer: @escaping LoopbackListener.Answering, _ notice: @escaping LoopbackListener.Noticing) {
    answering = Mutex(answer)
    self.notice = Mutex(notice)
  }

  var isServing: Bool { answering.withLock { $0 != nil } }

  func replace(_ answer: @escaping LoopbackListener.Answering, _ notice: @escaping LoopbackListener.Noticing) {
    answering.withLock { $0 = answer }
    self.notice.withLock { $0 = notice }
  }

  func retire() {
    answering.withLock { $0 = nil }
    notice.withLock { $0 = nil }
  }

  func answer(_ request: LoopbackRequest) async -> LoopbackAnswer {
    await answering.withLock { $0 }?(request) ?? .refused(404)
  }

  @Sendable func noteRefused() { notice.withLock { $0.take() }?() }
}

/// The number of connections of one listener. Thread-safe.
private final class ConnectionCount: Sendable {
  private let count = Mutex(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Counts a connection, or returns false without counting if the limit is reached.
  func enter() -> Bool {
    count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
  }

  func leave() { count.withLock { $0 -= 1 } }
}

/// Listeners of ended flows. Their ports stay bound until the flow's deadline, so that no other
/// user can serve a look-alike page to a late browser. At the maximum, the oldest port is released.
struct KeptPorts {
  private var kept: [(listener: LoopbackListener, timer: Task<Void, Never>)] = []

  /// Adds a listener.
  /// - Returns: the oldest listener if the maximum is exceeded. The caller must close it.
  mutating func add(_ listener: LoopbackListener, _ timer: Task<Void, Never>) -> LoopbackListener? {
    kept.append((listener, timer))
    guard kept.count > SignInLimits.maxKeptPorts else { return nil }
    let oldest = kept.removeFirst()
    oldest.timer.cancel()
    return oldest.listener
  }

  mutating func take(_ port: Int) -> LoopbackListener? {
    guard let index = kept.firstIndex(where: { $0.listener.port == port }) else { return nil }
    let found = kept.remove(at: index)
    found.timer.cancel()
    return found.listener
  }

  mutating func takeAll() -> [LoopbackListener] {
    for entry in kept { entry.timer.cancel() }
    defer { kept = [] }
    return kept.map(\.listener)
  }
}
