import NIOCore
import NIOHTTP1

/// One connection: one request of limited size, one response, then the connection is closed. Bound
/// to its event loop.
final class LoopbackConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart

  private let bounds: LoopbackLimits
  private let answer: LoopbackListener.Answering
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isAnswered = false
  private var limit: Scheduled<Void>?

  private init(bounds: LoopbackLimits, answer: @escaping LoopbackListener.Answering) {
    self.bounds = bounds
    self.answer = answer
  }

  /// Adds the handlers of a connection to `channel`. Call on the channel's event loop.
  static func add(
    to channel: any Channel, bounds: LoopbackLimits, answer: @escaping LoopbackListener.Answering
  ) throws {
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandlers(
      RequestBytes(limit: bounds.maxRequestBytes),
      ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)),
      LoopbackConnection(bounds: bounds, answer: answer))
  }

  func handlerAdded(context: ChannelHandlerContext) { close(context.channel, in: bounds.requestTimeout) }

  func channelInactive(context: ChannelHandlerContext) {
    limit?.cancel()
    isAnswered = true
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = self.head ?? head
    case .body(let piece): take(piece, context.channel)
    case .end: requestEnded(context.channel)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let isTooLong = (error as? HTTPParserError) == .headerOverflow || error is RequestBytes.TooMany
    send(isTooLong ? .refused(431) : .refused(400), on: context.channel)
  }

  private func take(_ piece: ByteBuffer, _ channel: any Channel) {
    guard body.count + piece.readableBytes <= SignInLimits.maxFormLength else {
      return send(.refused(413), on: channel)
    }
    body += piece.readableBytesView
  }

  private func requestEnded(_ channel: any Channel) {
    guard !isAnswered, let head, let port = channel.localAddress?.port else { return }
    do throws(LoopbackAnswer) {
      serve(try LoopbackRequest(head, body: body, port: port), on: channel)
    } catch {
      send(error, on: channel)
    }
  }

  /// Serves a request. The response may have to wait for the server.
  private func serve(_ request: LoopbackRequest, on channel: any Channel) {
    isAnswered = true
    body = []
    close(channel, in: bounds.responseTimeout)
    let answer = answer
    Task { LoopbackConnection.finish(await answer(request), on: channel) }
  }

  private func send(_ answer: LoopbackAnswer, on channel: any Channel) {
    guard !isAnswered else { return }
    isAnswered = true
    Self.finish(answer, on: channel)
  }

  private static func finish(_ answer: LoopbackAnswer, on channel: any Channel) {
    channel.writeAndFlush(answer.bytes).whenComplete { _ in channel.close(promise: nil) }
  }

  private func close(_ channel: any Channel, in time: TimeAmount) {
    limit?.cancel()
    limit = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }
}

/// Rejects a connection that sends more bytes than a request may have. Bound to its event loop.
private final class RequestBytes: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  struct TooMany: Error {}

  private let limit: Int
  private var received = 0

  init(limit: Int) { self.limit = limit }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let wasWithin = received <= limit
    received += unwrapInboundIn(data).readableBytes
    if received <= limit { return context.fireChannelRead(data) }
    if wasWithin { context.fireErrorCaught(TooMany()) }
  }
}
