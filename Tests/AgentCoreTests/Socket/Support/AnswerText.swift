import AgentProtocol
import FoundationEssentials
import Testing

/// Returns an answer in a form that can be compared: `id: result` or `id: code`, for a batch sorted
/// and in brackets.
func answerText(_ line: String) throws -> String {
  let value = try WireCoding.decode(JSONValue.self, from: Data(line.utf8))
  guard case .array(let answers) = value else { return try answerText(of: value) }
  return "[" + (try answers.map { try answerText(of: $0) }.sorted().joined(separator: ", ")) + "]"
}

private func answerText(of answer: JSONValue) throws -> String {
  let id = String(decoding: try WireCoding.encode(answer["id"] ?? .null), as: UTF8.self)
  if case .integer(let code)? = answer["error"]?["code"] { return "\(id): \(code)" }
  let result = try #require(answer["result"])
  if case .string(let token)? = result["accessToken"] { return "\(id): token \(token)" }
  return "\(id): " + String(decoding: try WireCoding.encode(result), as: UTF8.self)
}
