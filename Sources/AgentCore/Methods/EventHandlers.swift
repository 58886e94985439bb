import AccessControl
import AgentProtocol
import AgentServer
import NIOCore
import SessionEngine

/// `events.*`
extension MethodTable {
  mutating func addEventMethods(_ services: Services) {
    addContinued(EventsSubscribe.self, policy: .eachToken, cost: .costly) { params, call in
      let subscription = try await services.accounts.subscription(params)
      // A refused subscription does not count.
      try call.connection.addSubscription()
      return (subscription.position, { await subscription.forward(call, services) })
    }
  }
}

extension EventSubscription {
  /// Number of notifications of the initial state that are sent in one piece.
  private static let piece = 32

  /// Sends every event until the client disconnects. A stream that ends by itself has lost events,
  /// so the connection is closed, and the client reconnects with its last position.
  fileprivate func forward(_ call: Call, _ services: Services) async {
    await sendFirst(call, services)
    for await event in events {
      guard let message = await message([event], call, services) else { break }
      await call.connection.notify(message)
    }
    if !Task.isCancelled { call.connection.cutOff("its stream of events ended") }
  }

  private func sendFirst(_ call: Call, _ services: Services) async {
    for start in stride(from: 0, to: first.count, by: Self.piece) where !Task.isCancelled {
      let piece = first[start..<min(start + Self.piece, first.count)]
      guard let message = await message(piece, call, services) else { continue }
      await call.connection.notify(message)
    }
  }
  /// The notifications of `events`, one on each line; nil for none. A token is left out if it is no longer its
  /// account's when the message is written, because the vault may be locked by then.
  private func message(
    _ events: ArraySlice<AgentEvent>, _ call: Call, _ services: Services
  ) async -> (@Sendable () -> ByteBuffer)? {
    var lines: [(token: SessionToken.Result?, full: ByteBuffer, bare: ByteBuffer)] = []
    for event in events {
      var bare = event
      bare.token = nil
      guard let text = try? Outgoing.notification(AgentEvent.method, bare) else { continue }
      guard let token = event.token, await services.policy.passes(token.account, .init(EventsSubscribe.name, call)),
        let full = try? Outgoing.notification(AgentEvent.method, event)
      else {
        lines.append((nil, text, text))
        continue
      }
      services.records.issuedTokens.note(token, .events, call)
      lines.append((token, full, text))
    }
    guard !lines.isEmpty else { return nil }
    return { [lines, tokens = services.accounts.tokens] in
      var message = ByteBuffer()
      for line in lines {
        if message.readableBytes > 0 { message.writeStaticString("\n") }
        message.writeImmutableBuffer(line.token.map(tokens.isPublished) ?? true ? line.full : line.bare)
      }
      return message
    }
  }
}
