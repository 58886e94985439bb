import AccessControl
import AgentProtocol
import Logging
import NIOCore
import SystemSupport

/// One connection of a client, which sends requests one after the other. Bound to its event loop.
final class EgressConnection: EgressPeer {
  /// How the requests of a connection are identified.
  enum Origin {
    /// By the process at the other end of the Unix socket.
    case process(EgressAccess.Caller)
    /// By the placeholder token that each request carries.
    case grant((HTTPHead) throws(EgressProblem) -> (EgressRequest, EgressAccess.Caller))
  }

  private enum Phase {
    /// Between two requests, or in the head of one.
    case head
    /// In the body of the current request.
    case body
    /// The request has arrived; its answer has not ended.
    case answering
    /// The answer has ended. A client that reads no answers gets no further ones.
    case settling
    /// The connection ends; what still arrives of a body is dropped. If it were closed at once, the client
    /// might not see the answer.
    case dropping
    /// The connection ends when the answer is written.
    case closing
    /// Both sides pass bytes, after a 101.
    case tunnel
    case ended
  }

  let state: EgressState
  private let origin: Origin
  private let channel: any Channel
  private var phase = Phase.head
  private var exchange: EgressExchange?
  /// True if the client has closed its sending side.
  private var isInputClosed = false
  /// True if the current request is HEAD, whose answer has no body.
  private var isHead = false
  private var keepsAlive = true
  private(set) var deadline: BootTime
  /// The process that the connection counts for: for a grant, the one that made it. Nil before the first
  /// request with a valid placeholder token.
  private(set) var process: Int32?

  private init(_ state: EgressState, _ origin: Origin, _ channel: any Channel) {
    (self.state, self.origin, self.channel) = (state, origin, channel)
    deadline = state.moment(in: EgressLimits.betweenRequests)
    super.init(state.servers.turns)
    if case .process(let caller) = origin { process = caller.connection.pid }
  }

  /// Adds the handler of a connection to `channel`, which does not read automatically. Call on the event loop.
  static func add(to channel: any Channel, _ state: EgressState, _ origin: Origin) throws {
    try channel.pipeline.syncOperations.addHandler(EgressConnection(state, origin, channel))
  }

  /// The permit of the current request or tunnel; nil until it is permitted.
  var permit: EgressAccess.Permit? { exchange?.permit }
  /// The grant of the current request.
  var grant: String? { exchange?.caller.grant }

  // MARK: - Channel lifecycle

  override func handlerAdded(context: ChannelHandlerContext) {
    super.handlerAdded(context: context)
    state.add(self)
    touch(EgressLimits.betweenRequests)
    if context.channel.isActive { read() }
  }

  override func closed() {
    if case .ended = phase { return }
    phase = .ended
    let exchange = exchange
    self.exchange = nil
    forget()
    exchange?.cancel()
    if case .process(let caller) = origin { state.access.closed(caller.connection.id) }
    state.remove(self)
  }

  override func failed(_ error: any Error) { context?.close(promise: nil) }

  // MARK: - Reading

  /// A client that has sent everything gets its answers (`nc -N`).
  override func inputClosed() {
    isInputClosed = true
    advance()
  }

  override func stepped() { exchange?.flush() }

  override var wantsMore: Bool {
    switch phase {
    case .head, .dropping: true
    case .body, .tunnel: exchange?.hasRoom ?? false
    // One read ahead, which also tells when the client leaves.
    case .answering: unread.readableBytes == 0
    case .settling, .closing, .ended: false
    }
  }

  override func step() -> Bool {
    switch phase {
    case .head: takeHead()
    case .body: takeBody()
    case .tunnel: takeTunnel()
    case .dropping: drop()
    case .answering, .settling, .closing, .ended: false
    }
  }

  private func takeHead() -> Bool {
    guard unread.readableBytes > 0 else {
      if isInputClosed { closeAfterAnswer() }
      return false
    }
    do throws(HTTPFault) {
      if let head = try HTTPHead.take(.request, from: &unread) {
        begin(head)
        return true
      }
      if isInputClosed { throw HTTPFault.syntax }
    } catch {
      isHead = HTTPHead.beginsWithHead(unread)
      refuse(EgressProblem(error))
    }
    return false
  }

