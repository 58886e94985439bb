import Testing

@testable import AuthSandbox

/// The expected response to a recorded request.
struct Expectation {
  /// Headers that must have the recorded value, or be absent as recorded.
  private static let compared = [
    "x-sb-error-code", "sb-auth-refresh-token-reuse", "sb-auth-refresh-token-reuse-cause",
    "sb-auth-refresh-token-counter", "sb-auth-refresh-token-rotated",
  ]
  /// Query and fragment parameters whose value differs each time.
  private static let volatile: Set<String> = [
    "code", "state", "access_token", "refresh_token", "expires_at", "client_id", "redirect_uri", "provider_token",
    "provider_refresh_token", "code_challenge", "SAMLRequest", "RelayState", "Signature",
  ]

  private var exchange: Exchange
  private var headers: [String: String]
  private var body: JSON
  private let isNewShape: Bool
  private let isPartial: Bool

  init(_ exchange: Exchange, _ version: ReplayTests.Version) {
    self.exchange = exchange
    (headers, body) = (exchange.headers, exchange.body)
    isPartial = exchange.isPartial ?? false
    isNewShape = version == .newShape || exchange.hasVersionHeader
    if version == .newShape, !exchange.hasVersionHeader { rewrite() }
  }

  /// Applies the rule by which 2024-01-01 differs: a string `code`, `message` for `msg`, no
  /// `error_id`, no code header for weak_password. The rule holds for every pair that was recorded
  /// in both versions, except a hook that raises: there the recording of the new version counts.
  private mutating func rewrite() {
    if let recorded = Recording.byID[exchange.id + ", 2024-01-01"], body["error_code"] == nil {
      (headers, body) = (recorded.headers, recorded.body)
      return
    }
    guard let code = body["error_code"]?.string, case .object(var members) = body else { return }
    members["message"] = members.removeValue(forKey: "msg")
    members["error_code"] = nil
    members["error_id"] = nil
    members["code"] = .string(code)
    body = .object(members)
    if code == "weak_password" { headers["x-sb-error-code"] = nil }
  }

  func check(_ answer: HTTPAnswer) {
    #expect(answer.status == exchange.status, "\(answer.text)")
    for name in Self.compared where !isPartial || headers[name] != nil {
      #expect(answer.header(name) == headers[name], "\(name)")
    }
    for name in ["content-type", "cache-control"]
    where headers[name] != nil && exchange.path.contains("callback") == false {
      #expect(answer.header(name) == headers[name])
    }
    if isNewShape, exchange.status >= 400, body["code"] != nil || body["error"] != nil {
      #expect(answer.header("x-supabase-api-version") == "2024-01-01")
    }
    checkBody(answer)
    checkClaims(answer)
    if let location = headers["location"] { checkLocation(answer.header("location") ?? "", recorded: location) }
  }

  private func checkBody(_ answer: HTTPAnswer) {
    switch body {
    case "{…session…}": checkSession(answer)
    case .object where body["session"] == "{…session…}":
      checkSession(answer)
      for name in body.object?.keys.sorted() ?? [] where name != "session" {
        #expect((try? answer.json)?[name] != nil, "\(name)")
      }
    case .object:
      guard let json = try? answer.json else {
        Issue.record("no JSON: \(answer.text)")
        return
      }
      let compared = isPartial ? Shape.narrowed(json, to: body) : json
      let shapes = Shape.compared(recorded: body, answered: compared)
      #expect(shapes.answered == shapes.recorded)
      for name in ["code", "error_code", "error", "error_description"] where body[name] != nil && exchange.status >= 400
      {
        #expect(json[name] == body[name])
      }
      checkMessage(json)
      if let url = body["url"]?.string { checkLocation(json["url"]?.string ?? "", recorded: url) }
    case .string(let text) where exchange.status >= 400: #expect(answer.text.contains(text) || text.contains("<a"))
    case .null where exchange.status == 204 || exchange.status == 405: #expect(answer.bytes.isEmpty)
    default: break
    }
  }

  private func checkSession(_ answer: HTTPAnswer) {
    let members = (try? answer.json.object?.keys).map(Set.init) ?? []
    let missing = ["access_token", "token_type", "expires_in", "expires_at", "refresh_token", "user"]
      .filter { !members.contains($0) }
    #expect(missing == [], "\(answer.text)")
  }

