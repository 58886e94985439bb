package import AgentProtocol
import FoundationEssentials
package import NIOCore
import Synchronization
import SystemSupport

/// The memory of answers from the admission of their requests until they are written (PR-4): bounded for all connections
/// together, and for each process, so that one that does not read its answers leaves room for the others. Safe from any thread.
final class AnswerRoom: Sendable {
  private struct State {
    var reserved = 0
    var ofProcess: [Int32: Int] = [:]

    mutating func change(by bytes: Int, _ process: Int32) {
      reserved += bytes
      let left = ofProcess[process, default: 0] + bytes
      ofProcess[process] = left > 0 ? left : nil
    }
  }

  private let state = Mutex(State())
  private let waiters = WaiterList<Void>()
  private let limit: Int
  private let processLimit: Int

  init(limit: Int = RPCBounds.answers, processLimit: Int = RPCBounds.answersOfOneProcess) {
    (self.limit, self.processLimit) = (limit, processLimit)
  }

  /// Bytes that are reserved now.
  var reserved: Int { state.withLock { $0.reserved } }

  /// Reserves `bytes`; nil if there is no room.
  func reserve(_ bytes: Int, for process: Int32) -> AnswerReservation? {
    take(bytes, process) ? AnswerReservation(bytes, process, self) : nil
  }

  /// True if a request may ever reserve so much.
  func canHold(_ bytes: Int) -> Bool { bytes <= processLimit }

  fileprivate func take(_ bytes: Int, _ process: Int32) -> Bool {
    state.withLock { state in
      guard state.reserved + bytes <= limit, state.ofProcess[process, default: 0] + bytes <= processLimit else {
        return false
      }
      state.change(by: bytes, process)
      return true
    }
  }

  /// Waits until `bytes` more are free, and takes them.
  fileprivate func wait(for bytes: Int, _ process: Int32) async throws(WaitFailure) {
    var isTaken = false
    while !isTaken {
      try await waiters.wait {
        isTaken = take(bytes, process)
        return isTaken ? () : nil
      }
    }
  }

  /// Takes or gives back without asking for room: what is reserved follows what is there.
  fileprivate func change(by bytes: Int, _ process: Int32) {
    state.withLock { $0.change(by: bytes, process) }
    if bytes < 0 { waiters.resumeAll(returning: ()) }
  }
}

/// The room of one frame's answers, given back when nothing refers to it any more.
package final class AnswerReservation: Sendable {
  private let process: Int32
  private let room: AnswerRoom
  private let reserved: Mutex<Int>

  fileprivate init(_ bytes: Int, _ process: Int32, _ room: AnswerRoom) {
    (self.process, self.room) = (process, room)
    reserved = Mutex(bytes)
  }

  deinit { room.change(by: -reserved.withLock { $0 }, process) }

  var bytes: Int { reserved.withLock { $0 } }

  /// Waits until there is room for `bytes` more: before an answer is made, or fetched, that is larger than the method's usual.
  ///
  /// - Throws: `tooMany` if the answers of this frame exceed what one process may have; `CancellationError`.
  func add(_ bytes: Int) async throws {
    guard room.canHold(self.bytes + bytes) else {
      throw AgentError(.tooMany, "The answers of this request are too large together. Please ask for less at once.")
    }
    do {
      try await room.wait(for: bytes, process)
    } catch {
      throw CancellationError()
    }
    reserved.withLock { $0 += bytes }
  }

  /// The answer is made and takes `bytes`.
  package func settle(at bytes: Int) {
    let difference = reserved.withLock { reserved in
      defer { reserved = bytes }
      return bytes - reserved
    }
    if difference != 0 { room.change(by: difference, process) }
  }
}

/// Writes JSON-RPC messages around JSON that is ready, members sorted by name, without a newline.
package enum Outgoing {
  /// `{"id":…,"jsonrpc":"2.0","result":…}`
  static func result(_ json: Data, id: [UInt8]) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.reserveCapacity(json.count + id.count + 40)
    buffer.writeStaticString("{\"id\":")
    buffer.writeBytes(id)
    buffer.writeStaticString(",\"jsonrpc\":\"2.0\",\"result\":")
    buffer.writeBytes(json)
    buffer.writeStaticString("}")
    return buffer
  }

  /// `{"error":…,"id":…,"jsonrpc":"2.0"}`
  package static func error(_ error: AgentError, id: [UInt8]) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.writeStaticString("{\"error\":")
    buffer.writeBytes(encoded(error))
    buffer.writeStaticString(",\"id\":")
    buffer.writeBytes(id)
    buffer.writeStaticString(",\"jsonrpc\":\"2.0\"}")
    return buffer
  }

  /// `{"jsonrpc":"2.0","method":…,"params":…}`
  package static func notification(_ method: String, _ params: some Encodable) throws -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.writeStaticString("{\"jsonrpc\":\"2.0\",\"method\":")
    buffer.writeBytes(try WireCoding.encode(method))
    buffer.writeStaticString(",\"params\":")
    buffer.writeBytes(try WireCoding.encode(params))
    buffer.writeStaticString("}")
    return buffer
  }

  /// `[…,…]`
  static func batch(_ answers: [ByteBuffer]) -> ByteBuffer {
    var buffer = ByteBuffer()
    for (index, answer) in answers.enumerated() {
      buffer.writeStaticString(index == 0 ? "[" : ",")
      buffer.writeImmutableBuffer(answer)
    }
    buffer.writeStaticString("]")
    return buffer
  }

  /// What a client gets that sends one broken line after the other: encoded once, for the event loop writes it.
  private static let ready: [(error: AgentError, json: Data)] = [
    AgentError(.parseError), .notUTF8, AgentError(.invalidRequest), .tooManyUnfinished,
  ].map { ($0, (try? WireCoding.encode($0)) ?? Data()) }

  private static func encoded(_ error: AgentError) -> Data {
    if let known = ready.first(where: { $0.error.code == error.code && $0.error == error }) { return known.json }
    if let json = try? WireCoding.encode(error) { return json }
    // Only a number that JSON cannot hold (`retryAfter` without end) can fail: it is what may be left out.
    var shorter = error
    shorter.data.retryAfter = nil
    return (try? WireCoding.encode(shorter)) ?? Data("{\"code\":-32603,\"message\":\"internal error\"}".utf8)
  }
}
