import AgentProtocol
import Dispatch
import Glibc
public import Logging
import NIOPosix
public import ServiceLifecycle
import Synchronization
import SystemSupport

/// The command of `ritual-agentd -- CMD`, which runs while the agent does, with the agent's socket
/// in `RITUAL_AGENT_SOCKET`. In a group that stops when this service ends, it sets the lifetime of
/// the agent: a stop of the agent is passed on as SIGTERM, and the agent stops after the command.
public final class ChildCommand: Service {
  private let arguments: [String]
  private let socket: String
  private let mask: UInt32?
  private let logger: Logger
  private let ended = Mutex<Int32?>(nil)
  /// The pid, until the process is reaped; after that the pid may belong to another process.
  private let child = Mutex<pid_t?>(nil)

  /// Time between SIGTERM and SIGKILL (a stop ends, whatever hangs).
  private static let grace: DispatchTimeInterval = .seconds(5)

  /// A command with its arguments. `arguments` must not be empty; its first element is searched in
  /// PATH. `mask` is its file mode creation mask (umask(2)); nil for the one of this process.
  public init(_ arguments: [String], socket: String, mask: UInt32? = nil, logger: Logger) {
    self.arguments = arguments
    self.socket = socket
    self.mask = mask
    self.logger = logger
  }

  /// The command's exit status, or 128 plus the number of the signal that ended it; nil while it
  /// runs.
  public var status: Int32? { ended.withLock { $0 } }

  /// Returns when the command has ended. Graceful shutdown and cancellation send SIGTERM to the
  /// command, and SIGKILL after `grace`.
  public func run() async throws {
    let pid: pid_t
    do {
      var child = ChildProcess(
        arguments, environment: environment(), input: .inherited, output: .inherited, error: .inherited)
      child.resetsSignals = true
      // For a moment this is the mask of the whole process, which also sets modes explicitly.
      let own = mask.map { umask($0) }
      defer { if let own { umask(own) } }
      pid = try child.start()
    } catch {
      // As env(1): 127 if not found, 126 if found and not started.
      ended.withLock { $0 = error.errno == ENOENT ? 127 : 126 }
      logger.error("cannot run \(ForeignText.shown(arguments[0])): \(errorDescription(error.errno))")
      return
    }
    child.withLock { $0 = pid }
    let status = await withTaskCancellationHandler {
      await withGracefulShutdownHandler {
        await wait(for: pid)
      } onGracefulShutdown: {
        self.terminate()
      }
    } onCancel: {
      self.terminate()
    }
    ended.withLock { $0 = status }
  }

  private func terminate() {
    signal(SIGTERM)
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) { self.signal(SIGKILL) }
  }

  private func signal(_ number: Int32) { child.withLock { child in if let child { kill(child, number) } } }

  /// Uses its own thread, because waitid(2) blocks.
  private func wait(for pid: pid_t) async -> Int32 {
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    let status = await withCheckedContinuation { (continuation: CheckedContinuation<Int32, Never>) in
      pool.submit { [self] _ in
        // WNOWAIT leaves the process to be reaped while `child` is locked, so that no signal
        // reaches a reused pid.
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        let status = child.withLock { child in
          child = nil
          return ChildProcess.exitStatus(of: pid)
        }
        continuation.resume(returning: status ?? -1)
      }
    }
    // The pool is idle. A failure to shut it down has no effect here.
    try? await pool.shutdownGracefully()
    return status
  }

  /// The environment of this process with the socket, without the service manager's variables for
  /// the agent alone.
  private func environment() -> [String] {
    let ours = ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "CREDENTIALS_DIRECTORY", "RITUAL_AGENT_SOCKET"]
    var result = ["RITUAL_AGENT_SOCKET=\(socket)"]
    var next = environ
    while let variable = next.pointee {
      let text = String(cString: variable)
      if !ours.contains(where: { text.hasPrefix($0 + "=") }) { result.append(text) }
      next += 1
    }
    return result
  }
}
