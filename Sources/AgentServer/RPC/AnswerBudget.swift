package import AgentProtocol
import FoundationEssentials
package import NIOCore
import Synchronization
import SystemSupport

/// The memory of answers, from the admission of their requests until they are written (PR-4). It is
/// limited for all connections together and for each process, so that a process that does not read
/// its answers leaves room for others. Thread-safe.
final class AnswerBudget: Sendable {
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

  init(limit: Int = RPCLimits.maxAnswerBytes, processLimit: Int = RPCLimits.maxAnswerBytesPerProcess) {
    (self.limit, self.processLimit) = (limit, processLimit)
  }

  /// Bytes currently reserved.
  var reserved: Int { state.withLock { $0.reserved } }

  /// Reserves `bytes`, or returns nil if there is no room.
  func reserve(_ bytes: Int, for process: Int32) -> AnswerReservation? {
    take(bytes, process) ? AnswerReservation(bytes, process, self) : nil
  }

  /// True if a request may reserve `bytes` at all.
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

  /// Waits until `bytes` are free, and reserves them.
  fileprivate func wait(for bytes: Int, _ process: Int32) async throws(WaitFailure) {
    var isTaken = false
    while !isTaken {
      try await waiters.wait {
        isTaken = take(bytes, process)
        return isTaken ? () : nil
      }
    }
  }

  /// Changes the reservation to match the size of existing answers, without a limit check.
  fileprivate func change(by bytes: Int, _ process: Int32) {
    state.withLock { $0.change(by: bytes, process) }
    if bytes < 0 { waiters.resumeAll(returning: ()) }
  }
}

/// The memory reserved for one frame's answers, released on deinit.
package final class AnswerReservation: Sendable {
  private let process: Int32
  private let room: AnswerBudget
  private let reserved: Mutex<Int>

  fileprivate init(_ bytes: Int, _ process: Int32, _ room: AnswerBudget) {
    (self.process, self.room) = (process, room)
    reserved = Mutex(bytes)
  }

  deinit { room.change(by: -reserved.withLock { $0 }, process) }

  var bytes: Int { reserved.withLock { $0 } }

  /// Waits until `bytes` more are reserved. Called before an answer that is larger than the
  /// method's usual size is built or fetched.
  ///
  /// - Throws: `tooMany` if the frame's answers exceed the limit of one process;
  ///   `CancellationError`.
  func add(_ bytes: Int) async throws {
    guard room.canHold(self.bytes + bytes) else {
      throw AgentError(.tooMany, "The combined responses are too large. Please request less at once.")
    }
    do {
      try await room.wait(for: bytes, process)
    } catch {
      throw CancellationError()
    }
    reserved.withLock { $0 += bytes }
  }

  /// Sets the reservation to `bytes`, the size of the finished answer.
  package func settle(at bytes: Int) {
    let difference = reserved.withLock { reserved in
      defer { reserved = bytes }
      return bytes - reserved
    }
    if difference != 0 { room.change(by: difference, process) }
  }
}

/// Builds JSON-RPC messages from encoded JSON, with members sorted by name and without a newline.
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

  /// Errors for invalid lines, encoded once, because the event loop writes them.
  private static let ready: [(error: AgentError, json: Data)] = [
    AgentError(.parseError), .notUTF8, AgentError(.invalidRequest), .tooManyUnfinished,
  ].map { ($0, (try? WireCoding.encode($0)) ?? Data()) }

  private static func encoded(_ error: AgentError) -> Data {
    if let known = ready.first(where: { $0.error.code == error.code && $0.error == error }) { return known.json }
    if let json = try? WireCoding.encode(error) { return json }
    // Only a number that JSON cannot represent (an infinite `retryAfter`) can fail, so it is left
    // out.
    var shorter = error
    shorter.data.retryAfter = nil
    return (try? WireCoding.encode(shorter)) ?? Data("{\"code\":-32603,\"message\":\"internal error\"}".utf8)
  }
}
