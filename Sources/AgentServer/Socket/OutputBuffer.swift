import NIOCore

/// Collects the answers of one connection, so that many answers take one write(2). Its memory is
/// reused.
///
/// The buffer does not write to the channel itself: when a write fails, SwiftNIO reads from within
/// it, and that read enters this buffer again.
struct OutputBuffer {
  private var buffer = ByteBuffer()

  /// Minimum size of a message that is sent by itself instead of being copied, in bytes.
  private static let large = 16 * 1024
  /// Maximum capacity that is kept for reuse, in bytes: one piece and one more answer.
  private static let kept = 2 * SocketLimits.writePiece

  var count: Int { buffer.readableBytes }

  /// Lets `body` append complete lines, and returns its result.
  mutating func write<Result>(_ body: (inout ByteBuffer) -> Result) -> Result { body(&buffer) }

  /// Adds a message and its newline. A message that is too large to be copied is returned instead;
  /// it must be sent after the buffer's content.
  mutating func append(_ message: ByteBuffer) -> ByteBuffer? {
    if message.readableBytes >= Self.large { return message }
    buffer.writeImmutableBuffer(message)
    endLine()
    return nil
  }

  mutating func endLine() { buffer.writeInteger(UInt8(ascii: "\n")) }

  /// Removes and returns all collected bytes.
  mutating func take() -> ByteBuffer {
    let piece = buffer
    buffer = ByteBuffer()
    return piece
  }

  /// Reuses the memory of a written piece, unless new answers have been collected since.
  mutating func giveBack(_ piece: inout ByteBuffer) {
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
  private mutating func wipe(_ count: Int) {
    buffer.withVeryUnsafeMutableBytes { memory in
      _ = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(count)).initializeMemory(as: UInt8.self, repeating: 0)
    }
  }
}

/// Writes the output of one connection: collects it, and passes it to the kernel in one piece.
/// Bound to the event loop.
final class AnswerWriter {
  private var output = OutputBuffer()

  /// Lets `body` append complete lines, and returns its result.
  func write<Result>(_ body: (inout ByteBuffer) -> Result) -> Result { output.write(body) }

  /// Adds a message and its newline.
  func send(_ message: ByteBuffer, _ context: ChannelHandlerContext) {
    guard let large = output.append(message) else { return }
    context.write(NIOAny(output.take()), promise: nil)
    context.write(NIOAny(large), promise: nil)
    output.endLine()
  }

  /// Flushes if a full `SocketLimits.writePiece` is collected.
  func flushPiece(_ context: ChannelHandlerContext) {
    if output.count >= SocketLimits.writePiece { flush(context) }
  }

  func flush(_ context: ChannelHandlerContext) {
    if output.count > 0 { flush(context, nil) }
  }

  /// Writes all output. `promise` completes when the kernel has accepted this output and all
  /// earlier output.
  func flush(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    var piece = output.take()
    context.write(NIOAny(piece), promise: promise)
    context.flush()
    output.giveBack(&piece)
  }
}
