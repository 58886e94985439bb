public import AgentProtocol
import FoundationEssentials
import Glibc

/// A connection over the Unix socket to the agent of the current user. Calls block until the answer
/// arrives.
///
/// Several requests can be in flight: `start` each of them, then take each `answer`. A connection
/// is not thread-safe; open one for each thread, they are cheap. The socket closes when the last
/// reference is released, which cancels a sign-in that was started on the connection without
/// `detach`.
public final class AgentConnection {
  /// The default timeout of a call. It exceeds the time of every request that does not wait for a
  /// person (15 s for a token).
  public static let defaultTimeout = Duration.seconds(60)

  /// The socket's descriptor, for poll(2) together with other descriptors. When it is readable,
  /// `answer` or `nextEvent` may have a result. The caller must not read, write or close it.
  public var descriptor: Int32 { stream.descriptor }

  /// The maximum time without progress while a request is sent. The agent stops reading a
  /// connection with too many requests in flight until it has answered some.
  private static let maxStall = Duration.seconds(10)

  /// The maximum time that a call waits for a silent agent; nil means that only the call's own
  /// timeout applies.
  public var maxSilence: Duration? = .seconds(10)

  /// The directory that selects the account of requests that name none (`DirectoryParams`).
  public var directory: String?

  private let stream: UnixStream
  private var lines = LineReader(limit: Wire.answerLimit)
  private var lastID: Int64 = 0
  /// The requests in flight, and those whose answer has not been taken. Few, and a program that makes one request
  /// is faster without a hash table.
  private var awaited: [(id: Int64, answer: Data?)] = []
  private var failure: AgentClientError?
  var events: [AgentEvent] = []

  /// Connects to the agent.
  ///
  /// Compares the server's uid with this process's effective uid before anything is sent.
  ///
  /// - Parameters:
  ///   - path: the socket; by default the socket of this user's agent (`AgentPaths`).
  ///   - timeout: the maximum wait while the agent's listen backlog is full.
  /// - Throws: `.unreachable` with the command that helps, `.forbidden`, `.foreignServer`, or `.timedOut`.
  public convenience init(
    to path: String? = nil, timeout: Duration = .seconds(10)
  ) throws(AgentClientError) {
    let socket = if let path { path } else { try Self.usualPath }
    try self.init(to: socket, timeout: timeout, uid: geteuid())
  }

  private static var usualPath: String {
    get throws(AgentClientError) {
      do throws(AgentPathsError) { return try AgentPaths.ofThisProcess().socket } catch {
        throw AgentClientError(.unreachable, error.message, hint: error.hint)
      }
    }
  }

  /// Connects to the agent of the user `uid`.
  init(to path: String, timeout: Duration, uid: UInt32) throws(AgentClientError) {
    stream = try UnixStream.connect(to: path, within: timeout, uid: uid)
  }

  /// Sends a request and waits for its answer.
  /// - Throws: `AgentError` as the agent sent it, or `AgentClientError`.
  public func call<Method: AgentMethod>(
    _ method: Method.Type, _ params: Method.Params, timeout: Duration? = defaultTimeout
  ) throws -> Method.Result {
    let request = try start(method, params)
    guard let result = try answer(to: request, while: maxSilence, within: timeout) else {
      abandon(request)
      throw AgentClientError.timedOut(after: timeout, stream.silence)
    }
    return result
  }

