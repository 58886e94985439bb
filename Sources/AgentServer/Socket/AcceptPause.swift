import NIOCore

/// Accepts no connections for a moment where accept(2) failed, as for want of descriptors, and while the lookups of callers,
/// each of which holds a descriptor, are far behind. Bound to the event loop.
///
/// SwiftNIO's `AcceptBackoffHandler` does not help against a failure: after a read that failed the channel stays registered for
/// reading, and the loop spins until a descriptor is free. Without `autoRead` it does not.
final class AcceptPause: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = any Channel

  private let maxLookups: Int
  private let lookups: () -> Int
  private var hasFailed = false

  /// - Parameter lookups: how many callers are being looked up.
  init(maxLookups: Int, lookups: @escaping () -> Int) { (self.maxLookups, self.lookups) = (maxLookups, lookups) }

  func read(context: ChannelHandlerContext) {
    guard lookups() >= maxLookups else { return context.read() }
    context.eventLoop.assumeIsolated().scheduleTask(in: SocketBounds.lookupPause) { self.read(context: context) }
  }

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