  private func takeBody() -> Bool {
    guard let exchange, exchange.hasRoom else { return false }
    do throws(HTTPFault) {
      let piece = try reader.take(from: &unread)
      if reader.isEnded { phase = .answering } else if piece.readableBytes == 0, isInputClosed { throw .syntax }
      if piece.readableBytes > 0 { exchange.received(piece) }
      if reader.isEnded { exchange.receivedEnd() }
      return piece.readableBytes > 0 && !reader.isPaused
    } catch {
      // The server may be waiting for the rest.
      phase = .answering
      if exchange.isAnswered {
        cutOff("the body is not valid")
      } else {
        exchange.cancel()
        refuse(EgressProblem(error))
      }
      return false
    }
  }

  private func takeTunnel() -> Bool {
    guard let exchange else { return false }
    guard unread.readableBytes > 0 else {
      if isInputClosed { endTunnel(exchange) }
      return false
    }
    guard exchange.hasRoom else { return false }
    let piece = unread
    unread = ByteBuffer()
    touch()
    exchange.received(piece)
    return true
  }

  private func endTunnel(_ exchange: EgressExchange) {
    exchange.endTunnel()
    closed()
    channel.close(promise: nil)
  }

  private func drop() -> Bool {
    let piece = try? reader.take(from: &unread)
    guard let piece, !reader.isEnded, !isInputClosed else {
      closeAfterAnswer()
      return false
    }
    return piece.readableBytes > 0 && !reader.isPaused
  }

  // MARK: - Requests

  private func begin(_ head: HTTPHead) {
    isHead = head.method == "HEAD"
    do throws(EgressProblem) {
      let (request, caller) = try identified(head)
      keepsAlive = request.keepsAlive && !state.isDraining
      touch(EgressLimits.firstByte)
      reader = HTTPBodyReader(request.body)
      phase = reader.isEnded ? .answering : .body
      let exchange = EgressExchange(request, caller, self)
      self.exchange = exchange
      exchange.begin()
    } catch {
      let fields = EgressFields(head)
      let framing = try? fields.framing()
      reader = HTTPBodyReader(framing ?? .none)
      // A body whose length is unknown cannot be dropped (RFC 9112, section 6.3).
      phase = reader.isEnded ? .answering : .body
      keepsAlive =
        framing != nil && !head.list(.connection).contains("close") && !head.contains(.upgrade) && !state.isDraining
      refuse(error)
    }
  }

  private func identified(_ head: HTTPHead) throws(EgressProblem) -> (EgressRequest, EgressAccess.Caller) {
    switch origin {
    case .process(let caller): return (try EgressRequest(checked: head), caller)
    case .grant(let identify):
      let (request, caller) = try identify(head)
      try state.count(self, for: caller.connection.pid)
      process = caller.connection.pid
      return (request, caller)
    }
  }

  /// Begins the lookup of the process at the other end, once.
  func lookUpCaller() {
    guard case .process(let caller) = origin else { return }
    state.access.lookUp(caller, PeerProcess(of: channel, now: state.access.clock.now))
  }

  // MARK: - Answering

  /// Answers with a problem instead of sending the request on, or instead of the server's answer.
  func refuse(_ problem: EgressProblem) {
    guard context != nil else { return }
    state.access.noteRefusal(problem)
    var problem = problem
    if case .body = phase { keepsAlive = false }
    if problem.closes { keepsAlive = false }
    problem.closes = !keepsAlive
    send { problem.write(to: &$0, isHead: isHead) }
    finish()
  }

  /// Tells a client that waits with its body to send it (RFC 9110, section 10.1.1).
  func writeContinue() {
    send { $0.writeStaticString("HTTP/1.1 100 Continue\r\n\r\n") }
    flush()
  }

