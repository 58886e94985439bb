public import AgentProtocol
import FoundationEssentials
import Glibc

/// A connection to the agent of the user who runs this, over its Unix socket. Calls block until the answer is there.
///
/// Several requests can be under way at a time: `start` them, then take each `answer`. Not safe for use by two threads at
/// once; open a connection for each, they are cheap. It is closed when the last reference goes, and a sign-in that was
/// started on it ends with it.
public final class AgentConnection {
  /// The time limit of a call that names none: longer than the agent takes for anything that waits for no person (15 s
  /// for a token; an API request is the longest).
  public static let usualTimeout = Duration.seconds(60)

  /// The descriptor of the socket, for poll(2) beside others: something can be read, so `answer` or `nextEvent` may find
  /// something. Never read, written or closed by the caller.
  public var descriptor: Int32 { stream.descriptor }

  /// The longest time in which the agent may take nothing of a request: it reads on when others are answered.
  private static let maximumStall = Duration.seconds(10)

  /// How long a call waits for a sign of life of the agent; nil: only the call's own time limit counts.
  public var maximumSilence: Duration? = .seconds(10)

  private let stream: UnixStream
  private var lines = LineReader(limit: Wire.longFrameLimit)
  private var lastID: Int64 = 0
  private var awaited: Set<Int64> = []
  private var answers: [Int64: Data] = [:]
  private var failure: AgentClientError?
  var events: [AgentEvent] = []

  /// Connects to the agent.
  ///
  /// The server's uid is compared with this process's own before anything is sent (PR-7).
  /// - Parameters:
  ///   - path: the socket; by default where the agent of this user listens (`Places`).
  ///   - timeout: how long to wait where the agent is too busy to take the connection.
  /// - Throws: `.unreachable` with the command that helps, or `.foreignServer`.
  public convenience init(
    to path: String? = nil, timeout: Duration = .seconds(10)
  ) throws(AgentClientError) {
    let socket = if let path { path } else { try Self.usualPath }
    try self.init(to: socket, timeout: timeout, uid: geteuid())
  }

  private static var usualPath: String {
    get throws(AgentClientError) {
      do throws(PlacesError) { return try Places.ofThisProcess().socket } catch {
        throw AgentClientError(.unreachable, error.message, hint: error.hint)
      }
    }
  }

  /// The same for the agent of the user `uid`.
  init(to path: String, timeout: Duration, uid: UInt32) throws(AgentClientError) {
    let stream = try UnixStream.connect(to: path, within: timeout)
    let serverUID = stream.serverUID
    guard serverUID == uid else { throw AgentClientError.foreignServer(path, uid: serverUID) }
    self.stream = stream
  }

  /// Sends a request and waits for its answer.
  /// - Throws: `AgentError` as the agent sent it, or `AgentClientError`.
  public func call<Method: AgentMethod>(
    _ method: Method.Type, _ params: Method.Params, timeout: Duration? = usualTimeout
  ) throws -> Method.Result {
    let request = try start(method, params)
    guard let result = try answer(to: request, while: maximumSilence, within: timeout) else {
      abandon(request)
      throw AgentClientError.timedOut(after: timeout)
    }
    return result
  }

  /// As `answer`, but asks a silent agent whether it still runs.
  ///
  /// A request may wait for a server or a disk for a long time. A stopped agent must not be waited for that long: each time
  /// that nothing has come for a third of `silence`, `agent.hello` is sent, which every running agent answers at once.
  /// - Throws: `.timedOut` if that has no answer within the rest of `silence`.
  private func answer<Method: AgentMethod>(
    to request: StartedRequest<Method>, while silence: Duration?, within limit: Duration?
  ) throws -> Method.Result? {
    guard let silence, limit.map({ $0 > silence }) ?? true else { return try answer(to: request, within: limit) }
    let end = limit.map { ContinuousClock.now + $0 }
    while true {
      let left = end.map { ContinuousClock.now.duration(to: $0) } ?? silence
      guard left > .zero else { return nil }
      if let result = try answer(to: request, within: min(left, silence / 3)) { return result }
      let hello = try start(AgentHello.self, AgentHello.Params(client: "liveness"))
      defer { abandon(hello) }
      let deadline = Deadline(after: silence - silence / 3)
      while answers[request.id] == nil, answers[hello.id] == nil {
        guard try readLine(deadline) else {
          abandon(request)
          throw AgentClientError.timedOut(after: silence)
        }
      }
    }
  }

  /// Sends a request of a method that has no params, and waits for its answer.
  public func call<Method: AgentMethod>(
    _ method: Method.Type, timeout: Duration? = usualTimeout
  ) throws -> Method.Result where Method.Params == Empty {
    try call(method, Empty(), timeout: timeout)
  }

  /// Sends a request; `answer` waits for what comes back.
  public func start<Method: AgentMethod>(
    _ method: Method.Type, _ params: Method.Params
  ) throws -> StartedRequest<Method> {
    if let failure { throw failure }
    let id = lastID + 1
    var line = try WireCoding.encode(RequestEnvelope(id: .integer(id), method: Method.name, params: params))
    guard line.count <= Wire.longFrameLimit else {
      throw AgentClientError(.tooLarge, "the request is larger than \(Wire.longFrameLimit >> 20) MiB")
    }
    line.append(0x0A)
    lastID = id
    awaited.insert(id)
    try send(line)
    return StartedRequest(id: id)
  }

