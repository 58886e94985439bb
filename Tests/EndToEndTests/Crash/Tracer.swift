import Foundation
import TestKit

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
