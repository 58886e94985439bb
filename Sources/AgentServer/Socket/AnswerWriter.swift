import NIOCore

/// Collects the answers of one connection and passes them to the kernel in one piece, so that many
/// answers take one write(2). Its memory is reused. Bound to the event loop.
///
/// The buffer is not accessed during a write to the channel: when a write fails, SwiftNIO reads from
/// within it, and that read enters this buffer again.
final class AnswerWriter {
  private var buffer = ByteBuffer()

  /// Minimum size of a message that is sent by itself instead of being copied, in bytes.
  private static let large = 16 * 1024
  /// Maximum capacity that is kept for reuse, in bytes: one piece and one more answer.
  private static let kept = 2 * SocketLimits.writePiece

  /// Lets `body` append complete lines, and returns its result.
  func write<Result>(_ body: (inout ByteBuffer) -> Result) -> Result { body(&buffer) }

  /// Adds a message and its newline.
  func send(_ message: ByteBuffer, _ context: ChannelHandlerContext) {
    if message.readableBytes < Self.large {
      buffer.writeImmutableBuffer(message)
    } else {
      context.write(NIOAny(take()), promise: nil)
      context.write(NIOAny(message), promise: nil)
    }
    buffer.writeInteger(UInt8(ascii: "\n"))
  }

  /// Flushes if a full `SocketLimits.writePiece` is collected.
  func flushPiece(_ context: ChannelHandlerContext) {
    if buffer.readableBytes >= SocketLimits.writePiece { flush(context) }
  }

  func flush(_ context: ChannelHandlerContext) {
    if buffer.readableBytes > 0 { flush(context, nil) }
  }

  /// Writes all output. `promise` completes when the kernel has accepted this output and all
  /// earlier output.
  func flush(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    var piece = take()
    context.write(NIOAny(piece), promise: promise)
    context.flush()
    giveBack(&piece)
  }

  /// Removes and returns all collected bytes.
  private func take() -> ByteBuffer {
    let piece = buffer
    buffer = ByteBuffer()
    return piece
  }

  /// Reuses the memory of a written piece, unless new answers have been collected since.
  private func giveBack(_ piece: inout ByteBuffer) {
    guard piece.capacity <= Self.kept, buffer.capacity == 0 else { return }
    // `clear` keeps the memory if the channel no longer refers to it, and allocates the same size
    // otherwise.
    let used = piece.writerIndex
    piece.clear()
    swap(&buffer, &piece)
    wipe(used)
  }

  /// Overwrites sent bytes, so that no token stays in memory while a connection is open for days
  /// after its last answer. Called after `clear`, when the memory is not shared.
  private func wipe(_ count: Int) {
    buffer.withVeryUnsafeMutableBytes { memory in
      _ = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(count)).initializeMemory(as: UInt8.self, repeating: 0)
    }
  }
}