  /// Waits as `answer(to:within:)` does, but checks that a silent agent still runs.
  ///
  /// A request may wait for a server or a disk for a long time, but a stopped agent must not delay
  /// the caller that long. Each time that a third of `silence` passes without the answer, this
  /// sends `agent.hello`, which a running agent answers immediately.
  ///
  /// - Throws: `.timedOut` if `agent.hello` has no answer within the rest of `silence`.
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
      let deadline = PollDeadline(after: silence - silence / 3)
      while arrived(request.id) == nil, arrived(hello.id) == nil {
        guard try readLine(deadline) else {
          abandon(request)
          throw AgentClientError.timedOut(after: silence, stream.silence)
        }
      }
    }
  }

  /// Sends a request of a method without params and waits for its answer.
  public func call<Method: AgentMethod>(
    _ method: Method.Type, timeout: Duration? = defaultTimeout
  ) throws -> Method.Result where Method.Params == Empty {
    try call(method, Empty(), timeout: timeout)
  }

  /// Sends a request without waiting; `answer` takes its answer.
  public func start<Method: AgentMethod>(
    _ method: Method.Type, _ params: Method.Params
  ) throws -> StartedRequest<Method> {
    if let failure { throw failure }
    let id = lastID + 1
    let params = inDirectory(params)
    var line = try WireCoding.encode(RequestEnvelope(id: .integer(id), method: Method.name, params: params))
    guard line.count <= Wire.frameLimit else {
      throw AgentClientError(.tooLarge, "the request is larger than \(Wire.frameLimit >> 10) KiB")
    }
    line.append(0x0A)
    lastID = id
    awaited.append((id, nil))
    try send(line)
    return StartedRequest(id: id)
  }

  /// `params` with the directory, if they name no account.
  private func inDirectory<Params>(_ params: Params) -> Params {
    guard let directory, var located = params as? any DirectoryParams, located.account == nil, located.directory == nil
    else { return params }
    located.directory = directory
    return located as? Params ?? params
  }

  /// Returns the answer to a started request, or nil if it does not arrive within `duration`; the
  /// caller may then ask again. A `duration` of nil means no timeout.
  public func answer<Method: AgentMethod>(
    to request: StartedRequest<Method>, within duration: Duration?
  ) throws -> Method.Result? {
    let deadline = PollDeadline(after: duration)
    while true {
      if let line = arrived(request.id) {
        abandon(request)
        return try result(of: Method.self, in: line)
      }
      guard try readLine(deadline) else { return nil }
    }
  }

  /// The answer to a request, if it has arrived.
  private func arrived(_ id: Int64) -> Data? { awaited.first { $0.id == id }?.answer }

  /// Abandons a request: its answer is discarded on arrival.
  public func abandon<Method: AgentMethod>(_ request: StartedRequest<Method>) {
    awaited.removeAll { $0.id == request.id }
  }

  private func result<Method: AgentMethod>(of method: Method.Type, in line: Data) throws -> Method.Result {
    let envelope: ResponseEnvelope<Method.Result>
    do {
      envelope = try WireCoding.decode(ResponseEnvelope<Method.Result>.self, from: line)
    } catch {
      throw AgentClientError.protocolViolation("it does not match \(Method.name)", cause: error)
    }
    if let error = envelope.error { throw error }
    guard let result = envelope.result else {
      throw AgentClientError.protocolViolation("it has neither result nor error")
    }
    return result
  }

  /// Sends a line. After a failed write, reads what the server sent before: a server that refuses a
  /// connection states the reason and closes it, and that error is more useful than the write
  /// error.
  private func send(_ line: Data) throws {
    do throws(AgentClientError) {
      try stream.send(line, stall: Self.maxStall)
    } catch {
      failure = error
      if error == .disconnected() {
        while try readLine(PollDeadline(after: .zero)) {}
      }
      throw error
    }
  }

  /// Reads and handles one line; false if none arrived before `deadline`.
  func readLine(_ deadline: PollDeadline) throws -> Bool {
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
      throw fail(.protocolViolation("it is longer than \(Wire.answerLimit >> 20) MiB"))
    }
  }

  private func fill(_ deadline: PollDeadline) throws(AgentClientError) -> Bool {
    // In practice, the maximum that one read of a Unix socket returns.
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
    case .answer(.integer(let id)) where awaited.contains { $0.id == id }:
      for index in awaited.indices where awaited[index].id == id { awaited[index].answer = line }
    // The late answer to an abandoned request.
    case .answer(.integer(let id)) where id > 0 && id <= lastID: break
    case .answer:
      let violation = fail(.protocolViolation("it was not requested"))
      throw refusal(in: line) ?? violation
    }
  }

  /// The error in an answer without a known request: the agent refuses the connection, or could not
  /// read a request.
  private func refusal(in line: Data) -> (any Error)? {
    (try? WireCoding.decode(ResponseEnvelope<Empty>.self, from: line))?.error
  }

  /// Marks the connection as failed and returns `error`. The first error is kept.
  private func fail(_ error: AgentClientError) -> AgentClientError {
    failure = failure ?? error
    return error
  }
}

/// A request that was sent and whose answer has not been taken yet.
public struct StartedRequest<Method: AgentMethod>: Sendable {
  let id: Int64
}

extension AgentConnection {
  /// Subscribes this connection to the agent's events. The first events describe the current
  /// state.
  /// - Parameters:
  ///   - accounts: the accounts whose events are sent; nil for all. Events without an account, and
  ///     changes of the default account, are always sent. A rename is followed.
  ///   - tokens: whether events include new tokens. Requires `accounts`.
  public func subscribe(
    since: EventsSubscribe.Position? = nil, accounts: [String]? = nil, tokens: Bool = false
  ) throws -> EventsSubscribe.Position {
    try call(
      EventsSubscribe.self, EventsSubscribe.Params(since: since, accounts: accounts, tokens: tokens ? true : nil))
  }

  /// Returns the next event of a subscribed connection, or nil if none arrived within `timeout`. A
  /// `timeout` of nil means no timeout.
  /// - Throws: `.disconnected` when the agent ends, or disconnects a subscriber that reads too
  ///   slowly. Connect again and subscribe `since` the last event received.
  public func nextEvent(timeout: Duration? = nil) throws -> AgentEvent? {
    let deadline = PollDeadline(after: timeout)
    while events.isEmpty {
      guard try readLine(deadline) else { return nil }
    }
    return events.removeFirst()
  }

  /// Calls `body` with each event until `body` returns false.
  /// - Throws: `.disconnected` when the connection ends, and any error from `body`.
  public func forEachEvent(_ body: (AgentEvent) throws -> Bool) throws {
    while let event = try nextEvent() {
      guard try body(event) else { return }
    }
  }

  /// Queues an event for `nextEvent`. Other notifications are ignored: they are meant for newer
  /// clients.
  func takeNotification(_ method: String, _ line: Data) throws {
    guard method == AgentEvent.method else { return }
    guard events.count < Self.maxQueuedEvents else {
      throw AgentClientError.protocolViolation("it contains more events than requested")
    }
    do {
      let envelope = try WireCoding.decode(RequestEnvelope<AgentEvent>.self, from: line)
      if let event = envelope.params { events.append(event) }
    } catch {
      throw AgentClientError.protocolViolation("it is not an event", cause: error)
    }
  }

  /// The maximum number of events queued while a call waits for its answer: far more than an agent
  /// publishes in that time.
  private static let maxQueuedEvents = 4096
}
