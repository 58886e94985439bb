import NIOCore

/// Waits where accept(2) fails, as for want of descriptors. Bound to the event loop.
///
/// SwiftNIO's `AcceptBackoffHandler` does not help against that: after a read that failed the channel stays registered for
/// reading, and the loop spins until a descriptor is free. Without `autoRead` it does not.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private var hasFailed = false

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is IOError, !hasFailed else { return context.fireErrorCaught(error) }
    hasFailed = true
    let channel = context.channel
    channel.setOption(.autoRead, value: false).assumeIsolated().whenComplete { _ in
      channel.eventLoop.assumeIsolated().scheduleTask(in: SocketBounds.acceptPause) {
        self.hasFailed = false
        _ = channel.setOption(.autoRead, value: true)
      }
    }
  }
}
