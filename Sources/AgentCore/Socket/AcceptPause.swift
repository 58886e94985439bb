import Glibc
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

  private let socket: CInt
  /// What the last ones have left to do elsewhere.
  private let waiting: () -> Int
  private var allowance = WorkAllowance(saved: SocketBounds.savedConnections, part: SocketBounds.connectionPart)
  private var hasAccepted = false
  private var hasFailed = false

  /// - Parameter socket: the listening one, open as long as the channel.
  init(_ socket: CInt, waiting: @escaping () -> Int) { (self.socket, self.waiting) = (socket, waiting) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    hasAccepted = true
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    guard hasAccepted else { return context.read() }
    let pause = max(SocketBounds.betweenConnections, allowance.wait())
    context.eventLoop.assumeIsolated().scheduleTask(in: pause) {
      self.hasAccepted = self.waiting() >= SocketBounds.unknownCallers
      if !self.hasAccepted, self.hasQueue { self.allowance.spend(SocketBounds.connectionCost) }
      self.read(context: context)
    }
  }

  /// Whether somebody waits already. One client that connects over and over, each time after its answer, is no crowd, and
  /// is not made to wait.
  private var hasQueue: Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
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
