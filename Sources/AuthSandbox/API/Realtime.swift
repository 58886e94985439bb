import NIOCore
import NIOWebSocket

/// One Realtime connection: Phoenix channels in JSON, as an object (`vsn=1.0.0`) or an array
/// (`vsn=2.0.0`). Bound to the event loop of its channel.
///
/// A channel runs as the user of its token: that of `phx_join`, or that of the connection if the join
/// has none or one that starts with `sb_` (`assign_access_token` of supabase/realtime). Public channels
/// are open to every valid token, private ones to users. A broadcast returns to its sender if the join
/// asked for that (`self`), and reaches nobody else. A binary message is returned unchanged.
final class RealtimeConnection: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private struct Room {
    let returnsToSender: Bool
    let acknowledges: Bool
    let joinReference: JSON
  }

  private let backend: Backend
  private let connectionToken: String?
  private var rooms: [String: Room] = [:]

  init(_ backend: Backend, connectionToken: String?) {
    (self.backend, self.connectionToken) = (backend, connectionToken)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text:
      guard let message = try? JSON(parsing: Array(frame.unmaskedData.readableBytesView)) else { return }
      receive(PhoenixMessage(message), context)
    case .binary: send(frame.unmaskedData, .binary, context)
    case .ping: send(frame.unmaskedData, .pong, context)
    case .connectionClose:
      send(frame.unmaskedData, .connectionClose, context)
      context.close(promise: nil)
    default: break
    }
  }

  private func receive(_ message: PhoenixMessage, _ context: ChannelHandlerContext) {
    switch message.event {
    case "heartbeat" where message.topic == "phoenix": reply(to: message, "ok", [:], context)
    case "phx_join": join(message, context)
    case "phx_leave":
      rooms[message.topic] = nil
      reply(to: message, "ok", [:], context)
      send(message.following("phx_close", [:]), context)
    case "broadcast": broadcast(message, context)
    case "access_token": changeToken(message, context)
    default: break
    }
  }

  private func join(_ message: PhoenixMessage, _ context: ChannelHandlerContext) {
    let config = message.payload["config"]
    switch backend.serviceCaller(token: channelToken(message)) {
    case .expired: return reply(to: message, "error", ["reason": "InvalidJWTToken: Token has expired"], context)
    case .invalid:
      return reply(to: message, "error", ["reason": "JwtSignatureError: Failed to validate JWT signature"], context)
    case .anonymous where config?["private"] == .bool(true):
      let room = message.topic.dropFirst("realtime:".count)
      let reason = "Unauthorized: You do not have permissions to read from this Channel topic: \(room)"
      return reply(to: message, "error", ["reason": .string(reason)], context)
    case .anonymous, .user: break
    }
    rooms[message.topic] = Room(
      returnsToSender: config?["broadcast"]?["self"] == .bool(true),
      acknowledges: config?["broadcast"]?["ack"] == .bool(true), joinReference: message.joinReference)
    reply(to: message, "ok", ["postgres_changes": .array([])], context)
  }

  private func channelToken(_ message: PhoenixMessage) -> String? {
    guard let own = message.payload["access_token"]?.string, !own.hasPrefix("sb_") else { return connectionToken }
    return own
  }

  private func broadcast(_ message: PhoenixMessage, _ context: ChannelHandlerContext) {
    guard let room = rooms[message.topic] else {
      return reply(to: message, "error", ["reason": "unmatched topic"], context)
    }
    if room.returnsToSender {
      var copy = message
      (copy.reference, copy.joinReference) = (.null, .null)
      send(copy, context)
    }
    if room.acknowledges { reply(to: message, "ok", [:], context) }
  }

  /// A new token for a channel. One that starts with `sb_` changes nothing; a bad one ends the channel.
  private func changeToken(_ message: PhoenixMessage, _ context: ChannelHandlerContext) {
    guard let token = message.payload["access_token"]?.string, !token.hasPrefix("sb_"),
      let room = rooms[message.topic]
    else { return }
    switch backend.serviceCaller(token: token) {
    case .user, .anonymous: return
    case .expired, .invalid:
      rooms[message.topic] = nil
      var end = message.following("system", ["status": "error", "extension": "system", "message": "Token has expired"])
      end.joinReference = room.joinReference
      send(end, context)
      send(end.following("phx_close", [:]), context)
    }
  }

  // MARK: - Sending

  private func reply(
    to message: PhoenixMessage, _ status: JSON, _ response: JSON, _ context: ChannelHandlerContext
  ) {
    var answer = message.following("phx_reply", ["status": status, "response": response])
    answer.reference = message.reference
    send(answer, context)
  }

  private func send(_ message: PhoenixMessage, _ context: ChannelHandlerContext) {
    send(ByteBuffer(bytes: message.json.bytes), .text, context)
  }

  private func send(_ data: ByteBuffer, _ opcode: WebSocketOpcode, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
  }
}

/// A message of Phoenix channels.
struct PhoenixMessage {
  var topic: String
  var event: String
  var payload: JSON
  var reference: JSON
  var joinReference: JSON
  /// True for the form of `vsn=2.0.0`.
  let isArray: Bool

  init(_ json: JSON) {
    let parts = json.array ?? []
    isArray = parts.count == 5
    topic = (isArray ? parts[2] : json["topic"])?.string ?? ""
    event = (isArray ? parts[3] : json["event"])?.string ?? ""
    payload = (isArray ? parts[4] : json["payload"]) ?? [:]
    reference = (isArray ? parts[1] : json["ref"]) ?? .null
    joinReference = (isArray ? parts[0] : json["join_ref"]) ?? .null
  }

  /// A message on the same topic, without a reference.
  func following(_ event: String, _ payload: JSON) -> PhoenixMessage {
    var message = self
    (message.event, message.payload, message.reference) = (event, payload, .null)
    return message
  }

  var json: JSON {
    if isArray { return [joinReference, reference, .string(topic), .string(event), payload] }
    return [
      "topic": .string(topic), "event": .string(event), "payload": payload, "ref": reference,
      "join_ref": joinReference,
    ]
  }
}
