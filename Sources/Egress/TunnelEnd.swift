import NIOCore
import SystemSupport

/// One end of a tunnel: passes bytes to the other end, as fast as that one takes them. Bound to the
/// event loop.
final class TunnelEnd: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let connection: EgressConnection
  private var partner: TunnelEnd?
  private var context: ChannelHandlerContext?
  private var isReadWanted = false

  private init(_ connection: EgressConnection) { self.connection = connection }

  /// Returns both ends of a client's connection.
  static func pair(_ connection: EgressConnection) -> (client: TunnelEnd, server: TunnelEnd) {
    let (client, server) = (TunnelEnd(connection), TunnelEnd(connection))
    (client.partner, server.partner) = (server, client)
    return (client, server)
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  /// Starts to read. Call when both ends are in place.
  func begin() { read() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.touch()
    partner?.context?.writeAndFlush(data, promise: nil)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    read()
    context.fireChannelReadComplete()
  }

  private func read() {
    guard let other = partner?.context else { return }
    guard other.channel.isWritable else {
      isReadWanted = true
      return
    }
    isReadWanted = false
    context?.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable, let partner, partner.isReadWanted { partner.read() }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    close()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { close() }

  /// Closes both ends; what was written before is flushed by then or lost with the peer.
  private func close() {
    let (own, other) = (context, partner)
    (context, partner) = (nil, nil)
    other?.partner = nil
    own?.channel.close(promise: nil)
    if let context = other?.context {
      other?.context = nil
      // An empty write completes after everything before it.
      let channel = context.channel
      channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
    }
    connection.ended()
  }
}

/// The key in the query of a Realtime connection. Pure.
enum RealtimeKey {
  /// Returns `target` with `key` as the only `apikey` of its query.
  static func replaced(in target: String, with key: String) -> String {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let others = parts.dropFirst().flatMap { $0.split(separator: "&") }.filter { !$0.hasPrefix("apikey=") }
    return parts[0] + "?" + (["apikey=\(PercentEncoding.encode(key))"] + others).joined(separator: "&")
  }
}
