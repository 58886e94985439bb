import NIOCore
import NIOSSL
import SystemSupport

/// A connection to a server, which serves one exchange after the other. Bound to the event loop.
///
/// While no exchange uses it, the next read is under way, so that the server's end is noticed.
final class EgressUpstream: EgressPeer {
  private enum Phase {
    /// Waits for an exchange.
    case free
    /// The answer has not begun.
    case head
    case body
    case closed
  }

  let route: EgressServers.Route
  /// The `Host` header: host and port.
  let authority: String
  /// When a kept connection must not be used any more.
  private(set) var usableUntil = BootTime(nanoseconds: 0)
  private let servers: EgressServers
  private let generation: Int
  private var phase = Phase.free
  private var exchange: EgressExchange?
  private var isHead = false
  private var isRequestSent = false
  /// How long the connection can be kept after the current answer; nil if it cannot.
  private var keptFor: TimeAmount?
  /// Why nothing more arrives.
  private var ending: (any Error)?

  private init(_ route: EgressServers.Route, _ servers: EgressServers) {
    (self.route, self.servers, generation) = (route, servers, servers.generation)
    authority = String(route.origin.dropFirst(route.isSecure ? "https://".count : "http://".count))
    super.init(servers.turns)
  }

  /// Adds the handler of HTTP/1.1 to a channel that is connected, and stops its automatic reads.
  static func add(to channel: any Channel, _ route: EgressServers.Route, _ servers: EgressServers) throws
    -> EgressUpstream
  {
    let upstream = EgressUpstream(route, servers)
    try channel.syncOptions?.setOption(.autoRead, value: false)
    // An answer that the client has not taken yet outlives the server's end. With TLS, the end is not seen here.
    try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: !route.isSecure)
    try channel.pipeline.syncOperations.addHandler(upstream)
    guard channel.isActive else { throw ChannelError.eof }
    return upstream
  }

  // MARK: - The request

  /// Begins an exchange with the head that `write` writes. A call of `flush` must follow.
  func begin(_ exchange: EgressExchange, isHead: Bool, _ framing: HTTPFraming, _ write: (inout ByteBuffer) -> Void) {
    (self.exchange, self.isHead, phase) = (exchange, isHead, .head)
    (isRequestSent, isChunked) = (framing == .none, framing == .chunked)
    send(write)
    read()
  }

  /// True if another piece of the body can be written.
  var takesBody: Bool { !isRequestSent && isWritable }

  func endBody() {
    isRequestSent = true
    sendEnd()
  }

  override func taken() { if takesBody { exchange?.serverTook() } }

  // MARK: - The answer

  override func stepped() { exchange?.flushAnswer() }

  override var wantsMore: Bool {
    if case .body = phase, exchange?.takesAnswer == false { return false }
    return ending == nil || reader.isPaused
  }

  override func step() -> Bool {
    switch phase {
    case .free:
      // An answer that nobody has asked for.
      if unread.readableBytes > 0 || ending != nil { close() }
      return false
    case .head: return takeHead()
    case .body: return takeBody()
    case .closed: return false
    }
  }

  private func takeHead() -> Bool {
    do {
      if let head = try HTTPHead.take(.answer, from: &unread) { return try begin(head) }
      if let ending { giveUp(ending) }
    } catch {
      giveUp(error)
    }
    return false
  }

  /// Returns false if the connection has ended.
  private func begin(_ head: HTTPHead) throws(HTTPFault) -> Bool {
    let status = head.status
    if status == 101 {
      guard exchange?.upgraded(head) == true else { return false }
      (phase, reader, isRequestSent, isChunked) = (.body, HTTPBodyReader(.untilClose), false, false)
      keptFor = nil
      // Bytes that the client has sent meanwhile belong to the tunnel.
      exchange?.serverTook()
      return true
    }
    // Interim answers are for the connection (RFC 9110, section 15.2).
    guard status >= 200 else { return true }
    let framing = try head.framing(isHead: isHead)
    (phase, reader) = (.body, HTTPBodyReader(framing))
    keptFor = framing == .untilClose ? nil : head.keptFor
    exchange?.received(head, hasBody: framing != .none)
    return true
  }

  private func takeBody() -> Bool {
    guard let exchange else { return false }
    guard !reader.isEnded else {
      ended(exchange)
      return false
    }
    guard exchange.takesAnswer else { return false }
    do {
      let piece = try reader.take(from: &unread)
      guard piece.readableBytes == 0 else {
        exchange.receivedAnswer(piece)
        return !reader.isPaused
      }
    } catch {
      giveUp(error)
      return false
    }
    if reader.isEnded { return true }
    guard let ending else { return false }
    if reader.endsWithConnection, ending as? ChannelError == .eof { ended(exchange) } else { giveUp(ending) }
    return false
  }

  /// Frees the connection after an answer, if both sides permit that: more bytes, or the server's end, would not
  /// belong to another answer.
  private func ended(_ exchange: EgressExchange) {
    self.exchange = nil
    if let keptFor, keptFor > .zero, isRequestSent, ending == nil, unread.readableBytes == 0,
      generation == servers.generation
    {
      (phase, usableUntil) = (.free, servers.clock.moment(in: keptFor))
      servers.keep(self)
    } else {
      close()
    }
    exchange.receivedAnswerEnd()
  }

  // MARK: - Ends

  override func closed() { end(ChannelError.eof) }

  override func inputClosed() { end(ChannelError.eof) }

  override func failed(_ error: any Error) {
    // Many servers end TLS without close_notify. The framing of HTTP tells whether an answer is complete.
    let isUnclean = (error as? NIOSSLError).map { $0 == .uncleanShutdown } ?? false
    end(isUnclean ? ChannelError.inputClosed : error)
  }

  /// Notes the end, behind what has arrived.
  private func end(_ error: any Error) {
    if ending == nil { ending = error }
    advance()
  }

  private func giveUp(_ error: any Error) {
    let exchange = exchange
    close()
    exchange?.failed(error as? ChannelError == .inputClosed ? ChannelError.eof : error)
  }

  /// Closes the connection. No exchange hears of it.
  func close() {
    guard let context else { return }
    leave()
    context.close(promise: nil)
  }

  /// Closes the connection when what was sent is written. No exchange hears of it.
  func closeTunnel() {
    closeWhenWritten()
    leave()
  }

  private func leave() {
    (phase, exchange) = (.closed, nil)
    forget()
    servers.remove(self)
  }
}

