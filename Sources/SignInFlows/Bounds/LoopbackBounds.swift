import NIOCore
import SystemSupport

/// Bounds of one loopback listener, each with its reason.
struct LoopbackBounds: Sendable {
  /// Bytes of a request, line and headers: a callback address of 8 KiB, and as much as servers usually take for the
  /// headers: browsers send along the cookies of every other server on 127.0.0.1, whatever its port.
  var requestBytes = 40 * 1024

  /// Connections at a time: a browser opens a handful, some of them ahead of need.
  var connections = 16

  /// How long a connection may take for its request: browsers send it at once, and close what they opened ahead of need
  /// after about ten seconds.
  var requestTime = TimeAmount.seconds(10)

  /// How long an answer may take: two exchanges with the server, of 12 s each at most, and some.
  var answerTime = TimeAmount.seconds(40)

  /// Connections that wait to be accepted: as many as are served.
  static let backlog: Int32 = 16
}
