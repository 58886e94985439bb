import NIOCore
import SystemSupport

/// What a client may take its time for, in one connection: a timer that runs only while something is unfinished, and is
/// looked at when it ends, so that a line costs no timer. Bound to the event loop.
final class Patience {
  /// How long each may take.
  struct Limits: Sendable {
    var line = SocketBounds.lineTime
    var answers = SocketBounds.unreadTime
  }

  enum Subject {
    /// A line has begun.
    case line
    /// Answers lie unread, up to the bound at which reading stops.
    case answers
  }

  private let limits: Limits
  private var subject: Subject?
  private var timer: Scheduled<Void>?
  /// Whether anything went on since the timer began.
  private var hasMoved = false
  /// Time since then in which the client was waited for by nobody.
  private var excused = TimeAmount.zero

  init(_ limits: Limits) { self.limits = limits }

  /// A line has ended, or answers were taken.
  func progress() { hasMoved = true }

  /// For this time the client had to wait itself.
  func excuse(_ time: TimeAmount) { excused = excused + time }

  /// Nothing is unfinished.
  func rest() {
    subject = nil
    hasMoved = true
  }

  /// `subject` is unfinished: `cutOff` is called with the reason, where nothing goes on for its time.
  func watch(_ subject: Subject, _ eventLoop: any EventLoop, _ cutOff: @escaping (String) -> Void) {
    if subject != self.subject { hasMoved = true }
    self.subject = subject
    if timer == nil { begin(subject, eventLoop, cutOff) }
  }

  private func begin(_ subject: Subject, _ eventLoop: any EventLoop, _ cutOff: @escaping (String) -> Void) {
    hasMoved = false
    excused = .zero
    wait(subject == .line ? limits.line : limits.answers, for: subject, eventLoop, cutOff)
  }

  private func wait(
    _ time: TimeAmount, for subject: Subject, _ eventLoop: any EventLoop, _ cutOff: @escaping (String) -> Void
  ) {
    timer = eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
      guard let self else { return }
      timer = nil
      guard let now = self.subject else { return }
      if hasMoved || now != subject {
        begin(now, eventLoop, cutOff)
      } else if excused > .zero {
        let more = excused
        excused = .zero
        wait(more, for: subject, eventLoop, cutOff)
      } else {
        cutOff(now == .line ? "a line that it began did not end" : "it does not read its answers")
      }
    }
  }

  func end() {
    timer?.cancel()
    timer = nil
    subject = nil
  }
}
