import AgentClient
import AgentProtocol
import Glibc

/// The agent's events, over a connection that is re-established when it is lost.
final class AgentFeed {
  /// Seconds until the next connection attempt, doubled from the first to the last: a restarted
  /// agent is found soon, and an agent that is not in use costs almost nothing.
  private static let pauses = (first: 1, last: 60)
  /// Timeout of a call. None of the calls waits for a network.
  private static let callTimeout = Duration.seconds(10)

  private let socket: String
  private var connection: AgentConnection?
  private var pause = pauses.first
  private var nextTry = ContinuousClock.now

  init(socket: String) { self.socket = socket }

  /// The descriptor for poll(2); nil while disconnected.
  var descriptor: Int32? { connection?.descriptor }

  /// Time until the next connection attempt; nil while connected.
  var wait: Duration? { connection == nil ? max(.zero, ContinuousClock.now.duration(to: nextTry)) : nil }

  /// Connects and subscribes, if an attempt is due.
  ///
  /// - Returns: the pending approvals if a connection was made, else nil.
  func connect() -> [Approval]? {
    guard connection == nil, ContinuousClock.now >= nextTry else { return nil }
    do {
      let new = try AgentConnection(to: socket)
      _ = try new.subscribe()
      let list = try new.call(ApprovalList.self, timeout: Self.callTimeout)
      (connection, pause) = (new, Self.pauses.first)
      return list.approvals.filter { $0.state == .pending }
    } catch {
      lose()
      return nil
    }
  }

  /// Returns the next received event, or nil if there is none. Does not block.
  func next() -> AgentEvent? {
    do {
      return try connection?.nextEvent(timeout: .zero)
    } catch {
      lose()
      return nil
    }
  }

  /// Sends a person's answer. The agent accepts it, because it does not come from the unit of the
  /// program that asked.
  func answer(_ answer: ApprovalAnswer.Params) {
    do {
      guard let connection else { throw AgentError(.notReady) }
      _ = try connection.call(ApprovalAnswer.self, answer, timeout: Self.callTimeout)
    } catch let error as AgentError {
      Journal.note("the agent rejected the answer: \(error.message)")
    } catch {
      Journal.note("the answer did not reach the agent")
      lose()
    }
  }

  private func lose() {
    connection = nil
    nextTry = .now + .seconds(pause)
    pause = min(pause * 2, Self.pauses.last)
  }
}
