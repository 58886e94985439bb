import AgentConfiguration
import AgentProtocol
import Glibc
import Logging
import NIOPosix

@testable import AgentCore
@testable import AgentServer

/// The methods of a complete agent, without starting one.
enum AgentMethodTable {
  static func make() -> MethodTable {
    let options = AgentOptions(configuration: "", socket: "", state: "", keyFile: "")
    let parts = AgentParts(
      Configuration(), vault: .failure(AgentError(.vaultUnavailable)),
      eventLoop: MultiThreadedEventLoopGroup.singleton, options: options,
      logger: Logger(label: "test") { _ in LogLines() })
    return MethodTable(parts.methods)
  }
}

/// The wire format as lines of text: names and types of everything that is sent.
///
/// After an intended change, review the difference of Tests/Golden/wire-format.txt, and raise
/// `Wire.protocolVersion` if an old client would misread the new format.
enum WireFormat {
  static func lines(of document: OpenRPCDocument) -> [String] {
    var lines = ["protocol \(Wire.protocolVersion)"]
    for method in document.methods {
      lines.append("method \(method.name) -> \(kind(method["result"]?["schema"]))")
      lines += method.items("params").map { line($0.name, $0["required"] == .bool(true), $0["schema"]) }
    }
    for event in document.notifications {
      lines.append("notification \(event.name): \(kind(event["schema"]))")
    }
    for (name, schema) in document.components.schemas.sorted(by: { $0.key < $1.key }) {
      lines.append("type \(name): \(kind(schema))")
      lines += schema.properties.sorted { $0.key < $1.key }.map { line($0.key, schema.requires($0.key), $0.value) }
    }
    for kind in ErrorKind.known { lines.append("error \(kind.rawValue) \(kind.facts.code)") }
    return lines
  }

  private static func line(_ name: String, _ isRequired: Bool, _ schema: JSONValue?) -> String {
    "  \(name)\(isRequired ? "" : "?"): \(kind(schema))"
  }

  private static func kind(_ schema: JSONValue?) -> String {
    guard let schema else { return "?" }
    if let reference = schema.reference { return reference }
    if let items = schema["items"] { return "[\(kind(items))]" }
    if let values = schema["additionalProperties"], values != .bool(false) { return "{\(kind(values))}" }
    return schema["type"]?.text ?? "any"
  }
}
