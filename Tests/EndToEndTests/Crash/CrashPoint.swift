import Foundation
import TestKit
import Testing

/// A system call at which the agent is killed: the `number`th call of `call` in a thread of this
/// name.
struct CrashPoint: Hashable, Sendable, CustomStringConvertible {
  let thread: String
  let call: String
  let number: Int

  var description: String { "\(thread): \(call) \(number)" }

  /// The calls of a trace within `range`, each once. strace counts from the start of the trace.
  static func all(_ trace: SystemCallTrace, _ range: ClosedRange<Int>, _ threads: [ProcessThread]) -> [CrashPoint] {
    var counts: [String: Int] = [:]
    var found: [CrashPoint] = []
    for (index, call) in trace.calls[...range.upperBound].enumerated() {
      let key = "\(call.thread) \(call.name)"
      counts[key, default: 0] += 1
      guard index >= range.lowerBound, let name = threads.first(where: { $0.number == call.thread })?.name else {
        continue
      }
      let point = CrashPoint(thread: name, call: call.name, number: counts[key, default: 0])
      if !found.contains(point) { found.append(point) }
    }
    return found
  }
}

extension TestHome {
  /// Returns the agent's pid once the agent is idle.
  func restingAgent() async throws -> Int32 {
    let pid = try #require(agentPID)
    var quiet = 0
    try await eventually("the agent is at rest") {
      quiet = ProcessThread.all(of: pid).allSatisfy(\.isSleeping) ? quiet + 1 : 0
      return quiet == 3
    }
    return pid
  }

  /// The result of a request that must succeed.
  nonisolated func result(_ method: String, _ params: String) async throws -> [String: Any] {
    let answer = try await call(method, params)
    return try #require(answer?["result"] as? [String: Any], "\(method): \(String(describing: answer?["error"]))")
  }

  /// The agent's response; nil if the connection ended before it.
  nonisolated func call(_ method: String, _ params: String) async throws -> [String: Any]? {
    let line = try BlockingSocket(unix: socket)
    let answer = await line.exchange(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"# + "\n")
    guard answer.hasSuffix("\n") else { return nil }
    return try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
  }
}
