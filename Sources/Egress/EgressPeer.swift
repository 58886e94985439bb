import NIOCore

/// A connection to a client or a server: the bytes that have arrived and are not taken yet, and those on their
/// way, of which small pieces are joined and what belongs together takes one write. Reads only what can be
/// passed on. Bound to its event loop.
class EgressPeer: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// Half of the maximum number of writes under way: each takes memory of its own, which the watermarks do not
  /// count. Only small pieces reach it before the watermark.
  private static let maxWrites = 32
  /// Enough for the heads of most messages.
  private static let usualHead = 2048

  private let turns: Turns
  /// Nil before the handler is added, and when the connection has ended.
  private(set) final var context: ChannelHandlerContext?

  /// Bytes that have arrived and are not parsed yet.
  final var unread = ByteBuffer()
  final var reader = HTTPBodyReader(.none)
  private var isAdvancing = false
  private var isReading = false

  /// True if the body on its way is written in chunks.
  final var isChunked = false
  private var joined = ByteBuffer()
  private var isFlushed = true
  private var isChannelWritable = true
  /// Writes since the last one whose end is awaited.
  private var writes = 0
  private var isAwaiting = false

  init(_ turns: Turns) { self.turns = turns }

  // MARK: - For the client's and the server's side

  /// Does one thing with what has arrived. Returns false if nothing can be done.
  func step() -> Bool { false }
  /// True if what arrives next can be taken.
  var wantsMore: Bool { false }
  /// Called after the last step, to write what the steps have passed on.
  func stepped() {}
  /// Called when the peer has taken some of what was written, and more can be.
  func taken() {}
  /// Called when the peer sends nothing more.
  func inputClosed() {}
  /// Called when the connection is closed.
  func closed() {}
  func failed(_ error: any Error) {}

  // MARK: - Receiving

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  final func channelActive(context: ChannelHandlerContext) { read() }

  final func channelRead(context: ChannelHandlerContext, data: NIOAny) { unread.append(unwrapInboundIn(data)) }

  final func channelReadComplete(context: ChannelHandlerContext) {
    isReading = false
    advance()
  }

  final func channelInactive(context: ChannelHandlerContext) { closed() }

  final func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { inputClosed() }
  }

  final func errorCaught(context: ChannelHandlerContext, error: any Error) { failed(error) }

  /// Handles what has arrived as far as possible, and reads if more can be taken.
  final func advance() {
    guard !isAdvancing else { return }
    isAdvancing = true
    while step() {}
    isAdvancing = false
    if unread.readableBytes == 0 { unread = ByteBuffer() }
    stepped()
    guard wantsMore else { return }
    if reader.isPaused { turns.wait(self) { self.advance() } } else { read() }
  }

  final func read() {
    guard !isReading, let context else { return }
    isReading = true
    context.read()
  }

  // MARK: - Sending

  /// True if the peer has taken enough of what was written.
  final var isWritable: Bool { context != nil && isChannelWritable && !(isAwaiting && writes >= Self.maxWrites) }

  /// Appends what `body` writes. A call of `flush` must follow.
  final func send(_ body: (inout ByteBuffer) -> Void) {
    if joined.capacity == 0 { joined.reserveCapacity(Self.usualHead) }
    body(&joined)
    isFlushed = false
  }

  /// Appends a piece of a body. A call of `flush` must follow.
  final func send(_ piece: ByteBuffer) {
    if isChunked { send { $0.writeChunkSize(piece.readableBytes) } }
    isFlushed = false
    if !joined.join(piece) {
      passJoined()
      pass(piece)
    }
    if isChunked { send { $0.writeLineEnd() } }
  }

  /// Appends the end of a body. A call of `flush` must follow.
  final func sendEnd() { if isChunked { send { $0.writeStaticString("0\r\n\r\n") } } }

  final func flush() {
    guard !isFlushed else { return }
    isFlushed = true
    passJoined()
    context?.flush()
  }

  /// Closes the connection when everything is written.
  final func closeWhenWritten() {
    guard let context else { return }
    passJoined()
    // An empty write completes after everything before it.
    context.writeAndFlush(NIOAny(ByteBuffer())).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
  }

  /// Lets go of the connection, and of everything that has arrived or was not flushed.
  final func forget() { (context, unread, joined) = (nil, ByteBuffer(), ByteBuffer()) }

  final func channelWritabilityChanged(context: ChannelHandlerContext) {
    isChannelWritable = context.channel.isWritable
    if isWritable { taken() }
  }

  private func passJoined() {
    guard joined.readableBytes > 0 else { return }
    pass(joined)
    // Not kept for the next message: it may contain a token, and the memory is overwritten when it is freed.
    joined = ByteBuffer()
  }

  private func pass(_ piece: ByteBuffer) {
    guard let context else { return }
    writes += 1
    guard writes >= Self.maxWrites, !isAwaiting else { return context.write(NIOAny(piece), promise: nil) }
    (writes, isAwaiting) = (0, true)
    context.write(NIOAny(piece)).assumeIsolated().whenComplete { _ in
      self.isAwaiting = false
      if self.isWritable { self.taken() }
    }
  }
}

extension ByteBuffer {
  /// Appends `piece`, unless one of both is large. Pieces of a body are joined, because each that is passed on
  /// takes time and memory of its own.
  ///
  /// - Returns: false if nothing was appended.
  mutating func join(_ piece: ByteBuffer) -> Bool {
    guard readableBytes + piece.readableBytes <= EgressLimits.joinedPiece else { return false }
    writeImmutableBuffer(piece)
    return true
  }
}
