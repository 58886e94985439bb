// A stream that is split anywhere yields the same lines as the complete stream.
//
// Compiled into one module with AgentServer/Socket/LineSplitter.swift.

import NIOCore

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLines(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  // The first byte sets how often a line is skipped, the second how the stream is split.
  guard bytes.count > 2 else { return 0 }
  let (skipping, cut, text) = (Int(bytes[0]), Int(bytes[1]), Array(bytes[2...]))
  var splitter = LineSplitter()
  var model = Model()
  var position = 0
  var step = 0
  while position < text.count {
    let length = 1 + (cut &* 31 &+ step &* cut) % 17
    let piece = text[position..<min(text.count, position + length)]
    splitter.append(ByteBuffer(bytes: piece))
    var expected = model.take(piece)
    while let line = splitter.next() {
      precondition(!expected.isEmpty && Array(line.readableBytesView) == expected.removeFirst(), "another line")
    }
    precondition(expected.isEmpty, "a line is missing")
    precondition(splitter.unfinished == model.unfinished, "another rest")
    step += 1
    if skipping > 0, step % skipping == 0 {
      splitter.skipLine()
      model.skip()
    }
    position += length
  }
  return 0
}

/// A reference implementation, byte by byte.
private struct Model {
  private var line: [UInt8] = []
  private var isSkipping = false

  var unfinished: Int { line.count }

  mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if !isSkipping { lines.append(line) }
        (line, isSkipping) = ([], false)
      } else if !isSkipping {
        line.append(byte)
      }
    }
    return lines
  }

  mutating func skip() { (line, isSkipping) = ([], true) }
}
