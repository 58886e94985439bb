import NIOCore

/// Bounds of the socket (PR-4), each with its reason.
enum SocketBounds {
  /// Connections at a time: 200 tools that start at once, and some more; a quarter of the usual soft limit of 1024
  /// descriptors (getrlimit(2)), so that the vault and HTTP never lack one.
  static let connections = 256

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
}
