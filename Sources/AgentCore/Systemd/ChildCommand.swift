import AgentProtocol
import Dispatch
import Glibc
public import Logging
import NIOPosix
public import ServiceLifecycle
import Synchronization
import SystemSupport

/// The command of `ritual-agentd -- CMD`: runs while the agent does, with `RITUAL_AGENT_SOCKET` naming its socket. As the
/// last service of a group that stops when a service ends, it gives the agent its own life span: a signal to the agent is
/// passed on, and the agent stops after the command.
public final class ChildCommand: Service {
  private let arguments: [String]
  private let socket: String
  private let logger: Logger
  private let ended = Mutex<Int32?>(nil)
  /// The process, until it has been reaped: its number may be another process's then.
  private let child = Mutex<pid_t?>(nil)

  /// Time between SIGTERM and SIGKILL (OP-8: a stop ends, whatever hangs).
  private static let grace: DispatchTimeInterval = .seconds(5)

  /// `arguments` is not empty; its first is looked up in PATH.
  public init(_ arguments: [String], socket: String, logger: Logger) {
    self.arguments = arguments
    self.socket = socket
    self.logger = logger
  }

  /// The command's exit status, 128 and the signal's number where one ended it; nil while it runs.
  public var status: Int32? { ended.withLock { $0 } }

  /// Returns when the command has ended. Graceful shutdown and cancellation send it SIGTERM, and SIGKILL after `grace`.
  public func run() async throws {
    let pid: pid_t
    do {
      var child = ChildProcess(
        arguments, environment: environment(), input: .inherited, output: .inherited, error: .inherited)
      child.resetsSignals = true
      pid = try child.start()
    } catch {
      // The numbers of env(1): 127 not found, 126 found and not started.
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

  /// waitpid(2) blocks, so it has a thread of its own.
  private func wait(for pid: pid_t) async -> Int32 {
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    let status = await withCheckedContinuation { (continuation: CheckedContinuation<Int32, Never>) in
      pool.submit { [self] _ in
        // Waits, and leaves the process to be reaped.
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        let status = child.withLock { child in
          child = nil
          return ChildProcess.exitStatus(of: pid)
        }
        continuation.resume(returning: status ?? -1)
      }
    }
    // It has nothing left to do; that it cannot end would change nothing here.
    try? await pool.shutdownGracefully()
    return status
  }

  /// Ours, with the socket, and without what the service manager meant for us alone.
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
