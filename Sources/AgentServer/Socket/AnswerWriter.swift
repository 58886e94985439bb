import NIOCore

/// Writes what one connection sends: collected, then handed to the kernel in one piece. Bound to the event loop.
final class AnswerWriter {
  private var output = OutputBuffer()

  /// Lets `body` write whole lines after what is collected; returns its result.
  func write<Result>(_ body: (inout ByteBuffer) -> Result) -> Result { output.write(body) }

  /// Adds a message and its newline.
  func send(_ message: ByteBuffer, _ context: ChannelHandlerContext) {
    guard let large = output.append(message) else { return }
    context.write(NIOAny(output.take()), promise: nil)
    context.write(NIOAny(large), promise: nil)
    output.endLine()
  }

  /// Flushes once a piece is full.
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
}
