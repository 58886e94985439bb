import Foundation
import TestKit

/// A thread of another process, as /proc shows it.
struct ProcessThread: Sendable {
  let number: Int32
  let name: String
  let isSleeping: Bool
  let isTraced: Bool

  /// The threads of `pid` that there are now.
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

/// strace(1), attached to some threads of the agent.
struct Tracer: Sendable {
  private let program: RunningProgram
  private let output: String
  private let threads: [Int32]

  /// Attaches; with `killAt` the first of the threads that comes to its so-manieth call of that name is killed before it,
  /// and the whole agent with it. strace counts from here on, for each thread and each name by itself.
  init(_ home: Household, pid: Int32, threads: [Int32], killAt call: (name: String, number: Int)? = nil) async throws {
    let output = home.folder.path + "/strace-" + UUID().uuidString
    self.output = output
    self.threads = threads
    // With what the descriptors are; long enough to see the member's name in an answer.
    let options =
      ["-yy", "-s", "80", "-o", output]
      + (call.map { ["-e", "inject=\($0.name):signal=KILL:when=\($0.number)"] } ?? [])
    let program = try RunningProgram(
      "/usr/bin/strace", options + threads.flatMap { ["-p", String($0)] }, environment: home.environment,
      folder: home.folder)
    self.program = program
    try await eventually("strace is attached") {
      guard program.isRunning else {
        // A thread that woke up by itself got to the call before it was seen as traced.
        if try String(contentsOfFile: output, encoding: .utf8).contains(SystemCallTrace.killed) { return true }
        throw Overdue(what: "strace ended: \(program.stderr)")
      }
      let left = ProcessThread.all(of: pid).filter { threads.contains($0.number) && !$0.isTraced }
      return left.isEmpty
    }
  }

  /// Detaches, or waits for strace's own end where the agent is dead, and returns what was seen.
  func end(isAgentDead: Bool = false) async throws -> SystemCallTrace {
    if isAgentDead { _ = try await program.end() } else { await program.stop() }
    return try SystemCallTrace(String(contentsOfFile: output, encoding: .utf8), threads: threads)
  }
}
