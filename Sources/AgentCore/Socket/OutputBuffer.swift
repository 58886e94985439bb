import NIOCore

/// Collects the answers of one connection, so that many of them cost one write(2). Its memory is used again.
struct OutputBuffer {
  private var buffer = ByteBuffer()

  /// A message of this size is not copied: it goes out by itself.
  private static let large = 16 * 1024
  /// Memory that is kept: what one piece and one answer more take.
  private static let kept = 2 * SocketBounds.writePiece

  var count: Int { buffer.readableBytes }

  /// Lets `body` write whole lines; returns what it says.
  mutating func write(_ body: (inout ByteBuffer) -> Bool) -> Bool { body(&buffer) }

  /// Adds a message and its newline.
  mutating func append(_ message: ByteBuffer, _ context: ChannelHandlerContext) {
    if message.readableBytes >= Self.large {
      flush(context, promise: nil, flushes: false)
      context.write(NIOAny(message), promise: nil)
    } else {
      buffer.writeImmutableBuffer(message)
    }
    buffer.writeInteger(UInt8(ascii: "\n"))
  }

  /// Hands everything to the kernel, if there is anything.
  mutating func flush(_ context: ChannelHandlerContext) {
    if buffer.readableBytes > 0 { flush(context, promise: nil) }
  }

  /// Hands everything to the kernel; `promise` ends when it and all before it was taken.
  mutating func flush(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?, flushes: Bool = true) {
    context.write(NIOAny(buffer), promise: promise)
    if flushes { context.flush() }
    if buffer.capacity > Self.kept {
      buffer = ByteBuffer()
    } else {
      // Keeps the memory if the kernel took everything, else begins a new one of the same size.
      let used = buffer.writerIndex
      buffer.clear()
      wipe(used)
    }
  }

  /// Overwrites what was sent: a connection may stay open for days after its last answer, and no token may (VA-4).
  /// Called after `clear`, when nobody shares the memory.
  private mutating func wipe(_ count: Int) {
    buffer.withVeryUnsafeMutableBytes { memory in
      _ = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(count)).initializeMemory(as: UInt8.self, repeating: 0)
    }
  }
}
