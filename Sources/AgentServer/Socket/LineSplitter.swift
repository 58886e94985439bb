import Glibc
import NIOCore

/// Splits a byte stream into lines. Each byte is searched once, however the stream is fragmented. A
/// line that arrives in one piece is not copied.
struct LineSplitter {
  private var pending = ByteBuffer()
  /// Leading bytes of `pending` that are known to contain no newline.
  private var searched = 0
  private var isSkipping = false

  /// Bytes received of the incomplete line, once `next` has returned nil.
  var unfinished: Int { pending.readableBytes }

  mutating func append(_ bytes: ByteBuffer) {
    guard pending.readableBytes > 0 else {
      pending = bytes
      return
    }
    if pending.readerIndex > pending.readableBytes { dropTaken(room: bytes.readableBytes) }
    pending.writeImmutableBuffer(bytes)
  }

  /// Drops lines that were already returned, so that growing the buffer does not copy them.
  private mutating func dropTaken(room: Int) {
    var rest = ByteBuffer()
    rest.reserveCapacity(pending.readableBytes + room)
    rest.writeImmutableBuffer(pending)
    pending = rest
  }

  /// Returns the next complete line without its newline, or nil if there is none.
  mutating func next() -> ByteBuffer? {
    while let length = lineLength() {
      searched = 0
      guard let line = pending.readSlice(length: length) else { return nil }
      pending.moveReaderIndex(forwardBy: 1)
      if !isSkipping { return line }
      isSkipping = false
    }
    // Release the reader's memory, so that it can be reused for the next read.
    if isSkipping || pending.readableBytes == 0 { clear() }
    return nil
  }

  /// Discards the incomplete line, including the part that has not arrived yet.
  mutating func skipLine() {
    isSkipping = true
    clear()
  }

  private mutating func clear() {
    pending = ByteBuffer()
    searched = 0
  }

  private mutating func lineLength() -> Int? {
    let length = pending.withUnsafeReadableBytes { bytes -> Int? in
      guard let start = bytes.baseAddress, bytes.count > searched,
        let newline = memchr(start + searched, 0x0A, bytes.count - searched)
      else { return nil }
      return UnsafeRawPointer(newline) - start
    }
    if length == nil { searched = pending.readableBytes }
    return length
  }
}
