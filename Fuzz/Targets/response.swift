// A response that is split anywhere is the same response, or refused as well.
//
// Compiled into one module with ritualctl/API/HTTPReader.swift.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzResponse(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  // The first byte sets the method, the second how the stream is split.
  guard bytes.count > 2 else { return 0 }
  let (method, cut, text) = (bytes[0] % 4 == 0 ? "HEAD" : "GET", Int(bytes[1]), bytes[2...])
  let whole = Outcome(text, method) { _ in text.count }
  let split = Outcome(text, method) { step in 1 + (cut &* 31 &+ step &* cut) % 17 }
  precondition(whole == split, "another response")
  guard whole.isComplete, let status = whole.status else { return 0 }
  precondition(status >= 200 && status != 101, "no final response")
  if method == "HEAD" { precondition(whole.body.isEmpty, "a body") }
  if let length = whole.length, method == "GET", status != 204, status != 304 {
    precondition(whole.body.count == length, "another length")
  }
  return 0
}

private struct Outcome: Equatable {
  var status: Int?
  var length: Int?
  var body: [UInt8] = []
  var isComplete = false
  var isMalformed = false

  init(_ text: ArraySlice<UInt8>, _ method: String, size: (Int) -> Int) {
    var (reader, rest, step) = (HTTPReader(method: method), text, 0)
    do throws(HTTPReader.Malformed) {
      while !rest.isEmpty {
        let piece = rest.prefix(size(step))
        body += try reader.take(piece)
        (rest, step) = (rest.dropFirst(piece.count), step + 1)
      }
      reader.takeEnd()
    } catch {
      // How much of the body came before depends on the pieces.
      (isMalformed, body) = (true, [])
      return
    }
    (status, isComplete) = (reader.head?.status, reader.isComplete)
    length = reader.head?.values("content-length").first.flatMap { Int($0) }
  }
}
