// One line of the socket: any line is parsed or rejected, within the nesting limit. The hot path
// accepts only what the general path accepts, for the same request.
//
// Compiled into one module with the readers of AgentServer/RPC.

import AgentProtocol
import FoundationEssentials
import NIOCore

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFrame(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let line = ByteBuffer(bytes: bytes)
  let frame = IncomingFrame(line)
  switch frame {
  case .refused(let error): precondition(error.code < 0, "an error without a code")
  case .single(let incoming): check(incoming)
  case .batch(let batch):
    precondition((1...RPCLimits.maxBatch).contains(batch.count), "a batch out of bounds")
    for incoming in batch { check(incoming) }
  }
  if case .refused = frame {} else { precondition(depth(of: bytes) <= JSONReader.depthLimit, "deeper than the bound") }
  checkHot(line, bytes, frame)
  return 0
}

private func check(_ incoming: Incoming) {
  guard case .request(let request) = incoming else { return }
  if let id = request.id { precondition(isScalar(id), "an id that is no string, number or null") }
  if let params = request.params {
    precondition(params.first == UInt8(ascii: "{") && params.last == UInt8(ascii: "}"), "params that are no object")
  }
}

private func isScalar(_ id: [UInt8]) -> Bool {
  guard let first = id.first else { return false }
  return first == UInt8(ascii: "\"") || first == UInt8(ascii: "-") || first == UInt8(ascii: "n") || first.isDigit
}

private func checkHot(_ line: ByteBuffer, _ bytes: [UInt8], _ frame: IncomingFrame) {
  guard let hot = HotRequest(line.readableBytesUInt8Span) else { return }
  guard case .single(.request(let request)) = frame else { preconditionFailure("the hot path takes what is refused") }
  precondition(request.method == "session.token", "another method on the hot path")
  precondition(request.id == Array(bytes[hot.id]), "another id on the hot path")
  if let ttl = hot.minTTL { precondition((0...999_999_999).contains(ttl), "a number out of its digits") }
}

/// The maximum nesting depth of a JSON text, counted in the simplest way: brackets outside of
/// strings.
private func depth(of bytes: [UInt8]) -> Int {
  var (now, most, isInString, isEscaped) = (0, 0, false, false)
  for byte in bytes {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      continue
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      now += 1
      most = max(most, now)
    case UInt8(ascii: "]"), UInt8(ascii: "}"): now -= 1
    default: break
    }
  }
  return most
}