extension HTTPHead {
  /// The framing of an answer (RFC 9112, section 6.3).
  ///
  /// - Throws: for what no client would understand: a transfer coding that would have to be undone, and a length
  ///   that no body has, or that could be another one.
  fileprivate func framing(isHead: Bool) throws(HTTPFault) -> HTTPFraming {
    var framing = HTTPFraming.untilClose
    for field in fields {
      switch field.known {
      case .contentLength:
        guard framing == .untilClose, let length = length(field.value) else { throw .syntax }
        framing = .length(length)
      case .transferEncoding:
        guard framing == .untilClose, !isOld, matches(field.value, "chunked") else { throw .syntax }
        framing = .chunked
      default: break
      }
    }
    return isHead || status == 204 || status == 304 ? .none : framing
  }

  /// How long the server keeps the connection, less a second for the way there, if it says so (`Keep-Alive:
  /// timeout=5`), and at most as long as the proxy does; nil if it closes it.
  var keptFor: TimeAmount? {
    guard !isOld, !(contains(.connection) && list(.connection).contains("close")) else { return nil }
    let keptConnection = EgressLimits.keptConnection
    guard contains(.keepAlive) else { return keptConnection }
    let limits = list(.keepAlive).compactMap { parameter -> Int64? in
      let parts = parameter.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0] == "timeout" ? Int64(parts[1]) : nil
    }
    return limits.min().map { min(.seconds(max(1, min($0, 3600)) - 1), keptConnection) } ?? keptConnection
  }
}
