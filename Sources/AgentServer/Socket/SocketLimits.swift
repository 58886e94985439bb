import CSystemd
import Glibc
import NIOCore
import SystemSupport

/// Limits of the socket, each with its reason.
package enum SocketLimits {
  /// Number of simultaneous connections that counts as a burst: more than one person's tools keep
  /// open.
  static let burst = 32

  /// Maximum simultaneous connections: one process with a large pool of 200, or 200 tools
  /// that start at once, and some more. That is a third of the usual soft limit of 1024 descriptors
  /// (getrlimit(2)), so that the vault and HTTP never lack one.
  static let maxConnections = 320

  /// Maximum simultaneous connections of one process. A quarter of all connections remains for
  /// other processes.
  static let maxConnectionsPerProcess = 240

  /// Descriptors reserved for the rest of the agent under a low limit: its own 30, three for a
  /// commit, a request's socket for each project, and the pipes of a child process.
  static let reservedDescriptors = 48

  /// Maximum connections under a limit of `descriptors`: what remains beside the reserve, but at
  /// least 4.
  static func maxConnections(descriptors: UInt64) -> Int {
    min(maxConnections, max(4, room(descriptors)))
  }

  private static func room(_ descriptors: UInt64) -> Int {
    // RLIM_INFINITY does not fit into an Int.
    Int(clamping: descriptors) - min(reservedDescriptors, Int(clamping: descriptors))
  }

  /// RLIMIT_NOFILE of this process (getrlimit(2)), or 1024 if it cannot be read.
  package static var descriptorLimit: UInt64 {
    var limit: UInt64 = 1024
    _ = ritual_soft_limit(Int32(RLIMIT_NOFILE.rawValue), &limit)
    return limit
  }

  /// Maximum simultaneous connections of units that load a credential: more than a session starts
  /// at once. Each holds one descriptor for at most 15 s.
  static let maxCredentialConnections = 64

  /// Maximum connections of egress under a limit of `descriptors`, each of which holds two: `wanted`,
  /// or what remains beside everything else, but at least 4. Under `LimitNOFILE=8192` of the unit,
  /// 1,024 fit.
  package static func egressConnections(_ wanted: Int, descriptors: UInt64) -> Int {
    let others = maxConnections(descriptors: descriptors) + maxCredentialConnections
    return min(wanted, max(4, (room(descriptors) - others) / 2))
  }

  /// Maximum connections accepted in one pass of the event loop. Each takes about 50 µs.
  static let acceptsPerPass: UInt = 4

  /// Maximum bytes read from a connection in one pass of the event loop: five or six token requests, about 35 µs of work.
  /// Beside 100 clients that send token requests without a pause, the p99 of another client is 7 ms. With 1 KiB it was 12 ms,
  /// with 2 KiB 13 ms.
  static let readPiece = 512

  /// Maximum length of a line that is parsed on the event loop, in bytes: about 10 µs. A task
  /// parses longer lines.
  static let parsedOnLoop = 4 * 1024

  /// Maximum time to complete a line. A local client writes a line in one call; there is no reason
  /// to keep the bytes of a slow client.
  static let lineTime = TimeAmount.seconds(30)

  /// Maximum time without progress while a client does not read its answers and all buffers are
  /// full.
  static let unreadTime = TimeAmount.seconds(60)

  /// Unsent bytes of a connection at which reading stops (high) and resumes (low): some dozen
  /// tokens, beside the kernel's own buffer of about 200 KiB.
  static let writeWatermarks = ChannelOptions.Types.WriteBufferWaterMark(low: 32 * 1024, high: 64 * 1024)

  /// Collected answers are written at this size, in bytes, while more requests are read.
  static let writePiece = 64 * 1024

  /// How long a stop waits for the first request of a client that has just connected. On a
  /// busy machine the request follows the connection by a time slice or two.
  static let firstRequest = TimeAmount.seconds(1)

  /// How long a stop waits for requests in flight.
  static let grace = TimeAmount.seconds(3)
  /// How long a stop waits for the answers to requests that it has cancelled.
  static let cancellation = TimeAmount.seconds(2)
}
