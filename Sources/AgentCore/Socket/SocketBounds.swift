import CSystemd
import Glibc
import NIOCore
import SystemSupport

/// Bounds of the socket (PR-4), each with its reason.
enum SocketBounds {
  /// Connections at a time: one process with the 200 of a large pool (TK-3), or 200 tools that start at once, and some more;
  /// a third of the usual soft limit of 1024 descriptors (getrlimit(2)), so that the vault and HTTP never lack one.
  static let connections = 320

  /// Connections of one process at a time: a quarter of all stays for everybody else.
  static let connectionsOfOneProcess = 240

  /// Descriptors that the rest of the agent needs where few are allowed: its own 30, a commit's three, a request's socket for
  /// each project, a child process's pipes, and those of callers that are being looked up (`unknownCallers`).
  static let reservedDescriptors = 48

  /// Connections under a limit of `descriptors`: what it leaves beside the reserve and those that wait, and a few in any
  /// case.
  static func connections(descriptors: UInt64) -> Int {
    min(connections, max(4, room(descriptors) - waitingConnections(descriptors: descriptors)))
  }

  /// Connections that were taken from the socket and wait to be served, under a limit of `descriptors`: more than the hundred
  /// or so that one busy process has open at once, and a fifth at most of what there is.
  static func waitingConnections(descriptors: UInt64) -> Int { min(128, max(1, room(descriptors) / 5)) }

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

  /// How long one connection's requests may keep the event loop from the others: about what an answer takes over
  /// the socket, so that nobody who waits for a turn waits twice as long.
  static let turn = TimeAmount.microseconds(25)

  /// Between two turns of those that wait, for all others; and for the processor, which is not theirs alone.
  static let betweenTurns = TimeAmount.microseconds(60)

  /// How long no connection is taken where accept(2) failed: EMFILE and its kind go away by what others do.
  static let acceptPause = TimeAmount.milliseconds(500)

  /// Work beyond the hot path that is done at once: a thousand requests, more than a person's tools make in one go.
  static let savedWork = TimeAmount.milliseconds(100)

  /// And in the long run: a sixteenth of one processor. More, and a client beside a hundred hostile ones waits for a
  /// processor now and then; less, and these cost their well-behaved neighbours on the same queue more time.
  static let workPart = 16

  /// What a request of the general path costs altogether, on the event loop and in its task.
  static let requestCost = TimeAmount.microseconds(100)

  /// What a long read costs outside of its turn, a kilobyte of it: the system calls, copying, fresh memory, and waking the
  /// writer took 30 µs for 8 KiB.
  static let longReadCost = TimeAmount.microseconds(4)

  /// What a turn costs beside its work: a timer, waking up, and looking at the socket again.
  static let turnCost = TimeAmount.microseconds(25)

  /// Between two new connections, each of which costs about as much.
  static let betweenConnections = TimeAmount.microseconds(60)

  /// What a connection costs altogether: accepting it, looking up its caller, closing it. Half of that is the kernel's.
  static let connectionCost = TimeAmount.microseconds(250)

  /// New connections that are served as fast as that: some three hundred, for 200 tools that start at once (TK-3).
  static let savedConnections = TimeAmount.milliseconds(75)

  /// And in the long run: an eighth of one processor, 500 a second. With less, a new client would wait longer behind a
  /// queue of the socket that others keep full: a second now (`ListeningSocket.backlog`).
  static let connectionPart = 8

  /// Of those of one process, where more wait meanwhile: 50 a second. Each is met three times at most, when it comes, is
  /// answered and goes: about one in a hundred of its neighbours' requests. It can keep a connection.
  static let processPart = 80

  /// Past 64 of those a connection that its client has closed before its turn is not served any more. A few requests for whose
  /// answers nobody waits are done, whoever crowds.
  static let manyConnections = connectionCost * 64

  /// Processes whose connections are counted: all that can have used up their own in the time that it takes to save up again
  /// (6 s at 500 a second), with some 50 bytes each.
  static let countedProcesses = 3000

  /// Connections whose callers are not looked up yet, past which no more are served: each holds a descriptor of the process.
  static let unknownCallers = 8

  /// Bytes that are read at once: with the waking of who sent them that takes about as long as a turn.
  static let readPiece = 8 * 1024

  /// A read of this size is more than a request or two: for the next one the connection waits for its turn.
  static let longRead = 4 * 1024

  /// How long a line that has begun may take to end. A client on this machine writes it in one go; a slow one is no
  /// reason to keep its bytes.
  static let lineTime = TimeAmount.seconds(30)

  /// How long a client that has let its answers fill every buffer may stand still.
  static let unreadTime = TimeAmount.seconds(60)

  /// Bytes of all frames over the usual bound together, and of answers over it: two and a half of the longest.
  static let longFrames = 32 * 1024 * 1024

  /// Unsent bytes of one connection at which no more is read from it, and at which reading goes on: some hundred answers,
  /// beside the kernel's own buffer of about 200 KiB.
  static let writeWatermarks = ChannelOptions.Types.WriteBufferWaterMark(low: 64 * 1024, high: 256 * 1024)

  /// Answers are handed to the kernel in pieces of this size while requests are still being read.
  static let writePiece = 64 * 1024

  /// Unsent bytes of notifications at which a subscriber is cut off: some thousand events.
  static let unsentNotifications = 1024 * 1024

  /// How long a stop waits for the first request of who has just connected (OP-2): on a busy machine that follows the
  /// connection by a time slice or two.
  static let firstRequest = TimeAmount.seconds(1)

  /// How long a stop waits for requests in flight (OP-2).
  static let grace = TimeAmount.seconds(3)
  /// How long a stop waits for the answers to requests that it has cancelled.
  static let cancellation = TimeAmount.seconds(2)
}
