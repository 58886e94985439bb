import Glibc
import NIOCore
import SystemSupport

/// Takes new connections from the socket one at a time, and looks at those that are there in between: a process that connects
/// over and over would otherwise keep the event loop. Serves them in the order and at the rates of `ConnectionQueue`. Bound to
/// the event loop of the listening channel.
final class ConnectionTurns: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = any Channel

  private let socket: CInt
  /// How many of those served last have their callers still looked up, elsewhere.
  private let lookUps: () -> Int
  private let clock: any AgentClock
  private let state: ServerState
  private var queue: ConnectionQueue<Accepted>
  private var scheduled: Scheduled<Void>?
  /// How long none is taken after the last.
  private var pause: TimeAmount?
  private var isReadWanted = false

  private struct Accepted {
    let channel: NIOAny
    let time: BootTime
  }

  /// - Parameter socket: the listening one, open as long as the channel.
  init(_ socket: CInt, most: Int, clock: any AgentClock, _ state: ServerState, lookUps: @escaping () -> Int) {
    self.socket = socket
    self.clock = clock
    self.state = state
    self.lookUps = lookUps
    queue = ConnectionQueue(most: most, now: .now())
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = unwrapInboundIn(data)
    // Of whom the kernel tells nothing, the connection is refused when its turn comes.
    let process = channel.descriptor.flatMap { Peer(of: $0) }?.pid ?? 0
    pause = SocketBounds.betweenConnections
    guard !queue.makesMany(process, now: .now()) || !drop(channel) else {
      queue.spend(process, now: .now())
      pause = max(SocketBounds.betweenConnections, queue.pause(now: .now()))
      return
    }
    queue.append(Accepted(channel: data, time: clock.now), of: process)
    serveNext(context)
  }

  /// Takes no more than can wait here.
  func read(context: ChannelHandlerContext) {
    guard !queue.isFull else {
      isReadWanted = true
      return
    }
    guard let pause else { return context.read() }
    self.pause = nil
    context.eventLoop.assumeIsolated().scheduleTask(in: pause) { context.read() }
  }

  /// Who was taken from the socket is nobody else's to serve.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    scheduled?.cancel()
    for connection in queue.drain() { serve(connection, context) }
    context.close(mode: mode, promise: promise)
  }

  /// Where the socket failed nobody has asked for the end.
  func handlerRemoved(context: ChannelHandlerContext) {
    scheduled?.cancel()
    for connection in queue.drain() { unwrapInboundIn(connection.channel).close(promise: nil) }
  }

  private func serveNext(_ context: ChannelHandlerContext) {
    let canLookUp = lookUps() < SocketBounds.unknownCallers
    if canLookUp, let next = queue.next(hasBehind: hasBehind, now: .now()) {
      if !next.isOfMany || !drop(unwrapInboundIn(next.connection.channel)) { serve(next.connection, context) }
    }
    scheduled?.cancel()
    if let pause = queue.wait(now: .now()) { schedule(in: max(SocketBounds.betweenConnections, pause), context) }
    readAgain(context)
  }

  /// The child's initializer runs before this returns.
  private func serve(_ connection: Accepted, _ context: ChannelHandlerContext) {
    state.acceptedAt = connection.time
    context.fireChannelRead(connection.channel)
  }

  /// Closes a connection whose client has closed it already, so that nobody waits for its answers.
  ///
  /// - Returns: whether it had.
  private func drop(_ channel: any Channel) -> Bool {
    guard let descriptor = channel.descriptor, Self.events(descriptor) & POLLHUP != 0 else { return false }
    channel.close(promise: nil)
    return true
  }

  private func schedule(in pause: TimeAmount, _ context: ChannelHandlerContext) {
    scheduled = context.eventLoop.assumeIsolated().scheduleTask(in: pause) { self.serveNext(context) }
  }

  private func readAgain(_ context: ChannelHandlerContext) {
    guard isReadWanted, !queue.isFull else { return }
    isReadWanted = false
    read(context: context)
  }

  /// Whether more wait at the socket.
  private var hasBehind: Bool { Self.events(socket) & POLLIN != 0 }

  private static func events(_ descriptor: CInt) -> Int32 {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1 ? Int32(entry.revents) : 0
  }
}

extension Channel {
  /// Its socket, on its event loop and before it has closed.
  fileprivate var descriptor: CInt? {
    try? pipeline.syncOperations.withUnsafeTransportIfAvailable { (descriptor: NIOBSDSocket.Handle) in descriptor }
  }
}
