import NIOCore

/// How a body is delimited (RFC 9112, section 6).
enum HTTPFraming: Sendable, Equatable {
  case none
  case length(Int)
  case chunked
  /// By the end of the connection: an answer, or the bytes behind a 101.
  case untilClose
}

/// Takes a body out of the bytes of a connection. Chunks are joined: a peer that sends single bytes costs no
/// more than one that sends them together.
struct HTTPBodyReader {
  private enum State {
    case rest(Int)
    case untilClose
    case size
    case chunk(Int)
    /// The line break behind a chunk.
    case chunkEnd
    case trailers
    case ended
  }

  private var state: State
  /// The bytes of the trailers that were read.
  private var trailerBytes = 0
  /// True if the last call stopped before the end of what there is: the rest has to wait for its turn.
  private(set) var isPaused = false

  /// The maximum length of a line with the size of a chunk: extensions are short, and mean nothing here.
  private static let maxLine = 4096
  /// The maximum number of chunks that a call takes: a peer that sends chunks of one byte delays no other one.
  private static let maxChunks = 64

  init(_ framing: HTTPFraming) {
    switch framing {
    case .none, .length(0): state = .ended
    case .length(let length): state = .rest(length)
    case .chunked: state = .size
    case .untilClose: state = .untilClose
    }
  }

  var isEnded: Bool { if case .ended = state { true } else { false } }
  /// True if the end of the connection ends the body.
  var endsWithConnection: Bool { if case .untilClose = state { true } else { false } }

  /// Takes what there is of the body from `input`. Empty if the rest has not arrived yet.
  mutating func take(from input: inout ByteBuffer) throws(HTTPFault) -> ByteBuffer {
    isPaused = false
    switch state {
    case .ended: return ByteBuffer()
    case .untilClose:
      defer { input = ByteBuffer() }
      return input
    case .rest(let length):
      let piece = input.readSlice(length: min(length, input.readableBytes)) ?? ByteBuffer()
      state = piece.readableBytes == length ? .ended : .rest(length - piece.readableBytes)
      return piece
    case .chunk(let length) where input.readableBytes <= length:
      // A part of a large chunk needs no copy.
      let piece = input.readSlice(length: input.readableBytes) ?? ByteBuffer()
      state = piece.readableBytes == length ? .chunkEnd : .chunk(length - piece.readableBytes)
      return piece
    default: return try takeChunks(from: &input)
    }
  }

  private mutating func takeChunks(from input: inout ByteBuffer) throws(HTTPFault) -> ByteBuffer {
    var pieces = ByteBuffer()
    var reader = self
    var chunks = 0
    let result = input.withUnsafeReadableBytes { bytes -> Result<Int, HTTPFault> in
      Result { () throws(HTTPFault) in
        var cursor = Cursor(bytes)
        while chunks < Self.maxChunks, try reader.step(&cursor, &pieces) {
          if case .size = reader.state { chunks += 1 }
        }
        return cursor.index
      }
    }
    self = reader
    isPaused = chunks == Self.maxChunks
    input.moveReaderIndex(forwardBy: try result.get())
    return pieces
  }

  private struct Cursor {
    let bytes: UnsafeRawBufferPointer
    var index = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private var isAtEnd: Bool { index == bytes.count }

    /// Takes a line without its end; nil if it has not arrived whole.
    mutating func line(max: Int) throws(HTTPFault) -> UnsafeRawBufferPointer? {
      let from = index
      var end = from
      while end < bytes.count, bytes[end] != UInt8(ascii: "\r") {
        guard end - from < max, bytes[end] >= 0x20 && bytes[end] != 0x7F || bytes[end] == UInt8(ascii: "\t") else {
          throw end - from < max ? .syntax : .tooLarge
        }
        end += 1
      }
      guard end + 1 < bytes.count else { return nil }
      guard bytes[end + 1] == UInt8(ascii: "\n") else { throw .syntax }
      index = end + 2
      return UnsafeRawBufferPointer(rebasing: bytes[from..<end])
    }

