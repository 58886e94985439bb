import NIOCore

/// What is on its way to a peer: small pieces are joined, and what belongs together takes one write. Bound to
/// the event loop of its channel.
final class Outlet {
  private let context: ChannelHandlerContext
  /// Called when the peer has taken some of what was written.
  private let taken: () -> Void
  private var joined = ByteBuffer()
  private var isFlushed = true
  /// Writes since the last one whose end is awaited.
  private var writes = 0
  private var isAwaiting = false

  /// Half of the maximum number of writes under way: each takes memory of its own, which the watermarks do not
  /// count. Only small pieces reach it before the watermark.
  private static let maxWrites = 32
  /// Enough for the heads of most messages.
  private static let usualHead = 2048

  init(_ context: ChannelHandlerContext, taken: @escaping () -> Void) { (self.context, self.taken) = (context, taken) }

  /// True if the peer has taken enough of what was written.
  var isWritable: Bool { !(isAwaiting && writes >= Self.maxWrites) && context.channel.isWritable }

  /// Appends what `body` writes.
  func write(_ body: (inout ByteBuffer) -> Void) {
    if joined.capacity == 0 { joined.reserveCapacity(Self.usualHead) }
    body(&joined)
    isFlushed = false
  }

  /// Appends a piece of a body.
  ///
  /// - Parameter asChunk: True for the chunked transfer coding.
  func write(_ piece: ByteBuffer, asChunk: Bool) {
    if asChunk { write { $0.writeChunkSize(piece.readableBytes) } }
    isFlushed = false
    if !joined.join(piece) {
      passJoined()
      pass(piece)
    }
    if asChunk { write { $0.writeLineEnd() } }
  }

  func flush() {
    guard !isFlushed else { return }
    isFlushed = true
    passJoined()
    context.flush()
  }

  /// Closes the channel when everything is written.
  func close() {
    passJoined()
    let context = context
    // An empty write completes after everything before it.
    context.writeAndFlush(NIOAny(ByteBuffer())).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
  }

  private func passJoined() {
    guard joined.readableBytes > 0 else { return }
    pass(joined)
    // Not kept for the next message: it may contain a token, and the memory is overwritten when it is freed.
    joined = ByteBuffer()
  }

  private func pass(_ piece: ByteBuffer) {
    writes += 1
    guard writes >= Self.maxWrites, !isAwaiting else { return context.write(NIOAny(piece), promise: nil) }
    (writes, isAwaiting) = (0, true)
    context.write(NIOAny(piece)).assumeIsolated().whenComplete { _ in
      self.isAwaiting = false
      self.taken()
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
