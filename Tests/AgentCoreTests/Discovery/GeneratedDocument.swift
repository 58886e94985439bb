import AgentProtocol
import FoundationEssentials

/// The Swift file that embeds the OpenRPC document in the agent. Running these tests with
/// `RITUAL_WRITE_GOLDEN=1` regenerates it.
enum GeneratedDocument {
  static let path = "Sources/AgentCore/Methods/DiscoveryDocument.swift"
  private static let version = "@VERSION@"
  private static let width = 110

  static func source(of document: OpenRPCDocument) throws -> String {
    var document = document
    document.info.version = version
    let json = String(decoding: try WireCoding.encode(document), as: UTF8.self)
    let parts = json.split(separator: version, maxSplits: 1)
    return """
      // swift-format-ignore-file
      /// The OpenRPC document of `rpc.discover`, but for the agent's version. Generated from the types of the method table by the
      /// tests: run DiscoveryTests with RITUAL_WRITE_GOLDEN=1 after a change of the protocol.
      enum DiscoveryDocument {
        static let beforeVersion: StaticString = \(literal(String(parts[0])))
        static let afterVersion: StaticString = \(literal(String(parts[1])))
      }

      """
  }

  /// A multi-line raw string literal whose lines are joined by escaped newlines.
  static func literal(_ text: String) -> String {
    var lines: [Substring] = []
    var rest = text[...]
    while !rest.isEmpty {
      lines.append(rest.prefix(width))
      rest = rest.dropFirst(width)
    }
    return "#\"\"\"\n" + lines.joined(separator: "\\#\n") + "\n\"\"\"#"
  }
}
