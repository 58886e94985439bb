import NIOCore

/// Passes on what a connection receives only as the later handlers ask for it, and the end behind it.
/// Bound to the event loop.
///
/// A channel reads everything that has arrived once the other side has closed its end, whether anybody asks
/// for it or not. And the time that a read takes depends on the number of its parts: thousands of chunks of
/// one byte delay all other connections. So bytes with many parts are passed on in small portions, one portion
/// of all connections at a time.
final class PacedReads: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = Never
  typealias OutboundOut = Never

  private var held = ByteBuffer()
  private var isWanted = false
  private var isScheduled = false
  /// The maximum size of a portion: doubled as long as portions are filled and have few parts.
  private var limit = EgressLimits.smallRead
  /// The number of parts of the current portion.
  private var parts = 0
  private var hasMany = false
  /// True if the other side has closed its end, which the later handlers do not know yet.
  private var isEndHeld = false

  private let pacer: Pacer

  init(_ pacer: Pacer) { self.pacer = pacer }

  /// Called for each part that the later handlers have made of a portion.
  func notePart() { parts += 1 }

  func read(context: ChannelHandlerContext) {
    isWanted = true
    if held.readableBytes > 0 || isEndHeld { passLater(context) } else { context.read() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var data = unwrapInboundIn(data)
    if held.readableBytes == 0 { held = data } else { held.writeBuffer(&data) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    guard isWanted else { return }
    if hasMany { passLater(context) } else { pass(context) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed? = event as? ChannelEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    isEndHeld = true
    if held.readableBytes == 0 { passLater(context) }
  }

  /// The end is passed on in the next pass of the event loop: bytes that arrived together with a 101 leave
  /// the decoder by then, which drops them once it has seen the end.
  func channelInactive(context: ChannelHandlerContext) {
    isWanted = false
    if held.readableBytes > 0 { passHeld(context, held.readableBytes) }
    isEndHeld = false
    context.eventLoop.assumeIsolated().execute { context.fireChannelInactive() }
  }

  private func passLater(_ context: ChannelHandlerContext) {
    guard !isScheduled else { return }
    isScheduled = true
    let pass = {
      self.isScheduled = false
      self.pass(context)
    }
    if hasMany, held.readableBytes > 0 {
      pacer.add(pass)
    } else {
      context.eventLoop.assumeIsolated().execute(pass)
    }
  }

  private func pass(_ context: ChannelHandlerContext) {
    if held.readableBytes > 0 {
      guard isWanted else { return }
      isWanted = false
      passHeld(context, min(held.readableBytes, limit))
    } else if isEndHeld {
      isEndHeld = false
      context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
  }

  private func passHeld(_ context: ChannelHandlerContext, _ count: Int) {
    guard let bytes = held.readSlice(length: count) else { return }
    if held.readableBytes == 0 { held = ByteBuffer() }
    parts = 0
    context.fireChannelRead(wrapInboundOut(bytes))
    hasMany = parts > EgressLimits.maxParts
    if hasMany {
      limit = EgressLimits.smallRead
    } else if count == limit {
      limit = min(2 * limit, EgressLimits.readPiece)
    }
    context.fireChannelReadComplete()
  }
}

/// Performs the portions with many parts, of all connections of an event loop, one after the other. Bound to the
/// event loop.
final class Pacer {
  private let eventLoop: any EventLoop
  private var portions = CircularBuffer<() -> Void>()

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func add(_ portion: @escaping () -> Void) {
    portions.append(portion)
    if portions.count == 1 { schedule() }
  }

  /// The loop looks at its sockets only when no task is left that is due.
  private func schedule() {
    eventLoop.assumeIsolated().scheduleTask(in: EgressLimits.betweenSmallReads) {
      self.portions.first?()
      self.portions.removeFirst()
      if !self.portions.isEmpty { self.schedule() }
    }
  }
}

extension ByteBuffer {
  /// Appends `piece`, unless one of both is large. Pieces of a body are joined, because each that is passed on
  /// takes time and memory of its own.
  ///
  /// - Returns: false if nothing was appended.
  mutating func join(_ piece: ByteBuffer) -> Bool {
    guard readableBytes + piece.readableBytes <= EgressLimits.joinedPiece else { return false }
    writeImmutableBuffer(piece)
    return true
  }
}
