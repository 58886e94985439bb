import AgentClient
import AgentProtocol
import Glibc

/// A dialog on a terminal that takes a code, and meanwhile notices the end of a flow: the code can also
/// be entered, and a mailed link be opened, in a browser.
final class FlowDialog {
  enum Event {
    case line(String)
    /// The flow ended elsewhere: in a browser, or on another terminal.
    case ended(SignInResult)
    /// The agent forgot the flow. The code may still be valid.
    case forgotten
    /// Ctrl-C or Ctrl-D, where they are an answer.
    case interrupted
  }

  let terminal: ControllingTerminal
  private let connect: () throws -> AgentConnection
  /// Nil after the agent closed the connection.
  private var connection: AgentConnection?
  private var liveness = AgentLiveness()
  /// The followed flow; nil if there is none, or if the agent forgot it.
  private(set) var flow: String?
  /// The started `signIn.wait` for the flow.
  private var wait: StartedRequest<SignInWait>?
  /// The earliest time of the next `signIn.wait`.
  private var nextWait = ContinuousClock.now

  /// After this number of wrong codes, a dialog ends.
  static let maxWrongCodes = 5

  /// - Parameter connect: makes a new connection if the agent closed the first one.
  init(
    on terminal: ControllingTerminal, _ connection: AgentConnection, connect: @escaping () throws -> AgentConnection
  ) {
    (self.terminal, self.connection, self.connect) = (terminal, connection, connect)
  }

  /// The connection to the agent. A new one if the agent was restarted.
  func connected() throws -> AgentConnection {
    if let connection { return connection }
    let new = try connect()
    connection = new
    return new
  }

  /// Follows this flow instead of the one before.
  func follow(_ flow: String) {
    if let wait { connection?.abandon(wait) }
    (self.flow, wait, nextWait) = (flow, nil, .now)
  }

  /// Asks, and waits for a line or for the end of the flow.
  /// - Parameter takesInterrupt: whether Ctrl-C and Ctrl-D are an answer, instead of the end of the
  ///   program.
  func next(_ question: String, takesInterrupt: Bool = false) throws -> Event {
    let interrupts = takesInterrupt ? InterruptListener() : nil
    try terminal.write(question)
    do {
      while true {
        if let event = try flowEvent() ?? (interrupts?.wasInterrupted == true ? .interrupted : nil) {
          try terminal.write("\n")
          return event
        }
        let others = [connection?.descriptor, interrupts?.descriptor].compactMap(\.self)
        let isPausing = flow != nil && wait == nil
        if terminal.hasInput(or: others, within: isPausing ? Self.waitPause : .seconds(10)) {
          return .line(try terminal.readLine())
        }
      }
    } catch {
      // The error starts on a new line.
      try terminal.write("\n")
      guard takesInterrupt, (error as? Failure)?.exit == .cancelled else { throw error }
      return .interrupted
    }
  }

  /// Performs a request that the agent completes even if the person does not wait for it.
  /// - Returns: Nil after Ctrl-C, which leaves the request to the agent.
  func call<Method: AgentMethod>(
    _ method: Method.Type, _ params: Method.Params, timeout: Duration
  ) throws -> Method.Result? {
    let interrupts = InterruptListener()
    let connection = try connected()
    let request = try connection.start(method, params)
    let end = ContinuousClock.now + timeout
    while ContinuousClock.now < end {
      if let result = try connection.answer(to: request, within: .zero) { return result }
      if interrupts.wasInterrupted {
        connection.abandon(request)
        try terminal.write("\n")
        return nil
      }
      var entries = [connection.descriptor, interrupts.descriptor ?? -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      // One second, so that the end of the time is noticed.
      if poll(&entries, nfds_t(entries.count), 1000) == 0 { try liveness.check(connection) }
    }
    connection.abandon(request)
    throw AgentError(.timedOut, "The agent did not answer in time.")
  }

  /// The time between two `signIn.wait`: a flow that is over answers immediately until the agent
  /// forgets it.
  private static let waitPause = Duration.seconds(1)

  /// The end of the flow; nil while it runs.
  private func flowEvent() throws -> Event? {
    guard let connection else { return nil }
    do {
      try liveness.check(connection)
      if wait == nil, let flow, .now >= nextWait {
        wait = try connection.start(SignInWait.self, FlowParams(flow: flow))
      }
      if let wait { return try connection.answer(to: wait, within: .zero).map { .ended($0) } }
      // Nothing is expected, but the end of the connection is noticed.
      _ = try connection.nextEvent(timeout: .zero)
    } catch let error as AgentError where error.kind == .flowTimedOut {
      // This wait is over, and the flow may continue.
      (wait, nextWait) = (nil, .now + Self.waitPause)
    } catch let error as AgentError where error.kind == .flowUnknown {
      (flow, wait) = (nil, nil)
    } catch  where Self.isForgotten(error) {
      (flow, wait, self.connection) = (nil, nil, nil)
      return .forgotten
    }
    return nil
  }

  /// Whether the flow was replaced, or the agent was stopped.
  private static func isForgotten(_ error: any Error) -> Bool {
    (error as? AgentError)?.kind == .cancelled || (error as? AgentClientError)?.code == .disconnected
  }
}
