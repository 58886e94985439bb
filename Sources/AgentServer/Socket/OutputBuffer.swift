import NIOCore

/// Collects the answers of one connection, so that many of them cost one write(2). Its memory is used again.
///
/// It hands nothing to the channel itself: a write may fail, and SwiftNIO then reads from within it, which ends here again.
struct OutputBuffer {
  private var buffer = ByteBuffer()

  /// A message of this size is not copied: it goes out by itself.
  private static let large = 16 * 1024
  /// Memory that is kept: what one piece and one answer more take.
  private static let kept = 2 * SocketBounds.writePiece

  var count: Int { buffer.readableBytes }

  /// Lets `body` write whole lines; returns what it says.
  mutating func write<Result>(_ body: (inout ByteBuffer) -> Result) -> Result { body(&buffer) }

  /// Adds a message and its newline; returns the message where it is too large to be copied, and goes out by itself behind
  /// what was added before.
  mutating func append(_ message: ByteBuffer) -> ByteBuffer? {
    if message.readableBytes >= Self.large { return message }
    buffer.writeImmutableBuffer(message)
    endLine()
    return nil
  }

  mutating func endLine() { buffer.writeInteger(UInt8(ascii: "\n")) }

  /// Everything that is to be sent, which leaves this empty.
  mutating func take() -> ByteBuffer {
    let piece = buffer
    buffer = ByteBuffer()
    return piece
  }

  /// Takes back the memory of a piece that was handed to the kernel, unless new answers have come meanwhile.
  mutating func giveBack(_ piece: inout ByteBuffer) {
    guard piece.capacity <= Self.kept, buffer.capacity == 0 else { return }
    // Keeps the memory if the kernel took everything, else begins a new one of the same size.
    let used = piece.writerIndex
    piece.clear()
    swap(&buffer, &piece)
    wipe(used)
  }

  /// Overwrites what was sent: a connection may stay open for days after its last answer, and no token may (VA-4).
  /// Called after `clear`, when nobody shares the memory.
  private mutating func wipe(_ count: Int) {
    buffer.withVeryUnsafeMutableBytes { memory in
      _ = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(count)).initializeMemory(as: UInt8.self, repeating: 0)
    }
  }
}

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
