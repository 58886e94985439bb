import AccessControl
import AgentProtocol
import NIOCore
import NIOHTTP1
import NIOPosix
import SessionEngine
import SupabaseAuth

/// One request and its answer. Bound to the event loop of its connection.
///
/// The state is read again after each decision that is made elsewhere: the connection may have ended
/// meanwhile. An answer of a former attempt is ignored.
final class EgressExchange {
  /// An answer that is examined before the client gets it: it may be about the token.
  final class Held {
    let head: HTTPResponseHead
    var body = ByteBuffer()
    var isComplete = false
    var isExamined = false
    /// Lets the server send more.
    var more: EventLoopPromise<Void>?

    init(head: HTTPResponseHead) { self.head = head }

    /// Whatever becomes of the answer, its server does not wait for ever.
    deinit { more?.fail(CancellationError()) }
  }

  /// The request in the audit log.
  private enum Note {
    case unsent
    case sent(HandOutTable.Request)
    /// The status is noted.
    case ended
  }

  private let request: EgressRequest
  private let caller: EgressAccess.Caller
  private let connection: EgressConnection
  private let state: EgressState
  private var body = UploadBody()
  private var permit: EgressAccess.Permit?
  private var attempt: EgressAttempt?
  private var held: Held?
  private var note = Note.unsent
  private var hasRetried = false
  private var hasReconnected = false
  private(set) var isAnswered = false
  private var isOver = false

  init(_ request: EgressRequest, _ caller: EgressAccess.Caller, _ connection: EgressConnection) {
    (self.request, self.caller, self.connection) = (request, caller, connection)
    state = connection.state
  }

  // MARK: - Deciding

  func begin() {
    do throws(EgressProblem) {
      if let permit = try state.access.permitAtOnce(request, caller) { return permitted(permit) }
    } catch {
      return fail(error)
    }
    if state.access.hasRules { connection.lookUpCaller() }
    let (request, caller, access, changes) = (request, caller, state.access, state.changes)
    perform { () async -> Result<EgressAccess.Permit, EgressProblem> in
      do throws(EgressProblem) { return .success(try await access.permit(request, caller)) } catch {
        return .failure(error)
      }
    } then: { exchange, result in
      switch result {
      case .success where exchange.state.changes != changes: exchange.begin()
      case .success(let permit): exchange.permitted(permit)
      case .failure(let problem): exchange.fail(problem)
      }
    }
  }

  private func permitted(_ permit: EgressAccess.Permit) {
    connection.use = EgressAccess.Use(permit, request, caller)
    if request.expectsContinue, request.body != .none { connection.writeContinue() }
    send(permit)
    connection.readIfWanted()
  }

