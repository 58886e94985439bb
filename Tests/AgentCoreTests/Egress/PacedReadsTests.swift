import NIOCore
import NIOEmbedded
import Testing

@testable import Egress

/// What a connection passes on in one pass of the event loop, whatever has arrived.
@Suite struct PacedReadsTests {
  /// Takes portions, and says that each byte is a part, or that all bytes are one.
  private final class Reader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    let reads: PacedReads
    let hasMany: Bool
    var portions: [Int] = []
    var isEnded = false

    init(_ reads: PacedReads, hasMany: Bool) { (self.reads, self.hasMany) = (reads, hasMany) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      portions.append(unwrapInboundIn(data).readableBytes)
      for _ in 0..<(hasMany ? portions[portions.count - 1] : 1) { reads.notePart() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case ChannelEvent.inputClosed? = event as? ChannelEvent { isEnded = true }
    }

    func channelInactive(context: ChannelHandlerContext) { isEnded = true }
  }

  private func reader(hasMany: Bool, _ body: (EmbeddedChannel, Reader) throws -> Void) throws {
    let loop = EmbeddedEventLoop()
    let reads = PacedReads(Pacer(loop))
    let reader = Reader(reads, hasMany: hasMany)
    let channel = EmbeddedChannel(handlers: [reads, reader], loop: loop)
    try body(channel, reader)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  private func readAll(_ channel: EmbeddedChannel, _ reader: Reader) {
    while !reader.isEnded {
      channel.read()
      channel.embeddedEventLoop.advanceTime(by: EgressLimits.betweenSmallReads)
    }
  }

  @Test("bytes with many parts are passed on in small portions, others in growing ones")
  func boundsPortions() throws {
    let count = 300_000
    try reader(hasMany: true) { channel, reader in
      channel.read()
      try channel.writeInbound(ByteBuffer(repeating: 0, count: count))
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      readAll(channel, reader)
      #expect(reader.portions.allSatisfy { $0 <= EgressLimits.smallRead } && reader.portions.reduce(0, +) == count)
    }
    try reader(hasMany: false) { channel, reader in
      channel.read()
      try channel.writeInbound(ByteBuffer(repeating: 0, count: count))
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      readAll(channel, reader)
      #expect(reader.portions.max() == EgressLimits.readPiece && reader.portions.reduce(0, +) == count)
    }
  }

  @Test("what has arrived before the end waits until it is asked for, and the end behind it")
  func holdsBack() throws {
    try reader(hasMany: false) { channel, reader in
      for _ in 0..<3 { try channel.writeInbound(ByteBuffer(repeating: 0, count: 100)) }
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      channel.embeddedEventLoop.run()
      #expect(reader.portions.isEmpty && !reader.isEnded)
      readAll(channel, reader)
      #expect(reader.portions == [300])
    }
  }

  @Test("one portion with many parts is passed on at a time, of all connections")
  func takesTurns() throws {
    let loop = EmbeddedEventLoop()
    let pacer = Pacer(loop)
    var order: [Int] = []
    for number in 0..<3 { pacer.add { order.append(number) } }
    for count in 1...3 {
      loop.advanceTime(by: EgressLimits.betweenSmallReads)
      #expect(order == Array(0..<count))
    }
  }
}
