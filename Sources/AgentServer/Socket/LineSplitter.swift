import Glibc
import NIOCore

/// Cuts a stream of bytes into lines. Every byte is looked at once, however the stream is cut up; a line that arrives
/// whole is not copied.
struct LineSplitter {
  private var pending = ByteBuffer()
  /// Bytes of `pending` that are known to hold no newline.
  private var searched = 0
  private var isSkipping = false

  /// Bytes of the line that has begun and has not ended.
  var unfinished: Int { pending.readableBytes }

  /// Whether the line that has begun may become an object: of all else a long one is not waited for. Its brace is looked for
  /// where writers of JSON put it, for this is asked once for each read of a long line.
  var mayBeObject: Bool {
    let first = pending.readableBytesView.prefix(Self.indent).first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
    return first == UInt8(ascii: "{")
  }

  /// White space before a long line's brace, at most.
  private static let indent = 64

  mutating func append(_ bytes: ByteBuffer) {
    guard pending.readableBytes > 0 else {
      pending = bytes
      return
    }
    if pending.readerIndex > pending.readableBytes { dropTaken(room: bytes.readableBytes) }
    pending.writeImmutableBuffer(bytes)
  }

  /// Lines that were taken are not copied when the memory grows.
  private mutating func dropTaken(room: Int) {
    var rest = ByteBuffer()
    rest.reserveCapacity(pending.readableBytes + room)
    rest.writeImmutableBuffer(pending)
    pending = rest
  }

  /// The next whole line, without its newline; nil where it has not ended yet.
  mutating func next() -> ByteBuffer? {
    while let length = lineLength() {
      searched = 0
      guard let line = pending.readSlice(length: length) else { return nil }
      pending.moveReaderIndex(forwardBy: 1)
      if !isSkipping { return line }
      isSkipping = false
    }
    // Lets go of the reader's memory, so that it can be used for the next read.
    if isSkipping || pending.readableBytes == 0 { clear() }
    return nil
  }

  /// Forgets the line that has begun, and what is still to come of it.
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
