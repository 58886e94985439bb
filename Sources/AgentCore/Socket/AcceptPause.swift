import NIOCore

/// Takes one new connection, then looks at those that are there: a process that connects over and over would otherwise
/// keep the event loop, for a connection costs more than an answer. Where accept(2) fails, as for want of descriptors, it
/// waits. Bound to the event loop.
///
/// SwiftNIO's `AcceptBackoffHandler` does not help against the second: after a read that failed the channel stays
/// registered for reading, and the loop spins until a descriptor is free. Without `autoRead` it does not.
final class AcceptPause: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = any Channel

  /// What the last ones have left to do elsewhere.
  private let waiting: () -> Int
  private var allowance = WorkAllowance(saved: SocketBounds.savedConnections, part: SocketBounds.connectionPart)
  private var hasAccepted = false
  private var hasFailed = false

  init(waiting: @escaping () -> Int) { self.waiting = waiting }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    hasAccepted = true
    allowance.spend(SocketBounds.connectionCost)
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    guard hasAccepted else { return context.read() }
    let pause = max(SocketBounds.betweenConnections, allowance.wait())
    context.eventLoop.assumeIsolated().scheduleTask(in: pause) {
      self.hasAccepted = self.waiting() >= SocketBounds.unknownCallers
      self.read(context: context)
    }
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
