import AgentProtocol
import ArgumentParser

/// What every command of ours has.
protocol AgentCommand: ParsableCommand {
  var common: CommonOptions { get }
  /// Does the work; what it throws becomes the error message and the exit status.
  func perform(_ output: Output) throws -> ExitStatus
  /// The exit status of a failure.
  func exitCode(of failure: Failure) -> Int32
  /// Whether the error's stable name is shown, since the exit status does not tell it.
  var showsErrorKind: Bool { get }
}

extension AgentCommand {
  func exitCode(of failure: Failure) -> Int32 { failure.exit.rawValue }
  var showsErrorKind: Bool { false }
}
