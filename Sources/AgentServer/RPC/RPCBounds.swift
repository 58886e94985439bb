import AgentProtocol
import SystemSupport

/// Bounds of one connection's requests.
enum RPCBounds {
  /// Requests of one connection that may be unfinished at a time, subscriptions included: many times what a tool that
  /// runs requests side by side needs, and few enough that one client's tasks cost the others nothing.
  static let inFlight = 64

  /// Requests of one process without their answers, those that wait for a person aside: above it its connections are not read.
  static let inFlightOfOneProcess = 64

  /// Frames of one process whose requests run on the threads of the costly work (`CostlyThreads`).
  static let costlyOfOneProcess = 2

  /// Subscriptions of one connection: one with tokens and one without, each once more. All events go to each of them.
  static let subscriptions = 4

  /// Bytes of answers that are being made or are not written: of all connections, of those of one process, and of one
  /// connection. One larger answer is let through on a connection that has no other.
  static let answers = 32 * 1024 * 1024
  static let answersOfOneProcess = 16 * 1024 * 1024
  static let answersOfOneConnection = 256 * 1024
}

extension AgentError {
  static let notUTF8 = AgentError(.parseError, "The request is not UTF-8.")

  static let tooManyUnfinished = AgentError(
    .tooMany, "At most \(RPCBounds.inFlight) requests of a connection may be unfinished.")
}