  /// Runs `body` off the event loop, and then `then` on it unless the exchange has ended.
  private func perform<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value, then: @escaping @Sendable (EgressExchange, Value) -> Void
  ) {
    let bound = NIOLoopBound(self, eventLoop: state.eventLoop)
    let eventLoop = state.eventLoop
    Task {
      let value = await body()
      eventLoop.execute { if !bound.value.isOver { then(bound.value, value) } }
    }
  }

  // MARK: - The request's body

  var hasRoom: Bool { permit != nil && body.hasRoom }

  func received(_ piece: ByteBuffer) {
    body.append(piece)
    sendMore()
  }

  func receivedEnd() {
    body.end()
    if !isAnswered { connection.touch(EgressLimits.firstByte) }
    sendMore()
  }

  /// Sends what there is of the body, as fast as the server takes it.
  func sendMore() {
    guard let attempt, attempt.takesBody else { return }
    while attempt.takesBody, let piece = body.take() {
      connection.touch(isAnswered ? EgressLimits.idle : EgressLimits.firstByte)
      attempt.write(piece)
    }
    if body.isFinished, attempt.takesBody { attempt.endBody() } else { connection.readIfWanted() }
  }

  // MARK: - Sending

  /// Called before the head is sent. A request counts once, also if it is repeated.
  func noteSent() {
    guard case .unsent = note, let permit else { return }
    let (request, needsCaller) = state.access.noteSent(permit.account, caller)
    note = .sent(request)
    if needsCaller { connection.lookUpCaller() }
  }

  /// Notes the status of the answer, once; nil if there was none.
  private func noteEnd(_ status: HTTPResponseStatus?) {
    guard case .sent(let request) = note else { return }
    note = .ended
    state.access.noteEnd(request, status: status.map { Int($0.code) })
  }

  private func send(_ permit: EgressAccess.Permit) {
    self.permit = permit
    held = nil
    let route = EgressServers.Route(endpoint: permit.project.endpoint, origin: permit.url.origin)
    guard state.servers.canConnect(route) else { return load(permit) }
    let attempt = EgressAttempt(request, permit, route, state.servers, self)
    self.attempt = attempt
    attempt.begin(onNewConnection: hasReconnected)
  }

  /// Loads the trust settings of the project, and sends then.
  private func load(_ permit: EgressAccess.Permit) {
    state.servers.load(permit.project.endpoint) { [weak self] error in
      guard let self, !isOver else { return }
      if let error { return fail(EgressProblem(AgentError.from(error, account: permit.account))) }
      send(permit)
    }
  }

  /// Prepares another attempt.
  private func resend(_ permit: EgressAccess.Permit) {
    attempt?.cancel()
    attempt = nil
    body.rewind()
    send(permit)
  }

  // MARK: - The answer

  /// - Returns: a future that completes when the server may send the body.
  func received(_ head: HTTPResponseHead, from attempt: EgressAttempt) -> EventLoopFuture<Void> {
    guard isCurrent(attempt) else { return state.servers.cancelled }
    connection.touch()
    guard TokenRejection.isSuspect(Int(head.status.code), path: request.target) else {
      pass(head)
      return connection.whenWritable()
    }
    held = Held(head: head)
    let bound = NIOLoopBound(self, eventLoop: state.eventLoop)
    state.eventLoop.scheduleTask(in: EgressLimits.examination) { bound.value.examine() }
    return state.eventLoop.makeSucceededVoidFuture()
  }

  func received(_ piece: ByteBuffer, from attempt: EgressAttempt) -> EventLoopFuture<Void> {
    guard isCurrent(attempt) else { return state.servers.cancelled }
    guard let held else { return connection.write(piece) }
    held.body.writeImmutableBuffer(piece)
    guard held.isExamined || held.body.readableBytes >= TokenRejection.maxBody else {
      return state.eventLoop.makeSucceededVoidFuture()
    }
    let more = held.more ?? state.eventLoop.makePromise(of: Void.self)
    held.more = more
    examine()
    return more.futureResult
  }

  func receivedEnd(from attempt: EgressAttempt) {
    guard isCurrent(attempt) else { return }
    guard let held else { return finish() }
    held.isComplete = true
    examine()
  }

  private func isCurrent(_ attempt: EgressAttempt) -> Bool { !isOver && self.attempt === attempt }

  /// Decides once whether a refusal is about the token, which may then be replaced.
  private func examine() {
    guard let held, !held.isExamined, let permit, !isOver else { return }
    held.isExamined = true
    let rejection = TokenRejection(
      status: Int(held.head.status.code), path: request.target, challenge: held.head.headers["www-authenticate"],
      body: Array(held.body.readableBytesView))
    guard !hasRetried, body.canReplay, state.access.mayRefresh(after: rejection, permit) else {
      if hasRetried, rejection != .none { state.access.noteRefused(permit) }
      return passHeld()
    }
    hasRetried = true
    let (request, access) = (request, state.access)
    perform {
      await access.newer(than: permit, request)
    } then: { exchange, newer in
      guard let newer, exchange.body.canReplay else { return exchange.passHeld() }
      exchange.state.access.noteRetry()
      exchange.resend(newer)
    }
  }

  private func passHeld() {
    guard let held, !isOver else { return }
    self.held = nil
    pass(held.head)
    if held.body.readableBytes > 0 { _ = connection.write(held.body) }
    held.more.map { connection.whenWritable().cascade(to: $0) }
    held.more = nil
    if held.isComplete { finish() }
  }

  private func pass(_ head: HTTPResponseHead) {
    guard let permit else { return }
    isAnswered = true
    body.release()
    var answer = HTTPResponseHead(version: .http1_1, status: head.status, headers: answered(head.headers, permit))
    frame(&answer, length: head.headers.first(name: "content-length"))
    noteEnd(head.status)
    connection.write(answer)
  }

  private func answered(_ headers: HTTPHeaders, _ permit: EgressAccess.Permit) -> HTTPHeaders {
    let (project, url) = (permit.project, permit.url)
    return APIHeaders.answered(
      headers,
      ClientURL(
        project: project.origin, api: project.apiOrigin, basePath: project.basePath,
        request: (url.origin, url.target), host: request.host))
  }

  /// Sets the framing of an answer (RFC 9112, section 6.3).
  private func frame(_ answer: inout HTTPResponseHead, length: String?) {
    if let length, answer.status != .noContent { answer.headers.add(name: "content-length", value: length) }
    let hasBody = request.method != .HEAD && answer.status.mayHaveResponseBody
    if hasBody, length == nil { answer.headers.add(name: "transfer-encoding", value: "chunked") }
  }

  private func finish() {
    guard !isOver else { return }
    end()
    connection.finish()
  }

  // MARK: - Failures

  /// Called when an attempt has failed.
  func failed(_ error: any Error, from attempt: EgressAttempt) {
    guard isCurrent(attempt), let permit else { return }
    if isAnswered {
      // The client must notice that the answer is not complete.
      return connection.cutOff("the server ended its answer early")
    }
    if mayReconnect(attempt, after: error) {
      hasReconnected = true
      return resend(permit)
    }
    fail(Self.problem(of: error, permit))
  }

  private static func problem(of error: any Error, _ permit: EgressAccess.Permit) -> EgressProblem {
    let host = permit.url.origin.firstRange(of: "://").map { String(permit.url.origin[$0.upperBound...]) }
    let known = AuthError.transport(
      error, host: host ?? permit.url.origin, within: .nanoseconds(EgressLimits.connect.nanoseconds),
      for: permit.project.endpoint)
    var told = AgentError.from(known, account: permit.account)
    if known.code == .timeout { told = AgentError(.timedOut, account: permit.account) }
    // An answer that cannot be understood is the server's fault as well (RFC 9110, section 15.6.3).
    if known.code == .unreadable || EgressProblem(told).status == .forbidden {
      told = AgentError(.offline, account: permit.account)
    }
    told.data.detail = known.connectionFailure ?? "\(host ?? permit.url.origin): \(known.message)"
    return EgressProblem(told)
  }

  /// True if a kept connection was closed before the server saw the request (RFC 9112, section 9.3.1).
  private func mayReconnect(_ attempt: EgressAttempt, after error: any Error) -> Bool {
    !hasReconnected && held == nil && body.canReplay && request.method.isIdempotent && attempt.isOnKeptConnection
      && (error is ChannelError || error is IOError)
  }

  private func fail(_ problem: EgressProblem) {
    guard !isOver else { return }
    var problem = problem
    if attempt?.isSent == true, !request.method.isIdempotent { problem.addUnknownOutcome() }
    end()
    connection.refuse(problem, hasBody: request.body != .none && request.body != .length(0))
  }

  /// Ends the exchange: with an error, or by the end of the connection if the answer has begun.
  func abort(_ error: AgentError, _ reason: String) {
    if isAnswered { connection.cutOff(reason) } else { fail(EgressProblem(error)) }
  }

  /// Ends the exchange because its connection has ended.
  func cancel() { if !isOver { end() } }

  private func end() {
    isOver = true
    noteEnd(held?.head.status)
    held = nil
    let attempt = attempt
    self.attempt = nil
    attempt?.cancel()
  }

  // MARK: - Upgrades

  /// Called when the server has switched protocols. The connection belongs to the tunnel from now on.
  func upgraded(_ head: HTTPResponseHead, _ attempt: EgressAttempt) {
    guard isCurrent(attempt), let permit else { return attempt.cancel() }
    guard request.isUpgrade else { return fail(.badGateway(permit.account)) }
    var headers = answered(head.headers, permit)
    headers.add(name: "upgrade", value: "websocket")
    headers.add(name: "connection", value: "Upgrade")
    noteEnd(head.status)
    // The tunnel must not be cancelled with the exchange.
    (isOver, self.attempt) = (true, nil)
    connection.switchProtocols(HTTPResponseHead(version: .http1_1, status: head.status, headers: headers), attempt)
  }
}

extension EgressProblem {
  fileprivate static func badGateway(_ account: String?) -> EgressProblem {
    EgressProblem(AgentError(.offline, account: account))
  }
}

extension HTTPMethod {
  /// RFC 9110, section 9.2.2.
  fileprivate var isIdempotent: Bool { [.GET, .HEAD, .OPTIONS, .PUT, .DELETE].contains(self) }
}
