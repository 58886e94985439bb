import AgentProtocol
import Glibc
import Synchronization

/// `doctor --e2e`: the life of a session with programs and a server of its own, in a temporary folder. The user's own agent is
/// not asked, and nothing of it is read.
enum EndToEnd {
  private static let names = ["sign-in", "rotation", "expiry", "kill -9", "revocation"]

  /// The checks, up to the first that fails.
  static func checks() -> [DiagnosticCheck] {
    do {
      catchInterrupts()
      let stage = try EndToEndStage()
      defer { stage.clear() }
      return try run(stage)
    } catch {
      let failure = Failure(error)
      return [DiagnosticCheck("start", .fail, failure.message, next: failure.hints.first)]
    }
  }

  private static func run(_ stage: EndToEndStage) throws -> [DiagnosticCheck] {
    try stage.start()
    let life = SessionLife(stage)
    let steps = [life.signIn, life.rotate, life.expire, life.crash, life.revoke]
    var checks: [DiagnosticCheck] = []
    for (name, step) in zip(names, steps) {
      do {
        guard !isInterrupted.load(ordering: .relaxed) else { throw Failure(.cancelled, "cancelled") }
        checks.append(DiagnosticCheck(name, .ok, try step()))
      } catch {
        let failure = Failure(error)
        checks.append(
          DiagnosticCheck(
            name, .fail, failure.message,
            next: failure.hints.first ?? "report it, with ritualctl --version and the output of ritualctl doctor"))
        break
      }
    }
    return checks
  }

  /// A signal lets the step that runs end, so that programs and folder are cleared away. A handler, not SIG_IGN, which the
  /// programs would inherit.
  private static func catchInterrupts() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in isInterrupted.store(true, ordering: .relaxed) } }
  }
}

/// Whether a signal has come. Lock-free, so that a signal handler may set it (signal-safety(7)).
private let isInterrupted = Atomic(false)