  /// Writes the head of a server's answer.
  ///
  /// - Parameters:
  ///   - isChunked: True if the body is written in chunks.
  ///   - write: writes everything but the fields of the connection, and the empty line.
  func beginAnswer(isChunked: Bool, _ write: (inout ByteBuffer) -> Void) {
    // A body that the server did not want is not read to its end.
    if case .body = phase { keepsAlive = false }
    self.isChunked = isChunked
    touch()
    send { out in
      write(&out)
      if isChunked { out.writeStaticString("transfer-encoding: chunked\r\n") }
      if !keepsAlive { out.writeStaticString("connection: close\r\n") }
      out.writeLineEnd()
    }
  }

  /// Writes a piece of an answer's body, or of a tunnel. A call of `flush` must follow.
  func write(_ piece: ByteBuffer) {
    touch()
    send(piece)
  }

  override func taken() {
    touch()
    if case .settling = phase { settle() } else { exchange?.resume() }
  }

  /// Ends the body of the server's answer.
  func endAnswer() {
    sendEnd()
    finish()
  }

  /// Ends the current answer, and goes on with the next request.
  private func finish() {
    exchange = nil
    isChunked = false
    flush()
    settle()
  }

  private func settle() {
    guard keepsAlive else { return closeAfterAnswer() }
    guard isWritable else {
      phase = .settling
      return touch()
    }
    touch(EgressLimits.betweenRequests)
    phase = .head
    advance()
  }

  private func closeAfterAnswer() {
    guard let context else { return }
    guard case .body = phase else {
      phase = .closing
      return closeWhenWritten()
    }
    phase = .dropping
    context.eventLoop.assumeIsolated().scheduleTask(in: EgressLimits.drop) { context.close(promise: nil) }
    advance()
  }

  // MARK: - Upgrades

  /// Writes a 101 with `write`, and passes the bytes of both sides on from then on.
  func beginTunnel(_ write: (inout ByteBuffer) -> Void) {
    (phase, isChunked) = (.tunnel, false)
    touch()
    send(write)
    flush()
  }

  /// Ends a tunnel, when what its server has sent is written.
  func closeTunnel() {
    (phase, exchange) = (.closing, nil)
    closeWhenWritten()
  }

  // MARK: - Ends

  /// Closes without an answer, or in the middle of one. The connection has ended on return.
  func cutOff(_ reason: String) {
    state.logger.debug("egress connection closed", metadata: ["reason": "\(reason)"])
    // A head and the start of a body may still wait for their flush.
    flush()
    closed()
    channel.close(promise: nil)
  }

  /// Ends the current request with an error, or closes the connection.
  func abort(_ error: AgentError, _ reason: String) {
    if let exchange { exchange.abort(error, reason) } else { cutOff(reason) }
  }

  /// Ends the current request or tunnel if the policy does not allow it any more. What takes a lookup is
  /// decided off the event loop.
  func checkUse() {
    guard let permit, !state.access.isAllowedAtOnce(permit) else { return }
    lookUpCaller()
    let (access, eventLoop, bound) = (state.access, state.eventLoop, NIOLoopBound(self, eventLoop: state.eventLoop))
    Task {
      guard await !access.isAllowed(permit) else { return }
      eventLoop.execute {
        guard bound.value.permit === permit else { return }
        bound.value.abort(.refusedByPolicy(permit.account), "the policy denies it now")
      }
    }
  }

  /// Serves no further request.
  func drain() {
    keepsAlive = false
    switch phase {
    case .head where unread.readableBytes == 0: channel.close(promise: nil)
    case .tunnel: cutOff("the agent is stopping")
    default: break
    }
  }

  /// Notes that a byte was passed on, or that another step has begun that may take `time`.
  func touch(_ time: TimeAmount = EgressLimits.idle) { deadline = state.moment(in: time) }

  func checkDeadline(_ now: BootTime) {
    if isInputClosed, LoopbackPeers.hasLeft(channel) { return cutOff("the client has left") }
    if now >= deadline { abort(AgentError(.timedOut, account: permit?.account), "no request or data in time") }
  }
}
