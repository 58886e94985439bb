import AccessControl
import AgentConfiguration
import AgentProtocol
import NIOCore
import NIOHTTP1
import NIOPosix
import SessionEngine
import SupabaseAuth
import SystemSupport
import WebURLs

/// One request and its answer. Bound to the event loop of its connection.
///
/// The state is read again after each decision that is made elsewhere: the connection may have ended
/// meanwhile.
final class EgressExchange {
  /// An answer that is examined before the client gets it: it may be about the token.
  private struct Held {
    let head: HTTPHead
    let hasBody: Bool
    var body = ByteBuffer()
    var isComplete = false
    var isExamined = false
  }

  private enum Stage {
    /// Waits for a decision, or for a connection to a server.
    case waiting
    /// The request is on its way.
    case sent
    /// The client gets the answer.
    case answered
    /// Both sides pass bytes, after a 101.
    case tunnel
    case over
  }

  /// The request in the audit log.
  private enum Note {
    case unsent
    case sent(IssuedTokens.Request)
    /// The status is noted.
    case ended
  }

  private let request: EgressRequest
  let caller: EgressAccess.Caller
  private let connection: EgressConnection
  private let state: EgressState
  private var stage = Stage.waiting
  private var body = UploadBody()
  private(set) var permit: EgressAccess.Permit?
  private var upstream: EgressUpstream?
  /// Incremented with each attempt: the connection for a former one comes too late.
  private var attempt = 0
  private var held: Held?
  private var note = Note.unsent
  /// The work off the event loop.
  private var work: Task<Void, Never>?
  private var hasRetried = false
  private var hasReconnected = false
  /// True if the connection had served another request, so that the server may have closed it before it saw
  /// this one.
  private var isOnKeptConnection = false

  init(_ request: EgressRequest, _ caller: EgressAccess.Caller, _ connection: EgressConnection) {
    (self.request, self.caller, self.connection) = (request, caller, connection)
    state = connection.state
    if request.body == .none || request.body == .length(0) { body.end() }
  }

  var isAnswered: Bool {
    switch stage {
    case .waiting, .sent, .over: false
    case .answered, .tunnel: true
    }
  }

  private var isOver: Bool { if case .over = stage { true } else { false } }
  private var isTunnel: Bool { if case .tunnel = stage { true } else { false } }

  // MARK: - Deciding

  func begin() {
    do throws(EgressProblem) {
      if let permit = try state.access.permitAtOnce(request, caller) { return permitted(permit) }
    } catch {
      return fail(error)
    }
    if state.access.hasRules { connection.lookUpCaller() }
    if let time = request.preferredWait { connection.touch(EgressLimits.firstByte + TimeAmount(time)) }
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
    guard state.access.use(permit) else { return begin() }
    if request.expectsContinue, request.body != .none { connection.writeContinue() }
    send(permit)
    // The body has waited for the decision.
    connection.advance()
  }

