import FoundationEssentials
import Glibc

/// Cuts a stream of bytes into lines of at most `limit` bytes. Every byte is looked at once, however the stream is cut.
struct LineReader {
  /// A line that is longer than the limit.
  struct Oversize: Error {}

  private let limit: Int
  private var bytes: [UInt8] = []
  /// Where the line begins that is next, in `bytes`.
  private var start = 0
  /// Up to where `bytes` are known to hold no newline.
  private var searched = 0

  init(limit: Int) { self.limit = limit }

  mutating func append(_ more: UnsafeRawBufferPointer) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The next whole line without its newline; nil where it has not ended yet.
  mutating func next() throws(Oversize) -> Data? {
    guard let end = newline() else {
      searched = bytes.count
      guard bytes.count - start <= limit else { throw Oversize() }
      return nil
    }
    guard end - start <= limit else { throw Oversize() }
    let line = Data(bytes[start..<end])
    start = end + 1
    searched = start
    return line
  }

  private func newline() -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, buffer.count > searched,
        let found = memchr(base + searched, 0x0A, buffer.count - searched)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}