  /// Compares the message, if it is the server's own and not that of its JSON parser or its
  /// database.
  private func checkMessage(_ json: JSON) {
    guard exchange.status >= 400, let words = body["msg"] ?? body["message"] else { return }
    guard json["code"] != "bad_json", json["error_code"] != "bad_json" else { return }
    let answered = json["msg"]?.string ?? json["message"]?.string ?? ""
    #expect(Self.matches(answered, recorded: words.string ?? ""), "\(answered)")
  }

  /// True if the text is the recorded one, in which `…` or a shortened UUID stands for any text.
  private static func matches(_ text: String, recorded: String) -> Bool {
    let parts = recorded.replacing(/[0-9a-f]{8}-…/, with: "…").split(separator: "…", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return text == recorded }
    return text.hasPrefix(first) && text.hasSuffix(last) && text.utf8.count > recorded.utf8.count / 2
  }

  private func checkClaims(_ answer: HTTPAnswer) {
    guard let recorded = exchange.claims?.object, let session = try? TestSession(answer),
      let claims = try? session.claims
    else {
      if exchange.claims != nil { Issue.record("no access token: \(answer.text)") }
      return
    }
    for (name, value) in recorded where !["amr", "iat", "exp"].contains(name) { #expect(claims[name] == value) }
    if recorded["amr"] != nil { #expect(Self.methods(claims["amr"]) == Self.methods(recorded["amr"])) }
    guard let life = Self.life(recorded) else { return }
    #expect(Self.life(claims.object ?? [:]) == life)
    #expect(session.json["expires_in"] == body["expires_in"])
  }

  /// The methods of `amr`, whose order is not safe.
  private static func methods(_ amr: JSON?) -> [String] {
    (amr?.array ?? []).compactMap { $0["method"]?.string }.sorted()
  }

  private static func life(_ claims: [String: JSON]) -> Int? {
    claims["exp"]?.int.flatMap { end in claims["iat"]?.int.map { end - $0 } }
  }

  private func checkLocation(_ actual: String, recorded: String) {
    // The provider of the recording had another origin, so its URL is compared from the query on.
    let isProvider = recorded.hasPrefix("https:") || recorded.contains("/authorize?")
    #expect(Self.normal(actual, fromQuery: isProvider) == Self.normal(recorded, fromQuery: isProvider))
  }

  /// The URL without the values that differ each time.
  private static func normal(_ address: String, fromQuery: Bool) -> String {
    let halves = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let front = halves[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    func masked(_ text: Substring) -> String {
      FormCoding.decode(text).map { volatile.contains($0.name) ? $0.name : "\($0.name)=\($0.value)" }
        .joined(separator: "&")
    }
    return (fromQuery ? "" : String(front[0])) + (front.count > 1 ? "?" + masked(front[1]) : "")
      + (halves.count > 1 ? "#" + masked(halves[1]) : "")
  }
}

/// The shape of a JSON value: member names and types without values, as text, so that a difference
/// is readable.
enum Shape {
  /// Members of every user.
  private static let userMembers: Set<String> = [
    "id", "aud", "role", "email", "phone", "app_metadata", "user_metadata", "identities", "created_at", "updated_at",
    "is_anonymous",
  ]

  static func of(_ json: JSON) -> String {
    switch json {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .double: "double"
    case .string: "string"
    // An array has the shape of its first element; an empty array is a shape of its own.
    case .array(let elements): elements.first.map { "[\(of($0))]" } ?? "[]"
    case .object(let members): object(members)
    }
  }

  private static func object(_ members: [String: JSON]) -> String {
    "{" + members.keys.sorted().map { "\($0):\(of(members[$0]!))" }.joined(separator: ",") + "}"
  }

  /// Both shapes, with the recording's abbreviation for a user resolved against the response.
  static func compared(recorded: JSON, answered: JSON) -> (recorded: String, answered: String) {
    guard case .object(var left) = recorded, case .object(var right) = answered, left["user"] == "{…user…}" else {
      return (of(recorded), of(answered))
    }
    if let user = right["user"]?.object, userMembers.isSubset(of: user.keys) { right["user"] = "{…user…}" }
    left["user"] = "{…user…}"
    return (object(left), object(right))
  }

  /// `json` without the members that `recorded` does not show.
  static func narrowed(_ json: JSON, to recorded: JSON) -> JSON {
    switch (json, recorded) {
    case (.object(let members), .object(let shown)):
      .object(
        members.reduce(into: [:]) { kept, member in
          if let pattern = shown[member.key] { kept[member.key] = narrowed(member.value, to: pattern) }
        })
    case (.array(let elements), .array(let shown)):
      .array(shown.first.map { pattern in elements.map { narrowed($0, to: pattern) } } ?? elements)
    default: json
    }
  }
}
