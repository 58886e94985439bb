import AgentConfiguration
import AgentProtocol
import Glibc
import Logging
import NIOPosix

@testable import AgentCore
@testable import AgentServer

/// The methods of a complete agent, without starting one.
enum AgentMethodTable {
  static func make(
    configuration: String = "", vault: Result<AttachedVault, AgentError> = .failure(AgentError(.vaultUnavailable))
  ) -> MethodTable {
    let options = AgentOptions(configuration: configuration, socket: "", state: "", keyFile: "")
    let parts = AgentParts(
      Configuration(), vault: vault,
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
      lines.append("method \(method["name"]?.text ?? "?") -> \(kind(method["result"]?["schema"]))")
      lines += descriptors(method["params"])
    }
    for event in document.notifications {
      lines.append("notification \(event["name"]?.text ?? "?"): \(kind(event["schema"]))")
    }
    for (name, schema) in document.components.schemas.sorted(by: { $0.key < $1.key }) {
      lines.append("type \(name): \(kind(schema))")
      lines += members(of: schema)
    }
    for kind in ErrorKind.known { lines.append("error \(kind.rawValue) \(kind.facts.code)") }
    return lines
  }

  private static func descriptors(_ params: JSONValue?) -> [String] {
    guard case .array(let params)? = params else { return [] }
    return params.map {
      "  \($0["name"]?.text ?? "?")\($0["required"] == .bool(true) ? "" : "?"): \(kind($0["schema"]))"
    }
  }

  private static func members(of schema: JSONValue) -> [String] {
    guard case .object(let members)? = schema["properties"] else { return [] }
    var required: [JSONValue] = []
    if case .array(let names)? = schema["required"] { required = names }
    return members.sorted { $0.key < $1.key }.map {
      "  \($0.key)\(required.contains(.string($0.key)) ? "" : "?"): \(kind($0.value))"
    }
  }

  private static func kind(_ schema: JSONValue?) -> String {
    guard let schema else { return "?" }
    if let reference = schema["$ref"]?.text { return String(reference.split(separator: "/").last ?? "?") }
    if let items = schema["items"] { return "[\(kind(items))]" }
    if let values = schema["additionalProperties"], values != .bool(false) { return "{\(kind(values))}" }
    return schema["type"]?.text ?? "any"
  }
}
