import Foundation
import TestKit
import Testing

/// A thread of another process, as /proc shows it.
struct ProcessThread: Sendable {
  let number: Int32
  let name: String
  let isSleeping: Bool
  let isTraced: Bool

  /// The current threads of `pid`.
  static func all(of pid: Int32) -> [ProcessThread] {
    let folder = "/proc/\(pid)/task"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { entry in
      guard let number = Int32(entry),
        let status = try? String(contentsOfFile: "\(folder)/\(entry)/status", encoding: .utf8)
      else { return nil }
      let name = status.prefix { $0 != "\n" }.dropFirst("Name:\t".count)
      return ProcessThread(
        number: number, name: String(name), isSleeping: status.contains("\nState:\tS"),
        isTraced: !status.contains("\nTracerPid:\t0\n"))
    }
  }
}

/// strace(1), attached to some of the agent's threads.
struct Tracer: Sendable {
  private let program: RunningProgram
  private let output: String
  private let threads: [Int32]

  /// Attaches to the threads. With `killAt`, the first thread that reaches that call for the
  /// `number`th time is killed before it, and the complete agent with it. strace counts from now
  /// on, for each thread and name separately.
  init(_ home: TestHome, pid: Int32, threads: [Int32], killAt call: (name: String, number: Int)? = nil) async throws {
    let output = home.folder.path + "/strace-" + UUID().uuidString
    self.output = output
    self.threads = threads
    // Shows what descriptors refer to, and strings long enough to contain a member's name.
    let options =
      ["-yy", "-s", "80", "-o", output]
      + (call.map { ["-e", "inject=\($0.name):signal=KILL:when=\($0.number)"] } ?? [])
    let program = try RunningProgram(
      "/usr/bin/strace", options + threads.flatMap { ["-p", String($0)] }, environment: home.environment,
      folder: home.folder)
    self.program = program
    try await eventually("strace is attached") {
      guard program.isRunning else {
        // A thread that woke up by itself reached the call before it was seen as traced.
        if try String(contentsOfFile: output, encoding: .utf8).contains(SystemCallTrace.killed) { return true }
        throw ConditionTimeout(what: "strace ended: \(program.stderr)")
      }
      let left = ProcessThread.all(of: pid).filter { threads.contains($0.number) && !$0.isTraced }
      return left.isEmpty
    }
  }

  /// Detaches, or waits for strace to exit if the agent is dead, and returns the trace.
  func end(isAgentDead: Bool = false) async throws -> SystemCallTrace {
    if isAgentDead { _ = try await program.end() } else { await program.stop() }
    return try SystemCallTrace(String(contentsOfFile: output, encoding: .utf8), threads: threads)
  }
}

/// The beginning of a system call, as strace(1) wrote it.
struct SystemCall: Sendable, Equatable {
  let thread: Int32
  let text: String

  /// The calls at which every run must kill the agent: all steps from the request to the response,
  /// in order.
  static let milestones = [
    "write of the request", "write of its body", "read of the response", "openat of the new file",
    "write of the new file", "fsync of the new file", "renameat", "fsync of the folder", "write of the answer",
  ]

  /// The call's name, such as `openat`.
  var name: String { String(text.prefix { $0 != "(" }) }

  /// The call's name and, for the important calls, its purpose.
  var label: String {
    let name = name
    switch name {
    case "write" where text.contains("POST /auth/v1/token"): return "write of the request"
    case "write" where text.contains("/verify HTTP/1.1"): return "write of the verification"
    case "write" where text.contains(#"{\"refresh_token\""#): return "write of its body"
    case "write" where text.contains(#"\"accessToken\""#): return "write of the answer"
    // The data that it reads is not known yet at the time of the kill.
    case "read" where text.contains("<TCP:["): return "read of the response"
    case "openat", "write", "fsync", "close":
      if text.contains("/.staged-") || text.contains("\".staged-") { return name + " of the new file" }
      return name == "fsync" && text.contains("/vault>") ? "fsync of the folder" : name
    default: return name
    }
  }
}

/// The system calls of several threads, in the order in which they began.
struct SystemCallTrace: Sendable {
  /// The line with which strace reports a kill.
  static let killed = "+++ killed by SIGKILL +++"

  let calls: [SystemCall]
  /// True if an injected SIGKILL ended the program.
  let isKilled: Bool

  /// Reads strace's file. `threads` are the traced threads; strace omits the number of a single
  /// one.
  init(_ text: String, threads: [Int32]) {
    isKilled = text.contains(Self.killed)
    calls = text.split(separator: "\n").compactMap { line in
      var (thread, rest) = (threads.first ?? 0, line)
      if threads.count > 1, let number = Int32(line.prefix { $0.isNumber }) {
        (thread, rest) = (number, line.drop { $0.isNumber }.drop { $0 == " " })
      }
      // The second half of a call that was interleaved with another thread's line, and lines about
      // signals and exits.
      if rest.hasPrefix("<...") || rest.hasPrefix("+++") || rest.hasPrefix("---") { return nil }
      return SystemCall(thread: thread, text: String(rest))
    }
  }

  /// The calls up to the one that writes the response to the caller.
  var untilAnswer: [SystemCall] {
    let end = calls.firstIndex { $0.label == "write of the answer" } ?? calls.endIndex - 1
    return Array(calls[...end])
  }

  /// The `number`th call of `name` in any thread that has made that many.
  func call(_ name: String, _ number: Int) -> SystemCall? {
    Dictionary(grouping: calls.filter { $0.name == name }, by: \.thread).values
      .first { $0.count >= number }?[number - 1]
  }

  /// The first milestone that is missing or too early; nil if the order is correct.
  func outOfOrder(_ milestones: [String] = SystemCall.milestones) -> String? {
    var next = calls.startIndex
    for milestone in milestones {
      guard let index = calls[next...].firstIndex(where: { $0.label == milestone }) else { return milestone }
      next = index + 1
      // The last fsync has ended once its thread makes another call.
      if milestone == "fsync of the folder" {
        guard let after = calls[next...].firstIndex(where: { $0.thread == calls[index].thread }) else {
          return milestone
        }
        next = after + 1
      }
    }
    return nil
  }
}

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
