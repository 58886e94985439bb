import NIOCore

/// Closes a connection that leaves something unfinished for too long: an incomplete line, or
/// answers that the client does not read. The single timer runs only while something is unfinished,
/// and progress is checked when it fires, so that a line costs no timer. Bound to the event loop.
package final class ReadDeadline {
  package struct Limits: Sendable {
    var line = SocketLimits.lineTime
    var answers = SocketLimits.unreadTime
  }

  enum Subject {
    /// An incomplete line.
    case line
    /// Answers that are not written, because the client does not read.
    case answers
  }

  private let limits: Limits
  private var subject: Subject?
  private var timer: Scheduled<Void>?
  /// True if a line was completed or answers were written since the timer was started.
  private var hasProgressed = false

  init(_ limits: Limits) { self.limits = limits }

  /// Reports that a line was completed or answers were written.
  func progress() { hasProgressed = true }

  /// Reports that nothing is unfinished.
  func clear() {
    subject = nil
    hasProgressed = true
  }

  /// Reports that `subject` is unfinished. `expired` is called with the reason if there is no
  /// progress within the limit.
  func watch(_ subject: Subject, _ eventLoop: any EventLoop, _ expired: @escaping (String) -> Void) {
    if subject != self.subject { hasProgressed = true }
    self.subject = subject
    if timer == nil { start(subject, eventLoop, expired) }
  }

  private func start(_ subject: Subject, _ eventLoop: any EventLoop, _ expired: @escaping (String) -> Void) {
    hasProgressed = false
    let limit = subject == .line ? limits.line : limits.answers
    timer = eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in
      guard let self else { return }
      timer = nil
      guard let current = self.subject else { return }
      if hasProgressed || current != subject { return start(current, eventLoop, expired) }
      expired(current == .line ? "an incomplete request timed out" : "the client does not read its responses")
    }
  }

  func cancel() {
    timer?.cancel()
    timer = nil
    subject = nil
  }
}
