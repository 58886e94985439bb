import AgentClient
import AgentProtocol
import Glibc

/// The agent's events, over a connection that is made again when it is lost.
final class AgentFeed {
  /// Seconds until the next try, doubled from the first to the last: an agent that restarts is found soon, and one that is
  /// not wanted costs nothing to speak of.
  private static let pauses = (first: 1, last: 60)
  /// For a call: the agent answers these from memory.
  private static let patience = Duration.seconds(10)

  private let socket: String
  private var connection: AgentConnection?
  private var pause = pauses.first
  private var nextTry = ContinuousClock.now

  init(socket: String) { self.socket = socket }

  /// For poll(2); nil while there is no connection.
  var descriptor: Int32? { connection?.descriptor }

  /// Seconds until `connect` does something; nil while there is a connection.
  var wait: Duration? { connection == nil ? max(.zero, ContinuousClock.now.duration(to: nextTry)) : nil }

  /// Connects and subscribes, if it is time to.
  /// - Returns: the questions that wait, where it has connected now.
  func connect() -> [Approval]? {
    guard connection == nil, ContinuousClock.now >= nextTry else { return nil }
    do {
      let new = try AgentConnection(to: socket)
      _ = try new.subscribe()
      let list = try new.call(ApprovalList.self, timeout: Self.patience)
      (connection, pause) = (new, Self.pauses.first)
      return list.approvals.filter { $0.state == .pending }
    } catch {
      lose()
      return nil
    }
  }

  /// The next event that is there; nil for none.
  func next() -> AgentEvent? {
    do {
      return try connection?.nextEvent(timeout: .zero)
    } catch {
      lose()
      return nil
    }
  }

  /// The questions that wait now; nil where they cannot be had.
  func questions() -> [Approval]? {
    let list = try? connection?.call(ApprovalList.self, timeout: Self.patience)
    return list?.approvals.filter { $0.state == .pending }
  }

  /// A person's answer. It comes from this program's own unit.
  func answer(_ id: String, allow: Bool) {
    do {
      guard let connection else { throw AgentError(.notReady) }
      _ = try connection.call(
        ApprovalAnswer.self, ApprovalAnswer.Params(id: id, allow: allow), timeout: Self.patience)
    } catch let error as AgentError {
      Journal.note("the answer was not taken: \(error.message)")
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
