import AgentProtocol

/// `events.*`
extension MethodTable {
  mutating func addEventMethods(_ services: Services) {
    addContinued(EventsSubscribe.self) { params, call in
      try call.connection.addSubscription()
      let subscription = await services.accounts.subscribe(params)
      return (subscription.position, { await subscription.forward(call, services) })
    }
  }
}

extension EventSubscription {
  /// Sends every event until the client goes away. A stream that ends by itself has lost events: the connection ends with
  /// it, so that the client comes back and says where it was.
  fileprivate func forward(_ call: Call, _ services: Services) async {
    let connection = call.connection
    let (handOuts, policy) = (services.records.handOuts, services.policy)
    for await var event in events {
      if let token = event.token, await !policy.passes(token.account, .init(EventsSubscribe.name, call)) {
        event.token = nil
      }
      guard let message = try? Outgoing.notification(AgentEvent.method, event) else { break }
      if let token = event.token { handOuts.note(token, .events, call) }
      connection.notify(message)
    }
    if !Task.isCancelled { connection.cutOff("its stream of events ended") }
  }
}
