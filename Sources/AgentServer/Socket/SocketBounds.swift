import CSystemd
import Glibc
import NIOCore
import SystemSupport

/// Bounds of the socket (PR-4), each with its reason.
package enum SocketBounds {
  /// Connections at once that count as a burst: more than the tools of a person keep open.
  static let burst = 32

  /// Connections at a time: one process with the 200 of a large pool (TK-3), or 200 tools that start at once, and some more;
  /// a third of the usual soft limit of 1024 descriptors (getrlimit(2)), so that the vault and HTTP never lack one.
  static let connections = 320

  /// Connections of one process at a time: a quarter of all stays for everybody else.
  static let connectionsOfOneProcess = 240

  /// Descriptors that the rest of the agent needs where few are allowed: its own 30, a commit's three, a request's socket for
  /// each project, a child process's pipes.
  static let reservedDescriptors = 48

  /// Connections under a limit of `descriptors`: what it leaves beside the reserve and the lookups, and a few in any case.
  static func connections(descriptors: UInt64) -> Int {
    min(connections, max(4, room(descriptors) - callerLookups(descriptors: descriptors)))
  }

  /// Callers that are being looked up under a limit of `descriptors`, each with one of them: a fifth at most of what there is.
  static func callerLookups(descriptors: UInt64) -> Int { min(128, max(1, room(descriptors) / 5)) }

  private static func room(_ descriptors: UInt64) -> Int {
    // RLIM_INFINITY is more than an Int holds.
    Int(clamping: descriptors) - min(reservedDescriptors, Int(clamping: descriptors))
  }

  /// RLIMIT_NOFILE of this process, getrlimit(2); the usual one where it cannot be read.
  static var descriptorLimit: UInt64 {
    var limit: UInt64 = 1024
    _ = ritual_soft_limit(Int32(RLIMIT_NOFILE.rawValue), &limit)
    return limit
  }

  /// How long no connection is taken where accept(2) failed: EMFILE and its kind go away by what others do.
  static let acceptPause = TimeAmount.milliseconds(500)

  /// Until it is looked again whether the lookups of callers have caught up.
  static let lookupPause = TimeAmount.milliseconds(1)

  /// Connections that are accepted in one pass of the event loop: each costs some 50 µs.
  static let acceptsPerPass: UInt = 4

  /// Maximum bytes read from a connection in one pass of the event loop: five or six token requests, about 35 µs of work.
  /// Beside 100 clients that send token requests without a pause, the p99 of another client is 7 ms. With 1 KiB it was 12 ms,
  /// with 2 KiB 13 ms.
  static let readPiece = 512

  /// The same inside a long line whose memory is reserved.
  static let longReadPiece = 64 * 1024

  /// The longest line that is parsed on the event loop: some 10 µs. A longer one is parsed by a task.
  static let parsedOnLoop = 4 * 1024

  /// Until frames that wait for room are tried again after some was freed: the loop looks at its sockets in between. And
  /// where nothing told of any.
  static let retryPause = TimeAmount.microseconds(50)
  static let longRetryPause = TimeAmount.milliseconds(10)

  /// How long a line that has begun may take to end. A client on this machine writes it in one go; a slow one is no
  /// reason to keep its bytes.
  static let lineTime = TimeAmount.seconds(30)

  /// How long a client that has let its answers fill every buffer may stand still.
  static let unreadTime = TimeAmount.seconds(60)

  /// Bytes of all lines over the usual bound together: two and a half of the longest.
  static let longFrames = 32 * 1024 * 1024

  /// Unsent bytes of one connection at which no more is read from it, and at which reading goes on: some dozen tokens, beside
  /// the kernel's own buffer of about 200 KiB.
  static let writeWatermarks = ChannelOptions.Types.WriteBufferWaterMark(low: 32 * 1024, high: 64 * 1024)

  /// Answers are handed to the kernel in pieces of this size while requests are still being read.
  static let writePiece = 64 * 1024

  /// How long a stop waits for the first request of who has just connected (OP-2): on a busy machine that follows the
  /// connection by a time slice or two.
  static let firstRequest = TimeAmount.seconds(1)

  /// How long a stop waits for requests in flight (OP-2).
  static let grace = TimeAmount.seconds(3)
  /// How long a stop waits for the answers to requests that it has cancelled.
  static let cancellation = TimeAmount.seconds(2)
}