    /// Takes a line break; false if it has not arrived whole.
    mutating func takesLineEnd() throws(HTTPFault) -> Bool {
      guard isAtEnd || bytes[index] == UInt8(ascii: "\r") else { throw .syntax }
      return try line(max: 1) != nil
    }
  }

  /// Returns false if more has to arrive, or at the end.
  private mutating func step(_ cursor: inout Cursor, _ pieces: inout ByteBuffer) throws(HTTPFault) -> Bool {
    switch state {
    case .size:
      guard let line = try cursor.line(max: Self.maxLine) else { return false }
      let size = try Self.size(line)
      state = size == 0 ? .trailers : .chunk(size)
    case .chunk(let length):
      let count = min(length, cursor.bytes.count - cursor.index)
      guard count > 0 else { return false }
      pieces.writeBytes(UnsafeRawBufferPointer(rebasing: cursor.bytes[cursor.index..<cursor.index + count]))
      cursor.index += count
      state = count == length ? .chunkEnd : .chunk(length - count)
    case .chunkEnd:
      guard try cursor.takesLineEnd() else { return false }
      state = .size
    case .trailers:
      guard let line = try cursor.line(max: HTTPHead.maxBytes) else { return false }
      trailerBytes += line.count
      guard trailerBytes <= HTTPHead.maxBytes else { throw .tooLarge }
      guard !line.isEmpty else {
        state = .ended
        return false
      }
      guard line.first != UInt8(ascii: " "), line.first != UInt8(ascii: ":"), line.contains(UInt8(ascii: ":")) else {
        throw .syntax
      }
    case .ended, .rest, .untilClose: return false
    }
    return true
  }

  /// The size of a chunk (RFC 9112, section 7.1), up to the extensions.
  private static func size(_ line: UnsafeRawBufferPointer) throws(HTTPFault) -> Int {
    var size = 0
    var digits = 0
    for byte in line {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46, 0x61...0x66: digit = (byte | 0x20) - 0x61 + 10
      case UInt8(ascii: ";") where digits > 0: return size
      default: throw .syntax
      }
      digits += 1
      // 15 digits stay below `Int.max`.
      guard digits <= 15 else { throw .syntax }
      size = size << 4 | Int(digit)
    }
    guard digits > 0 else { throw .syntax }
    return size
  }
}

extension ByteBuffer {
  private static let hexadecimal = Array("0123456789abcdef".utf8)

  /// Writes the beginning of a chunk (RFC 9112, section 7.1).
  mutating func writeChunkSize(_ size: Int) {
    var shift = (Int.bitWidth - size.leadingZeroBitCount + 3) / 4 * 4
    while shift > 0 {
      shift -= 4
      writeInteger(Self.hexadecimal[size >> shift & 15])
    }
    writeLineEnd()
  }

  mutating func writeLineEnd() { writeStaticString("\r\n") }

  /// Appends what a read has brought.
  mutating func append(_ bytes: ByteBuffer) {
    if readableBytes == 0 { self = bytes } else { writeImmutableBuffer(bytes) }
  }
}

/// Lets the bodies in small chunks of all connections go on one after the other. Bound to the event loop.
final class Turns {
  private let eventLoop: any EventLoop
  private var waiting: CircularBuffer<(id: ObjectIdentifier, goOn: () -> Void)> = []
  private var isScheduled = false

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  /// Calls `goOn` when it is the turn of `connection`, which has one place in the line.
  func wait(_ connection: AnyObject, _ goOn: @escaping () -> Void) {
    let id = ObjectIdentifier(connection)
    guard !waiting.contains(where: { $0.id == id }) else { return }
    waiting.append((id, goOn))
    schedule()
  }

  private func schedule() {
    guard !isScheduled, !waiting.isEmpty else { return }
    isScheduled = true
    eventLoop.assumeIsolated().scheduleTask(in: EgressLimits.betweenTurns) {
      self.waiting.removeFirst().goOn()
      // Counted from the end of the turn: a task that is due already would be run before the sockets are looked at.
      self.isScheduled = false
      self.schedule()
    }
  }
}
