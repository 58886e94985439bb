import AccessControl
import AgentProtocol
import AgentServer
import FoundationEssentials

/// `rpc.discover`
extension MethodTable {
  mutating func addDiscovery() {
    addJSON(RPCDiscover.self, policy: .none("shows the protocol"), cost: .discovery) { _, _ in
      (DiscoveryDocument.json, nil)
    }
  }
}

extension DiscoveryDocument {
  /// The document, which a test has generated, with this version.
  fileprivate static let json =
    [beforeVersion, nil, afterVersion].reduce(into: Data()) { json, part in
      guard let part else { return json.append(contentsOf: AgentVersion.current.utf8) }
      part.withUTF8Buffer { json.append(contentsOf: $0) }
    }
}