  /// The answer to a started request; nil if it did not come within `duration` (nil: waits for ever). Ask again then.
  public func answer<Method: AgentMethod>(
    to request: StartedRequest<Method>, within duration: Duration?
  ) throws -> Method.Result? {
    let deadline = Deadline(after: duration)
    while answers[request.id] == nil {
      guard try readLine(deadline) else { return nil }
    }
    guard let line = answers.removeValue(forKey: request.id) else { return nil }
    awaited.remove(request.id)
    return try result(of: Method.self, in: line)
  }

  /// Lets go of a request: its answer is thrown away when it comes.
  public func abandon<Method: AgentMethod>(_ request: StartedRequest<Method>) {
    awaited.remove(request.id)
    answers[request.id] = nil
  }

  private func result<Method: AgentMethod>(of method: Method.Type, in line: Data) throws -> Method.Result {
    let envelope: ResponseEnvelope<Method.Result>
    do {
      envelope = try WireCoding.decode(ResponseEnvelope<Method.Result>.self, from: line)
    } catch {
      throw AgentClientError.protocolViolation("it is no answer to \(Method.name)", cause: error)
    }
    if let error = envelope.error { throw error }
    guard let result = envelope.result else {
      throw AgentClientError.protocolViolation("it has neither result nor error")
    }
    return result
  }

  /// A server that refuses a connection says why and closes it: what it said is worth more than the failed write.
  private func send(_ line: Data) throws {
    do throws(AgentClientError) {
      try stream.send(line, stall: Self.maximumStall)
    } catch {
      failure = error
      if error == .disconnected() {
        while try readLine(Deadline(after: .zero)) {}
      }
      throw error
    }
  }

  /// Takes in one line more; false if none came until `deadline`.
  func readLine(_ deadline: Deadline) throws -> Bool {
    while true {
      if let line = try nextLine() {
        try take(line)
        return true
      }
      guard try fill(deadline) else { return false }
    }
  }

  private func nextLine() throws(AgentClientError) -> Data? {
    do { return try lines.next() } catch {
      throw fail(.protocolViolation("it is longer than \(Wire.longFrameLimit >> 20) MiB"))
    }
  }

  private func fill(_ deadline: Deadline) throws(AgentClientError) -> Bool {
    // As much as one read of a Unix socket gives at most in practice.
    let room = 64 * 1024
    return try withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { (buffer) throws(AgentClientError) in
      guard let count = try stream.receive(into: buffer, deadline: deadline) else { return false }
      guard count > 0 else { throw fail(.disconnected()) }
      lines.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      return true
    }
  }

  private func take(_ line: Data) throws {
    let kind: IncomingLine
    do throws(AgentClientError) { kind = try IncomingLine(line) } catch { throw fail(error) }
    switch kind {
    case .notification(let method): try takeNotification(method, line)
    case .answer(.integer(let id)) where awaited.contains(id): answers[id] = line
    // The late answer to a request that was let go.
    case .answer(.integer(let id)) where id > 0 && id <= lastID: break
    case .answer:
      let violation = fail(.protocolViolation("nobody asked for it"))
      throw refusal(in: line) ?? violation
    }
  }

  /// An error without a request: the agent refuses the connection or could not read what it got.
  private func refusal(in line: Data) -> (any Error)? {
    (try? WireCoding.decode(ResponseEnvelope<Empty>.self, from: line))?.error
  }

  /// After `error` the connection is of no more use.
  private func fail(_ error: AgentClientError) -> AgentClientError {
    failure = failure ?? error
    return error
  }
}

/// A request that was sent and whose answer is still to be taken.
public struct StartedRequest<Method: AgentMethod>: Sendable {
  let id: Int64
}

extension AgentConnection {
  /// Subscribes this connection to the agent's events (SE-5): the present state comes first, as events.
  public func subscribe(
    since: EventsSubscribe.Position? = nil, tokens: Bool = false
  ) throws -> EventsSubscribe.Position {
    try call(EventsSubscribe.self, EventsSubscribe.Params(since: since, tokens: tokens ? true : nil))
  }

  /// The next event of a subscribed connection; nil if none came within `timeout` (nil: waits for ever).
  /// - Throws: `.disconnected` when the agent ends or drops a subscriber that was too slow: connect again, and subscribe
  ///   `since` the last event seen.
  public func nextEvent(timeout: Duration? = nil) throws -> AgentEvent? {
    let deadline = Deadline(after: timeout)
    while events.isEmpty {
      guard try readLine(deadline) else { return nil }
    }
    return events.removeFirst()
  }

  /// Calls `body` with each event until it returns false or the connection ends.
  public func forEachEvent(_ body: (AgentEvent) throws -> Bool) throws {
    while let event = try nextEvent() {
      guard try body(event) else { return }
    }
  }

  /// Keeps an event for `nextEvent`; other notifications are for newer clients.
  func takeNotification(_ method: String, _ line: Data) throws {
    guard method == AgentEvent.method else { return }
    guard events.count < Self.mostKeptEvents else {
      throw AgentClientError.protocolViolation("more events came than anybody asked for")
    }
    do {
      let envelope = try WireCoding.decode(RequestEnvelope<AgentEvent>.self, from: line)
      if let event = envelope.params { events.append(event) }
    } catch {
      throw AgentClientError.protocolViolation("it is no event", cause: error)
    }
  }

  /// Events that are kept while a call waits for its answer: far more than an agent publishes in such a time.
  private static let mostKeptEvents = 4096
}
