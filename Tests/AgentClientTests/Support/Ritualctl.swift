import Foundation
import Glibc
import TestKit

/// The built `ritualctl` beside the test program (or in `RITUAL_PROGRAMS`), run without a terminal.
final class Ritualctl: Sendable {
  private let program: RunningProgram

  static var path: String {
    if let folder = ProcessInfo.processInfo.environment["RITUAL_PROGRAMS"] { return folder + "/ritualctl" }
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return ((own ?? "") as NSString).deletingLastPathComponent + "/ritualctl"
  }

  /// The environment of every run: a home directory in `folder`, UTC, no desktop.
  static func environment(_ folder: URL, _ more: [String: String] = [:]) -> [String: String] {
    let inherited = ProcessInfo.processInfo.environment
    let own = [
      "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "TZ": "UTC0", "PATH": inherited["PATH"] ?? "/usr/bin:/bin",
      "LD_LIBRARY_PATH": inherited["LD_LIBRARY_PATH"] ?? "",
    ]
    return own.merging(more) { $1 }
  }

  /// Starts the program. `setsid` detaches it from the terminal on which the tests may run. Where
  /// the test sends signals, `env` ensures that SIGINT is not ignored, as it is in background jobs
  /// of a script.
  init(
    _ arguments: [String], in folder: URL, input: String = "", environment: [String: String] = [:],
    detached: Bool = true
  ) throws {
    program = try RunningProgram(
      detached ? "/usr/bin/setsid" : "/usr/bin/env",
      [detached ? "--wait" : "--default-signal=INT", Self.path] + arguments,
      environment: Self.environment(folder, environment), input: input, folder: folder)
  }

  var stdout: String { program.stdout }
  var stderr: String { program.stderr }

  func send(_ signal: Int32) { program.send(signal) }

  func end() async throws -> Output { try await program.end() }
}

/// A directory with a scripted agent, and a `ritualctl` that connects to it.
struct Bench: Sendable {
  let folder: URL
  let server: ScriptedServer
  /// The agent's socket, if that is not the server's.
  var agent: ScriptedServer?

  var socket: String { (agent ?? server).path }

  func start(
    _ arguments: [String], input: String = "", environment: [String: String] = [:], detached: Bool = true
  ) throws -> Ritualctl {
    try Ritualctl(
      arguments, in: folder, input: input,
      environment: ["RITUAL_AGENT_SOCKET": socket].merging(environment) { $1 }, detached: detached)
  }

  func run(
    _ arguments: String..., input: String = "", environment: [String: String] = [:]
  ) async throws -> Output {
    try await start(arguments, input: input, environment: environment).end()
  }

  /// Runs a Python script that has a terminal. Its arguments are the path of `ritualctl` and
  /// `arguments`.
  func runInTerminal(
    _ script: String, environment: [String: String] = [:], _ arguments: String...
  ) async throws -> Output {
    try await runInTerminal(script, environment: environment, arguments)
  }

  func runInTerminal(
    _ script: String, environment: [String: String] = [:], _ arguments: [String]
  ) async throws -> Output {
    try await runInTerminal(script, environment: environment, command: [Ritualctl.path] + arguments)
  }

  /// Runs a shell line on a terminal with that number of columns; `$0` is the path of `ritualctl`.
  func runInTerminal(columns: Int, environment: [String: String] = [:], line: String) async throws -> Output {
    try await runInTerminal(
      "finish()", environment: environment,
      command: ["/bin/sh", "-c", "stty cols \(columns) rows 50 && \(line)", Ritualctl.path])
  }

  func runInTerminal(
    _ script: String, environment: [String: String], command: [String]
  ) async throws -> Output {
    let file = folder.appendingPathComponent("terminal-\(UUID().uuidString).py")
    try (TerminalPlayer.script + script).write(to: file, atomically: true, encoding: .utf8)
    let program = try RunningProgram(
      "/usr/bin/python3", [file.path] + command,
      environment: Ritualctl.environment(
        folder, ["RITUAL_AGENT_SOCKET": socket].merging(environment) { $1 }), folder: folder)
    let output = try await program.end()
    // The script's own errors are part of the output.
    return Output(status: output.status, stdout: output.stdout + output.stderr, stderr: "")
  }
}

/// Runs `body` with an agent whose responses come from `answer`, a function from method and line to
/// a `"result":…` or `"error":…` member.
func withBench(
  _ answer: @escaping @Sendable (String, String) -> String, _ body: (Bench) async throws -> Void
) async throws {
  try await withScratchDirectory { folder in
    let server = try ScriptedServer(in: folder, answering: answer)
    defer { server.stop() }
    try await body(Bench(folder: folder, server: server))
  }
}

/// Runs `body` with an agent that answers every request by `answer`.
func withBench(_ answer: String, _ body: (Bench) async throws -> Void) async throws {
  try await withBench({ _, _ in answer }, body)
}

/// Runs `body` with a proxy on `egress.sock` that runs `script` for each connection, next to an agent that
/// answers, so that a busy machine is not mistaken for a stopped agent.
func withEgressBench(
  _ script: @escaping @Sendable (ScriptedConnection) -> Void, _ body: (Bench) async throws -> Void
) async throws {
  try await withScratchDirectory { folder in
    let server = try ScriptedServer(in: folder, name: "egress.sock", script)
    defer { server.stop() }
    let agent = try ScriptedServer(
      in: folder,
      answering: { method, _ in
        // No account is set for the directory.
        method == "agent.status" ? StatusTests.status("") : Reply.error("denied")
      })
    defer { agent.stop() }
    try await body(Bench(folder: folder, server: server, agent: agent))
  }
}

/// Runs `body` with a proxy that answers each request, given as text, by `answer`.
func withEgressBench(
  answering answer: @escaping @Sendable (String) -> [UInt8], _ body: (Bench) async throws -> Void
) async throws {
  try await withEgressBench { connection in
    while let request = connection.readRequest() { connection.send(answer(request)) }
  } _: {
    try await body($0)
  }
}

/// Runs `body` with a proxy that answers every request by `answer`.
func withEgressBench(_ answer: [UInt8], _ body: (Bench) async throws -> Void) async throws {
  try await withEgressBench(answering: { _ in answer }, body)
}

/// Members of responses.
enum Reply {
  /// A response of the proxy.
  static func http(_ body: [UInt8], _ type: String = "application/json", status: Int = 200) -> [UInt8] {
    Array("HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
  }

  static func result(_ json: String) -> String { #""result":"# + json }

  static func error(_ kind: String, _ message: String = "words", hint: String? = nil) -> String {
    let hint = hint.map { #","hint":"\#($0)""# } ?? ""
    return #""error":{"code":-32000,"message":"\#(message)","data":{"kind":"\#(kind)","retryable":false\#(hint)}}"#
  }

  static func token(_ token: String, more: String = "") -> String {
    result(
      #"{"account":"work","accessToken":"\#(token)","tokenType":"bearer","expiresAt":"2026-11-21T04:48:17Z","#
        + #""expiresIn":600\#(more)}"#)
  }

  static let account =
    #"{"name":"work","isDefault":true,"project":"prod","state":"authenticated","activity":"none","tokenUsable":true,"#
    + #""user":{"id":"u","email":"anna@example.org","provider":"google"},"identities":[]}"#
}
