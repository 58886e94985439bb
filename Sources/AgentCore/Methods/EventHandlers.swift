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
      guard let message = await message(event, call, services) else { break }
      await call.connection.notify(message)
    }
    if !Task.isCancelled { call.connection.cutOff("its stream of events ended") }
  }

  private func sendFirst(_ call: Call, _ services: Services) async {
    var piece = ByteBuffer()
    for (index, event) in first.enumerated() where !Task.isCancelled {
      guard let message = await message(event, call, services) else { continue }
      if piece.readableBytes > 0 { piece.writeStaticString("\n") }
      piece.writeImmutableBuffer(message)
      guard index % Self.piece == Self.piece - 1 || index == first.count - 1 else { continue }
      await call.connection.notify(piece)
      piece = ByteBuffer()
    }
  }

  private func message(_ event: AgentEvent, _ call: Call, _ services: Services) async -> ByteBuffer? {
    var event = event
    if let token = event.token, await !services.policy.passes(token.account, .init(EventsSubscribe.name, call)) {
      event.token = nil
    }
    guard let message = try? Outgoing.notification(AgentEvent.method, event) else { return nil }
    if let token = event.token { services.records.handOuts.note(token, .events, call) }
    return message
  }
}
