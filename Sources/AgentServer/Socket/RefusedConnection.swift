import AgentProtocol
import NIOCore

/// A connection that gets no service: told why in one line, then closed. Not a byte of it is read.
final class RefusedConnection: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let error: AgentError

  init(_ error: AgentError) { self.error = error }

  func channelActive(context: ChannelHandlerContext) {
    var message = Outgoing.error(error, id: Incoming.nullID)
    message.writeInteger(UInt8(ascii: "\n"))
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(message)).whenComplete { _ in channel.close(promise: nil) }
  }

  func read(context: ChannelHandlerContext) {}
}
