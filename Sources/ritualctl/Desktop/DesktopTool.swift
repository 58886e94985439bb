import Glibc
import SystemSupport

/// Programs of the desktop, started without a voice: what they say would end up in the middle of our output, or in the
/// document of --json.
enum DesktopTool {
  /// Starts the program in a process group of its own, so that Ctrl-C here does not reach it.
  ///
  /// - Returns: its pid; nil where it cannot be started.
  static func start(_ name: String, _ arguments: [String]) -> pid_t? {
    var child = ChildProcess([name] + arguments)
    child.leadsGroup = true
    CoreDumps.allow()
    defer { CoreDumps.turnOff() }
    return try? child.start()
  }

  /// Runs the program to its end; whether it ended well.
  static func run(_ name: String, _ arguments: [String]) -> Bool {
    start(name, arguments).flatMap { ChildProcess.exitStatus(of: $0) } == 0
  }
}
