import Foundation
import TestKit
import Testing

/// A client that checks everything it sends and receives against the agent's own OpenRPC document.
final class CheckedCaller {
  private let tool: SocketTool
  private let document: JSON
  private let check: SchemaCheck
  private var lastID = 0
  /// The methods that have returned a result.
  private(set) var answered: Set<String> = []
  /// The received notifications, oldest first.
  private(set) var events: [JSON] = []

  /// Connects, and requests the agent's document.
  init(_ path: String) async throws {
    tool = try SocketTool(path)
    try tool.send(#"{"jsonrpc":"2.0","id":0,"method":"rpc.discover"}"#)
    document = try #require(try JSON(try await tool.line())["result"])
    check = SchemaCheck(named: document["components"]?["schemas"]?.object ?? [:])
  }

  var methods: Set<String> { Set((document["methods"]?.array ?? []).compactMap { $0["name"]?.text }) }

  /// Calls a method that must succeed, and returns its result.
  @discardableResult
  func call(_ method: String, _ params: JSON = [:]) async throws -> JSON {
    let answer = try await exchange(method, params)
    let result = try #require(answer["result"], "\(method): \(answer.encoded)")
    try expectResult(result, method)
    return result
  }

  private func expectResult(_ result: JSON, _ method: String) throws {
    answered.insert(method)
    try expectFit(result, try described(method)["result"]?["schema"], "the result of \(method)")
  }

  /// Calls a method that must be refused, and returns the error's kind.
  func refusal(_ method: String, _ params: JSON = [:]) async throws -> String {
    let answer = try await exchange(method, params)
    return try expectError(try #require(answer["error"], "\(method): \(answer.encoded)"), method)
  }

  /// Calls a method with the required params, of which it can make what it wants.
  func callPlainly(_ method: String) async throws {
    let required = try described(method)["params"]?.array.filter { $0["required"] == true } ?? []
    let params = required.map { ($0["name"]?.text ?? "", check.value(for: $0["schema"] ?? [:])) }
    let answer = try await exchange(method, .object(Dictionary(params, uniquingKeysWith: { $1 })))
    if let result = answer["result"] {
      try expectResult(result, method)
    } else {
      _ = try expectError(try #require(answer["error"]), method)
    }
  }

  private func expectError(_ error: JSON, _ method: String) throws -> String {
    try expectFit(error, ["$ref": "#/components/schemas/AgentError"], "the error of \(method)")
    let kind = error["data"]?["kind"]?.text ?? ""
    let reference: JSON = ["$ref": .string("#/components/errors/" + kind)]
    #expect(try described(method)["errors"]?.array.contains(reference) == true, "\(method) does not tell of \(kind)")
    #expect(error["code"] == document["components"]?["errors"]?[kind]?["code"])
    return kind
  }

  /// Waits for an event of `type`.
  func event(_ type: String) async throws -> JSON {
    while true {
      if let event = events.first(where: { $0["type"]?.text == type }) { return event }
      try take(try JSON(try await tool.line()))
    }
  }

  private func exchange(_ method: String, _ params: JSON) async throws -> JSON {
    try expectParams(params, method)
    lastID += 1
    let request: JSON = ["jsonrpc": "2.0", "id": .number(Double(lastID)), "method": .string(method), "params": params]
    try tool.send(request.encoded)
    while true {
      let message = try JSON(try await tool.line())
      #expect(message["jsonrpc"] == "2.0")
      if message["id"] == .number(Double(lastID)) {
        #expect(message.object.count == 3, "jsonrpc, id, and one of result and error: \(message.encoded)")
        return message
      }
      try take(message)
    }
  }

  private func take(_ notification: JSON) throws {
    let name = try #require(notification["method"]?.text, "nobody asked for \(notification.encoded)")
    let known = document["x-notifications"]?.array.first { $0["name"]?.text == name }
    let params = try #require(notification["params"])
    try expectFit(params, known?["schema"], "the notification \(name)")
    events.append(params)
  }

  private func described(_ method: String) throws -> JSON {
    try #require(document["methods"]?.array.first { $0["name"]?.text == method }, "\(method) is not described")
  }

  private func expectParams(_ params: JSON, _ method: String) throws {
    let descriptors = try described(method)["params"]?.array ?? []
    let members = descriptors.map { ($0["name"]?.text ?? "", $0["schema"] ?? [:]) }
    let required = descriptors.filter { $0["required"] == true }.compactMap { $0["name"] }
    try expectFit(
      params,
      [
        "type": "object", "additionalProperties": false, "required": .array(required),
        "properties": .object(Dictionary(members, uniquingKeysWith: { $1 })),
      ], "the params of \(method)")
  }

  private func expectFit(_ value: JSON, _ schema: JSON?, _ what: String) throws {
    let complaints = check.complaints(value, try #require(schema, "\(what) are not described"))
    #expect(complaints == [], "\(what): \(value.encoded.prefix(300))")
  }
}
