import AgentProtocol

/// `rpc.discover`
extension MethodTable {
  /// Added last: the document describes what is in the table by then, and itself.
  mutating func addDiscovery() {
    let others = self
    add(RPCDiscover.self) { _, _ in
      // Made for each call: it takes some milliseconds, and is asked for by people and generators.
      var methods = others
      methods.addDiscovery()
      return try OpenRPCDocument.describing(methods)
    }
  }
}