  /// Runs `body` off the event loop, and then `then` on it unless the exchange has ended.
  private func perform<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value, then: @escaping @Sendable (EgressExchange, Value) -> Void
  ) {
    let bound = NIOLoopBound(self, eventLoop: state.eventLoop)
    let eventLoop = state.eventLoop
    work = Task {
      let value = await body()
      eventLoop.execute { if !bound.value.isOver { then(bound.value, value) } }
    }
  }

  // MARK: - The request's body

  var hasRoom: Bool {
    if isTunnel { return upstream?.takesBody ?? false }
    return permit != nil && body.hasRoom
  }

  /// Takes a piece of the body. A call of `flush` must follow.
  func received(_ piece: ByteBuffer) {
    if isTunnel { return upstream?.send(piece) ?? () }
    body.append(piece)
    sendMore()
  }

  func receivedEnd() {
    body.end()
    if !isAnswered { connection.touch(EgressLimits.firstByte) }
    sendMore()
  }

  func flush() { upstream?.flush() }

  /// Sends what there is of the body, as fast as the server takes it.
  private func sendMore() {
    guard let upstream, upstream.takesBody, !isTunnel else { return }
    while upstream.takesBody, let piece = body.take() {
      connection.touch(isAnswered ? EgressLimits.idle : EgressLimits.firstByte)
      upstream.send(piece)
    }
    if body.isFinished { upstream.endBody() }
  }

  /// Called when the server has taken more of the body.
  func serverTook() {
    sendMore()
    flush()
    connection.advance()
  }

  // MARK: - Sending

  private func send(_ permit: EgressAccess.Permit) {
    self.permit = permit
    (held, stage) = (nil, .waiting)
    let route = EgressServers.Route(permit.project, origin: permit.url.origin)
    guard state.servers.canConnect(route) else { return load(permit) }
    attempt += 1
    // An upgrade uses a new connection, as browsers do; so does a request for which a kept one was dead.
    let kept = hasReconnected || request.isUpgrade ? nil : state.servers.take(route)
    isOnKeptConnection = kept != nil
    if let kept { connected(kept, permit) } else { connect(route, permit) }
  }

  private func connect(_ route: EgressServers.Route, _ permit: EgressAccess.Permit) {
    let number = attempt
    do {
      try state.servers.connect(route).assumeIsolated().whenComplete { result in
        let isCurrent = self.attempt == number && !self.isOver
        switch result {
        case .success(let upstream): if isCurrent { self.connected(upstream, permit) } else { upstream.close() }
        case .failure(let error): if isCurrent { self.failed(error) }
        }
      }
    } catch {
      failed(error)
    }
  }

  private func connected(_ upstream: EgressUpstream, _ permit: EgressAccess.Permit) {
    (self.upstream, stage) = (upstream, .sent)
    noteSent(permit)
    upstream.begin(self, isHead: request.method == "HEAD", request.body) { out in
      request.write(permit, host: upstream.authority, to: &out)
    }
    sendMore()
    upstream.flush()
    // The client may have been held back until now.
    connection.advance()
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
    leaveServer()
    body.rewind()
    send(permit)
  }

  private func leaveServer() {
    let upstream = upstream
    self.upstream = nil
    upstream?.close()
  }

  // MARK: - The audit log

  /// Called before the head is sent. A request counts once, also if it is repeated.
  private func noteSent(_ permit: EgressAccess.Permit) {
    guard case .unsent = note else { return }
    let (request, needsCaller) = state.access.noteSent(permit.account, caller)
    note = .sent(request)
    if needsCaller { connection.lookUpCaller() }
  }

  /// Notes the status of the answer, once; nil if there was none.
  private func noteEnd(_ status: Int?) {
    guard case .sent(let request) = note else { return }
    note = .ended
    state.access.noteEnd(request, status: status)
  }

  // MARK: - The answer

  /// True if more of the answer can be taken.
  var takesAnswer: Bool { held.map { !$0.isExamined } ?? connection.isWritable }

  func received(_ head: HTTPHead, hasBody: Bool) {
    connection.touch()
    guard TokenRejection.isSuspect(head.status, path: request.target) else { return pass(head, hasBody: hasBody) }
    held = Held(head: head, hasBody: hasBody)
    let (bound, attempt) = (NIOLoopBound(self, eventLoop: state.eventLoop), attempt)
    state.eventLoop.scheduleTask(in: EgressLimits.examination) {
      if bound.value.attempt == attempt { bound.value.examine() }
    }
  }

  func receivedAnswer(_ piece: ByteBuffer) {
    guard held != nil else { return connection.write(piece) }
    held?.body.writeImmutableBuffer(piece)
    if let held, held.body.readableBytes >= TokenRejection.maxBody { examine() }
  }

  /// Called when the server's connection has nothing more for now.
  func flushAnswer() { if isAnswered { connection.flush() } }

  /// The connection to the server is free or closed already.
  func receivedAnswerEnd() {
    upstream = nil
    guard held != nil else { return finish() }
    held?.isComplete = true
    examine()
  }

  /// Called when the client has taken more of the answer.
  func resume() { upstream?.advance() }

  /// Decides once whether a refusal is about the token, which may then be replaced.
  private func examine() {
    guard let held, !held.isExamined, let permit, !isOver else { return }
    self.held?.isExamined = true
    let rejection = TokenRejection(
      status: held.head.status, path: request.target, challenge: held.head.values(.wwwAuthenticate),
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
    pass(held.head, hasBody: held.hasBody)
    if held.body.readableBytes > 0 { connection.write(held.body) }
    if held.isComplete { return finish() }
    connection.flush()
    resume()
  }

  private func pass(_ head: HTTPHead, hasBody: Bool) {
    guard let permit else { return }
    stage = .answered
    body.release()
    noteEnd(head.status)
    // A 204 has none (RFC 9110, section 8.6).
    let length = head.status == 204 ? nil : head.fields.first { $0.known == .contentLength }?.value
    connection.beginAnswer(isChunked: hasBody && length == nil) { out in
      writeAnswer(head, permit, to: &out)
      guard let length else { return }
      out.writeStaticString("content-length: ")
      out.writeString(head.text(length))
      out.writeLineEnd()
    }
  }

  /// Writes the status line and the fields.
  private func writeAnswer(_ head: HTTPHead, _ permit: EgressAccess.Permit, to out: inout ByteBuffer) {
    out.writeStaticString("HTTP/1.1 ")
    head.withBytes { bytes in
      out.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[head.first]))
      out.writeInteger(UInt8(ascii: " "))
      out.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[head.second]))
    }
    out.writeLineEnd()
    let (project, url) = (permit.project, permit.url)
    APIHeaders.writeAnswer(head, to: &out) {
      ClientURL(
        project: project.origin, api: project.apiOrigin, basePath: project.basePath,
        request: (url.origin, url.target), host: request.host)
    }
  }

  private func finish() {
    guard !isOver else { return }
    if isTunnel {
      end()
      return connection.closeTunnel()
    }
    end()
    connection.endAnswer()
  }

  // MARK: - Upgrades

  /// Called when the server has switched protocols.
  ///
  /// - Returns: false if that was not asked for.
  func upgraded(_ head: HTTPHead) -> Bool {
    guard let permit else { return false }
    guard request.isUpgrade else {
      fail(EgressProblem(AgentError(.offline, account: permit.account)))
      return false
    }
    noteEnd(head.status)
    stage = .tunnel
    body.release()
    connection.beginTunnel { out in
      writeAnswer(head, permit, to: &out)
      out.writeStaticString("upgrade: websocket\r\nconnection: Upgrade\r\n\r\n")
    }
    return true
  }

  /// Called when the client has ended a tunnel: the server gets what was sent.
  func endTunnel() {
    let upstream = upstream
    self.upstream = nil
    end()
    upstream?.closeTunnel()
  }

  // MARK: - Failures

  /// Called when the request could not be sent, or its answer has ended early. The server's connection is
  /// closed.
  func failed(_ error: any Error) {
    guard !isOver, let permit else { return }
    upstream = nil
    switch stage {
    case .tunnel: finish()
    // The client must notice that the answer is not complete.
    case .answered: connection.cutOff("the server ended its answer early")
    case .waiting, .sent, .over:
      if mayReconnect(after: error) {
        hasReconnected = true
        resend(permit)
      } else {
        fail(Self.problem(of: error, permit))
      }
    }
  }

  private static func problem(of error: any Error, _ permit: EgressAccess.Permit) -> EgressProblem {
    let host = permit.url.origin.firstRange(of: "://").map { String(permit.url.origin[$0.upperBound...]) }
    // The words for an answer that is no HTTP are those for the auth server's.
    let known = AuthError.transport(
      error is HTTPFault ? HTTPParserError.unknown : error, host: host ?? permit.url.origin,
      within: .nanoseconds(EgressLimits.connect.nanoseconds),
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
  private func mayReconnect(after error: any Error) -> Bool {
    !hasReconnected && held == nil && body.canReplay && request.isIdempotent && isOnKeptConnection
      && (error is ChannelError || error is IOError)
  }

  /// Answers with a problem, before the server's answer has begun.
  func fail(_ problem: EgressProblem) {
    guard !isOver else { return }
    var problem = problem
    if case .sent = stage, !request.isIdempotent { problem.addUnknownOutcome() }
    end()
    connection.refuse(problem)
  }

  /// Ends the exchange: with an error, or by the end of the connection if the answer has begun.
  func abort(_ error: AgentError, _ reason: String) {
    if isAnswered { connection.cutOff(reason) } else { fail(EgressProblem(error)) }
  }

  /// Ends the exchange because its connection has ended.
  func cancel() { if !isOver { end() } }

  private func end() {
    stage = .over
    // Ends the question to a person, if the request is held for an answer.
    work?.cancel()
    noteEnd(held?.head.status)
    held = nil
    leaveServer()
  }
}

extension EgressRequest {
  /// RFC 9110, section 9.2.2.
  fileprivate var isIdempotent: Bool { ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(method) }
}
