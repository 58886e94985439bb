import NIOCore

/// Writes what one connection sends: collected, then handed to the kernel in one piece. Bound to the event loop.
final class AnswerWriter {
  private var output = OutputBuffer()
  private var unsentNotifications = 0

  /// Lets `body` write whole lines behind what is collected; returns what it says.
  func write<Result>(_ body: (inout ByteBuffer) -> Result) -> Result { output.write(body) }

  /// Adds a message and its newline.
  func send(_ message: ByteBuffer, _ context: ChannelHandlerContext) {
    guard let large = output.append(message) else { return }
    context.write(NIOAny(output.take()), promise: nil)
    context.write(NIOAny(large), promise: nil)
    output.endLine()
  }

  /// Hands on what is collected, where it is so much already.
  func flushPiece(_ context: ChannelHandlerContext) {
    if output.count >= SocketBounds.writePiece { flush(context) }
  }

  func flush(_ context: ChannelHandlerContext) {
    if output.count > 0 { flush(context, nil) }
  }

  /// Hands everything to the kernel; `promise` ends when it and all before it was taken.
  func flush(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    var piece = output.take()
    context.write(NIOAny(piece), promise: promise)
    context.flush()
    output.giveBack(&piece)
  }

  /// Sends a notification at once; false where the client has let too many lie.
  func notify(_ message: ByteBuffer, _ context: ChannelHandlerContext) -> Bool {
    let bytes = message.readableBytes
    unsentNotifications += bytes
    guard unsentNotifications <= SocketBounds.unsentNotifications else { return false }
    send(message, context)
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenSuccess { self.unsentNotifications -= bytes }
    flush(context, sent)
    return true
  }
}
