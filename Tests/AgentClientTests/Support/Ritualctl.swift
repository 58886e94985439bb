import Foundation
import Glibc
import TestKit

/// How `ritualctl` ended, and what it wrote.
struct CommandOutput: Sendable {
  let status: Int32
  let stdout: String
  let stderr: String
}

/// The built `ritualctl`, as it lies beside the test program (or in `RITUAL_PROGRAMS`), run without a terminal.
final class Ritualctl: Sendable {
  private let process: Process
  private let folder: URL
  private let name = UUID().uuidString

  static var path: String {
    if let folder = ProcessInfo.processInfo.environment["RITUAL_PROGRAMS"] { return folder + "/ritualctl" }
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return ((own ?? "") as NSString).deletingLastPathComponent + "/ritualctl"
  }

  /// The environment of every run: a home in `folder`, UTC, no desktop.
  static func environment(_ folder: URL, _ more: [String: String] = [:]) -> [String: String] {
    let inherited = ProcessInfo.processInfo.environment
    let own = [
      "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "TZ": "UTC0", "PATH": inherited["PATH"] ?? "/usr/bin:/bin",
      "LD_LIBRARY_PATH": inherited["LD_LIBRARY_PATH"] ?? "",
    ]
    return own.merging(more) { $1 }
  }

  /// Starts it. `setsid` takes the terminal away from it that the tests may have been started on; where the test sends
  /// signals, `env` sees to it that Ctrl-C is not ignored, as it is in what a script starts in the background.
  init(
    _ arguments: [String], in folder: URL, input: String = "", environment: [String: String] = [:],
    detached: Bool = true
  ) throws {
    self.folder = folder
    process = Process()
    process.executableURL = URL(fileURLWithPath: detached ? "/usr/bin/setsid" : "/usr/bin/env")
    process.arguments = [detached ? "--wait" : "--default-signal=INT", Self.path] + arguments
    process.environment = Self.environment(folder, environment)
    let source = folder.appendingPathComponent("in-\(name)")
    try Data(input.utf8).write(to: source)
    process.standardInput = try FileHandle(forReadingFrom: source)
    process.standardOutput = try Self.create(folder.appendingPathComponent("out-\(name)"))
    process.standardError = try Self.create(folder.appendingPathComponent("err-\(name)"))
    try process.run()
  }

  private static func create(_ file: URL) throws -> FileHandle {
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    return try FileHandle(forWritingTo: file)
  }

  var stdout: String { read("out") }
  var stderr: String { read("err") }

  private func read(_ stream: String) -> String {
    (try? String(contentsOf: folder.appendingPathComponent("\(stream)-\(name)"), encoding: .utf8)) ?? ""
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  func end() async throws -> CommandOutput {
    try await eventually(within: .seconds(60), "the end of ritualctl: \(stderr)") { !process.isRunning }
    return CommandOutput(status: process.terminationStatus, stdout: stdout, stderr: stderr)
  }
}

/// A folder with a scripted agent in it, and `ritualctl` that talks to it.
struct Bench: Sendable {
  let folder: URL
  let server: ScriptedServer

  func start(
    _ arguments: [String], input: String = "", environment: [String: String] = [:], detached: Bool = true
  ) throws -> Ritualctl {
    try Ritualctl(
      arguments, in: folder, input: input,
      environment: ["RITUAL_AGENT_SOCKET": server.path].merging(environment) { $1 }, detached: detached)
  }

  func run(
    _ arguments: String..., input: String = "", environment: [String: String] = [:]
  ) async throws -> CommandOutput {
    try await start(arguments, input: input, environment: environment).end()
  }

  /// Runs Python with a terminal of its own at hand; its arguments are the path of `ritualctl` and `arguments`.
  func runInTerminal(
    _ script: String, environment: [String: String] = [:], _ arguments: String...
  ) async throws -> CommandOutput {
    let file = folder.appendingPathComponent("terminal.py")
    try (Self.terminal + script).write(to: file, atomically: true, encoding: .utf8)
    let (output, process) = (folder.appendingPathComponent("terminal.out"), Process())
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [file.path, Ritualctl.path] + arguments
    process.environment = Ritualctl.environment(
      folder, ["RITUAL_AGENT_SOCKET": server.path].merging(environment) { $1 })
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
    try await eventually(within: .seconds(60), "the end of the terminal") { !process.isRunning }
    return CommandOutput(
      status: process.terminationStatus, stdout: try String(contentsOf: output, encoding: .utf8), stderr: "")
  }

  /// `expect` reads until a text is shown, `say` types; the script ends by `finish`, with the program's status. `echoes`
  /// tells whether the terminal shows what is typed.
  private static let terminal = """
    import os, pty, select, signal, sys, termios, time
    pid, tty = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # The threads of the tests block signals, and what they start inherits that.
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.execv(sys.argv[1], sys.argv[1:])
    shown = ''
    def read():
        global shown
        try: part = os.read(tty, 4096)
        except OSError: return False
        shown += part.decode(errors='replace')
        return bool(part)
    def expect(text):
        end = time.monotonic() + 30
        while text not in shown:
            if time.monotonic() > end: sys.exit('not shown: ' + text + ' in ' + shown)
            if select.select([tty], [], [], 0.1)[0] and not read(): sys.exit('it ended; shown: ' + shown)
    def echoes(): return bool(termios.tcgetattr(tty)[3] & termios.ECHO)
    def await_echo(wanted):
        end = time.monotonic() + 30
        while echoes() != wanted:
            if time.monotonic() > end: sys.exit('echo did not change')
    def say(text): os.write(tty, text.encode())
    def finish():
        while read(): pass
        status = os.waitpid(pid, 0)[1]
        print(shown.replace('\\r\\n', '\\n'), end='')
        sys.exit(os.waitstatus_to_exitcode(status))

    """
}

/// Runs `body` with an agent that answers by `answer` (method and line to a `"result":…` or `"error":…` member).
func withBench(
  _ answer: @escaping @Sendable (String, String) -> String, _ body: (Bench) async throws -> Void
) async throws {
  try await withScratchFolder { folder in
    let server = try ScriptedServer(in: folder, answering: answer)
    defer { server.stop() }
    try await body(Bench(folder: folder, server: server))
  }
}

/// Members of answers.
enum Reply {
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
