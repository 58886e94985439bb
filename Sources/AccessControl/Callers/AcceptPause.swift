package import NIOCore

/// Pauses accepting after accept(2) has failed, for example for lack of descriptors, and while too
/// many accepted connections wait. Bound to the event loop.
///
/// SwiftNIO's `AcceptBackoffHandler` does not help against a failure: after a failed read the
/// channel stays registered for reading, and the loop spins until a descriptor is free. Without
/// `autoRead` it does not spin.
package final class AcceptPause: ChannelDuplexHandler {
  package typealias InboundIn = any Channel
  package typealias InboundOut = any Channel
  package typealias OutboundIn = any Channel

  /// Pause after accept(2) has failed. Errors such as EMFILE end only when descriptors are closed
  /// elsewhere.
  private static let failurePause = TimeAmount.milliseconds(500)

  private let maxWaiting: Int
  private let pause: TimeAmount
  private let waiting: () -> Int
  private var hasFailed = false

  /// - Parameters:
  ///   - pause: interval of checks while there are too many.
  ///   - waiting: returns the number of connections that wait.
  package init(
    maxWaiting: Int = .max, pause: TimeAmount = .milliseconds(1), waiting: @escaping () -> Int = { 0 }
  ) {
    (self.maxWaiting, self.pause, self.waiting) = (maxWaiting, pause, waiting)
  }

  package func read(context: ChannelHandlerContext) {
    guard waiting() >= maxWaiting else { return context.read() }
    context.eventLoop.assumeIsolated().scheduleTask(in: pause) { self.read(context: context) }
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is IOError, !hasFailed else { return context.fireErrorCaught(error) }
    hasFailed = true
    let channel = context.channel
    channel.setOption(.autoRead, value: false).assumeIsolated().whenComplete { _ in
      channel.eventLoop.assumeIsolated().scheduleTask(in: Self.failurePause) {
        self.hasFailed = false
        _ = channel.setOption(.autoRead, value: true)
      }
    }
  }
}
