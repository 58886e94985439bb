import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Synchronization

/// The first handler of a connection. Takes the connection over if it begins with a WebSocket
/// handshake for `/realtime/v1/websocket` (RFC 6455, section 4.2), and otherwise removes itself.
/// Bound to the event loop of its channel.
///
/// Hummingbird's server has no upgrades without another package, so the handshake is read before its
/// HTTP handlers, which then see a connection without any request. A handshake after another request
/// on the same connection is not recognized; no WebSocket client does that.
final class RealtimeGate: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let start = Array("GET /realtime/v1/websocket".utf8)
  /// The maximum size of the handshake: that of Phoenix's server.
  private static let maxHead = 16 * 1024

  private let backend: Backend
  private var received = ByteBuffer()
  private var hasTakenOver = false

  init(_ backend: Backend) { self.backend = backend }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if hasTakenOver { return context.fireChannelRead(data) }
    var piece = unwrapInboundIn(data)
    received.writeBuffer(&piece)
    let bytes = received.readableBytesView
    guard bytes.starts(with: Self.start.prefix(bytes.count)), bytes.count <= Self.maxHead else {
      return letThrough(context)
    }
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    guard let request = Incoming(head: head), request.header("upgrade")?.lowercased() == "websocket",
      let key = request.header("sec-websocket-key")
    else { return letThrough(context) }
    let rest = received.getSlice(at: end.upperBound, length: received.writerIndex - end.upperBound)
    takeOver(context, request, key, rest ?? ByteBuffer())
  }

  private func letThrough(_ context: ChannelHandlerContext) {
    context.fireChannelRead(wrapInboundOut(received))
    context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
  }

  private func takeOver(_ context: ChannelHandlerContext, _ request: Incoming, _ key: String, _ rest: ByteBuffer) {
    hasTakenOver = true
    let waiters = backend.journal.withLock { $0.note(request, .realtime) }
    for waiter in waiters { waiter.resume() }
    if let refusal = refusal(of: request) {
      let channel = context.channel
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: refusal))).whenComplete { _ in
        channel.close(promise: nil)
      }
      return
    }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: Self.acceptance(key))), promise: nil)
    let connection = RealtimeConnection(backend, connectionToken: Self.connectionToken(request))
    do {
      let pipeline = context.pipeline.syncOperations
      try pipeline.addHandlers(
        [
          WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 1 << 20)),
          NIOWebSocketFrameAggregator(
            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: .max, maxAccumulatedFrameSize: 1 << 20), connection,
        ], position: .after(self))
      if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
    } catch {
      context.close(promise: nil)
    }
  }

  /// The gateway's or Realtime's answer to a handshake without a valid key or token.
  private func refusal(of request: Incoming) -> String? {
    var answer = backend.gatewayRefusal(request)
    if answer == nil {
      switch backend.serviceCaller(token: Self.connectionToken(request)) {
      case .user, .anonymous: return nil
      case .expired, .invalid: answer = Answer(status: 403)
      }
    }
    guard let answer else { return nil }
    let status = HTTPResponseStatus(statusCode: answer.status)
    return "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\ncontent-type: application/json\r\n"
      + "content-length: \(answer.body.count)\r\nconnection: close\r\n\r\n"
      + String(decoding: answer.body, as: UTF8.self)
  }

  /// The header `x-api-key` comes first (`UserSocket.access_token` of supabase/realtime).
  private static func connectionToken(_ request: Incoming) -> String? {
    request.header("x-api-key") ?? request.parameter("apikey") ?? request.header("apikey")
  }

  private static func acceptance(_ key: String) -> String {
    let digest = Digest.sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
    return "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
      + "sec-websocket-accept: \(Data(digest).base64EncodedString())\r\n\r\n"
  }
}

extension Incoming {
  /// Parses the head of a handshake, without the blank line; nil if it is not complete.
  fileprivate init?(head: String) {
    let lines = head.split(separator: "\r\n")
    guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
    let halves = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      return (parts[0].lowercased(), String(parts[1].drop { $0 == " " }))
    }
    self.init(
      method: String(words[0]), path: FormCoding.unescape(halves[0]), target: String(words[1]),
      query: halves.count > 1 ? FormCoding.decode(halves[1]) : [], headers: headers, body: [])
  }
}
