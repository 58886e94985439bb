import NIOCore
import SystemSupport

/// One end of a tunnel: passes bytes to the other end, as fast as that one takes them. Bound to the
/// event loop.
final class TunnelEnd: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let connection: EgressConnection
  private var partner: TunnelEnd?
  /// Nil when the tunnel is closed.
  private var context: ChannelHandlerContext?
  private var isReadWanted = false
  /// Pieces that are not written yet.
  private var unwritten = 0
  /// False while a handler in the pipeline would take what is written for a part of a request.
  private var takesBytes: Bool

  private init(_ connection: EgressConnection, takesBytes: Bool) {
    (self.connection, self.takesBytes) = (connection, takesBytes)
  }

  /// Returns both ends of a client's connection. The server's takes bytes after `begin`.
  static func pair(_ connection: EgressConnection) -> (client: TunnelEnd, server: TunnelEnd) {
    let (client, server) = (TunnelEnd(connection, takesBytes: true), TunnelEnd(connection, takesBytes: false))
    (client.partner, server.partner) = (server, client)
    return (client, server)
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  var isClosed: Bool { context == nil }

  /// Starts to read. Call when both ends are in place.
  func begin() {
    takesBytes = true
    read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.touch()
    partner?.write(data)
  }

  private func write(_ piece: NIOAny) {
    guard let context else { return }
    unwritten += 1
    context.writeAndFlush(piece).assumeIsolated().whenComplete { _ in
      self.unwritten -= 1
      self.readMore()
    }
  }

  private var isWritable: Bool {
    unwritten < EgressLimits.maxUnwritten && context?.channel.isWritable ?? false
  }

  /// Lets the other end read again if it waits for this one.
  private func readMore() {
    if isWritable, let partner, partner.isReadWanted { partner.read() }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    read()
    context.fireChannelReadComplete()
  }

  private func read() {
    guard let partner, partner.context != nil else { return }
    isReadWanted = !partner.isWritable
    if !isReadWanted { context?.read() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    readMore()
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    close()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { close() }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { close() }

  /// Closes both ends; what was written before is flushed by then or lost with the peer.
  private func close() {
    let (own, other) = (context, partner)
    (context, partner) = (nil, nil)
    other?.partner = nil
    own?.channel.close(promise: nil)
    other?.closeWhenWritten()
    connection.ended()
  }

  private func closeWhenWritten() {
    guard let channel = context?.channel else { return }
    context = nil
    guard takesBytes else { return channel.close(promise: nil) }
    // An empty write completes after everything before it.
    channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
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
