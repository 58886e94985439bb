import AgentClient
import AgentProtocol
import Glibc

/// Follows a flow at the agent while a person may answer here, or elsewhere: in a browser or on another
/// terminal. Never waits for the person.
final class FlowFollower {
  enum News {
    case ended(SignInResult)
    /// The time for a page, or for the flow, is over (`flowTimedOut`). The flow is followed further,
    /// because it may continue.
    case late(AgentError)
    /// The agent no longer has the flow: it ended long ago, was replaced, or the agent was stopped.
    case lost(any Error)
  }

  private let connect: () throws -> AgentConnection
  /// Nil after the agent closed the connection.
  private var connection: AgentConnection?
  private var lastCheck = ContinuousClock.now
  /// The followed flow; nil if there is none, or if it was lost.
  private(set) var flow: String?
  /// The started `signIn.wait` for the flow.
  private var wait: StartedRequest<SignInWait>?
  /// The earliest time of the next `signIn.wait`.
  private var nextWait = ContinuousClock.now

  /// - Parameter connect: makes a new connection if the agent closed the first one.
  init(
    _ connection: AgentConnection, flow: String? = nil, connect: @escaping () throws -> AgentConnection
  ) {
    (self.connection, self.flow, self.connect) = (connection, flow, connect)
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

  /// Returns the news about the flow; nil if there are none. To be called when `descriptor` is readable, and
  /// after `pause` at the latest.
  /// - Throws: the error that ended the flow.
  func news(within limit: Duration = .zero) throws -> News? {
    guard let connection else { return nil }
    do {
      try checkLiveness(connection)
      if wait == nil, let flow, .now >= nextWait {
        wait = try connection.start(SignInWait.self, FlowParams(flow: flow))
      }
      if let wait { return try connection.answer(to: wait, within: limit).map { .ended($0) } }
      // Nothing is expected, but the end of the connection is noticed.
      _ = try connection.nextEvent(timeout: limit)
    } catch let error as AgentError where error.kind == .flowTimedOut {
      (wait, nextWait) = (nil, .now + Self.waitPause)
      return .late(error)
    } catch let error as AgentError where error.kind == .flowUnknown {
      (flow, wait) = (nil, nil)
      return .lost(error)
    } catch  where Self.isLost(error) {
      (flow, wait, self.connection) = (nil, nil, nil)
      return .lost(error)
    }
    return nil
  }

  /// Readable when the agent has sent something; nil without a connection.
  var descriptor: Int32? { connection?.descriptor }

  /// The maximum time until the next call of `news`.
  var pause: Duration { flow != nil && wait == nil ? Self.waitPause : .seconds(10) }

  /// The time between two `signIn.wait`: a flow that is over answers immediately until the agent
  /// forgets it.
  private static let waitPause = Duration.seconds(1)

  /// Checks at intervals that the agent still runs. A running agent ends every flow in time, but a
  /// stopped one would never answer.
  func checkLiveness(_ connection: AgentConnection) throws {
    guard lastCheck.duration(to: .now) >= Self.checkInterval else { return }
    lastCheck = .now
    _ = try connection.call(AgentHello.self, AgentHello.Params(client: "liveness"), timeout: .seconds(10))
  }

  private static let checkInterval = Duration.seconds(30)

  /// Whether the flow was replaced, or the agent was stopped.
  private static func isLost(_ error: any Error) -> Bool {
    (error as? AgentError)?.kind == .cancelled || (error as? AgentClientError)?.code == .disconnected
  }
}

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
  let follower: FlowFollower

  /// After this number of wrong codes, a dialog ends.
  static let maxWrongCodes = 5

  init(on terminal: ControllingTerminal, _ follower: FlowFollower) {
    (self.terminal, self.follower) = (terminal, follower)
  }

  /// Asks, and waits for a line or for the end of the flow.
  /// - Parameter takesInterrupt: whether Ctrl-C and Ctrl-D are an answer, instead of the end of the
  ///   program.
  func next(_ question: Words, takesInterrupt: Bool = false) throws -> Event {
    let interrupts = takesInterrupt ? SignalListener([SIGINT]) : nil
    try terminal.write(question)
    do {
      while true {
        if let event = try flowEvent() ?? (interrupts?.next() == nil ? nil : .interrupted) {
          try terminal.write("\n")
          return event
        }
        let others = [follower.descriptor, interrupts?.descriptor].compactMap(\.self)
        if terminal.hasInput(or: others, within: follower.pause) {
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
    let interrupts = SignalListener([SIGINT])
    let connection = try follower.connected()
    let request = try connection.start(method, params)
    let end = ContinuousClock.now + timeout
    while ContinuousClock.now < end {
      if let result = try connection.answer(to: request, within: .zero) { return result }
      if interrupts.next() != nil {
        connection.abandon(request)
        try terminal.write("\n")
        return nil
      }
      var entries = [connection.descriptor, interrupts.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      // One second, so that the end of the time is noticed.
      if poll(&entries, nfds_t(entries.count), 1000) == 0 { try follower.checkLiveness(connection) }
    }
    connection.abandon(request)
    throw AgentError(.timedOut, "The agent did not answer in time.")
  }

  /// The end of the flow; nil while it runs.
  private func flowEvent() throws -> Event? {
    switch try follower.news() {
    case .ended(let result): return .ended(result)
    case .lost(let error) where (error as? AgentError)?.kind != .flowUnknown: return .forgotten
    default: return nil
    }
  }
}
