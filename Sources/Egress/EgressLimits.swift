import NIOCore
import SystemSupport

/// Limits of the proxy, each with its reason.
package enum EgressLimits {
  /// Maximum simultaneous connections of clients. Each takes a second descriptor for its upstream:
  /// together a quarter of the unit's `LimitNOFILE=8192`.
  package static let maxConnections = 1024
  /// The part of a maximum, of connections or grants, that one process may have: others keep the rest.
  static func share(of maximum: Int) -> Int { max(1, maximum / 4) }
  /// Maximum bytes of one read: large enough for the throughput of a download, and few enough that
  /// 1,024 connections stay below 300 MiB.
  static let readPiece = 128 * 1024
  /// Reads grow from a small size as long as they are filled.
  static let receiveBuffers = AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: readPiece)
  /// The time between turns of a body in small chunks, in which the event loop looks at its sockets: it does so only
  /// when no task is left that is due.
  static let betweenTurns = TimeAmount.microseconds(100)
  /// The number of bytes that a client may send ahead of the server, beside those that the connection to the
  /// server takes.
  static let maxQueuedBytes = 64 * 1024
  /// The size of a body that is kept for a second attempt.
  static let maxKeptBytes = 1 << 20
  /// Small pieces of a body are joined up to this size.
  static let joinedPiece = 16 * 1024
  /// A client that is not read from may have this much of a response pending.
  static let writeWatermarks = ChannelOptions.Types.WriteBufferWaterMark(low: 64 * 1024, high: 256 * 1024)

  /// Silence of a server after which its system is asked for a sign of life (SO_KEEPALIVE), and the interval
  /// between such questions, in seconds.
  static let keepAlive = (after: 30, interval: 10)
  /// Time without an answer of the server's system, in milliseconds, after which the connection ends
  /// (TCP_USER_TIMEOUT, tcp(7)): its network has gone. Longer than most lapses of a radio network, and with the
  /// interval above less than 90 s in total. It also ends an upload that the server takes nothing of.
  static let maxUnanswered = 75_000

  /// Time for DNS, TCP and TLS, as for the auth server (`RequestLimits.connect`).
  static let connect = TimeAmount.seconds(5)
  /// Time until the first byte of a response: an Edge Function may run for 400 s.
  static let firstByte = TimeAmount.seconds(400)
  /// Time without a byte in either direction, after which a stream counts as dead. Services send a
  /// sign of life every 15 to 60 s.
  static let idle = TimeAmount.seconds(900)
  /// Time until the first request of a connection, and between two.
  static let betweenRequests = TimeAmount.seconds(300)
  /// Time until the request of a connection that is refused: an answer to HEAD has no body.
  static let refusedRequest = TimeAmount.seconds(1)
  /// Time to examine the body of a refusal before it is passed on.
  static let examination = TimeAmount.seconds(2)
  /// Maximum time that a request is held for a person's answer: as long as a question is pending.
  static let maxHold = Duration.seconds(600)
  /// How long a connection to a server is kept for further requests. Longer ones are often closed by
  /// the server, or dead after a suspend.
  static let keptConnection = TimeAmount.seconds(10)
  /// Interval of checks of all deadlines. They are minutes, so that seconds do not matter.
  static let check = TimeAmount.seconds(2)
  /// How long the rest of a refused body is read and dropped before the connection is closed: some clients
  /// look for the answer only when they have sent everything.
  static let drop = TimeAmount.seconds(5)
}

extension AgentClock {
  /// Returns the moment in `time`. Unlike the event loop's clock, it counts the time of a suspend.
  func moment(in time: TimeAmount) -> BootTime { now.advanced(by: .nanoseconds(time.nanoseconds)) }
}
