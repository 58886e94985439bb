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
    "provider_refresh_token",
  ]

  private var exchange: Exchange
  private var headers: [String: String]
  private var body: JSON
  private let isNewShape: Bool

  init(_ exchange: Exchange, _ version: ReplayTests.Version) {
    self.exchange = exchange
    (headers, body) = (exchange.headers, exchange.body)
    isNewShape = version == .newShape || exchange.hasVersionHeader
    if version == .newShape, !exchange.hasVersionHeader { rewrite() }
  }

  /// Applies the rule by which 2024-01-01 differs: a string `code`, `message` for `msg`, no
  /// `error_id`, no code header for weak_password. The rule holds for every pair that was recorded
  /// in both versions.
  private mutating func rewrite() {
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
    for name in Self.compared { #expect(answer.header(name) == headers[name], "\(name)") }
    for name in ["content-type", "cache-control"]
    where headers[name] != nil && exchange.path.contains("callback") == false {
      #expect(answer.header(name) == headers[name])
    }
    if isNewShape, exchange.status >= 400, body["code"] != nil || body["error"] != nil {
      #expect(answer.header("x-supabase-api-version") == "2024-01-01")
    }
    checkBody(answer)
    if let location = headers["location"] { checkLocation(answer.header("location") ?? "", recorded: location) }
  }

  private func checkBody(_ answer: HTTPAnswer) {
    switch body {
    case .object:
      guard let json = try? answer.json else {
        Issue.record("no JSON: \(answer.text)")
        return
      }
      let shapes = Shape.compared(recorded: body, answered: json)
      #expect(shapes.answered == shapes.recorded)
      for name in ["code", "error_code", "error", "error_description"] where body[name] != nil && exchange.status >= 400
      {
        #expect(json[name] == body[name])
      }
      checkMessage(json)
    case .string(let text) where exchange.status >= 400: #expect(answer.text.contains(text) || text.contains("<a"))
    case .null where exchange.status == 204 || exchange.status == 405: #expect(answer.bytes.isEmpty)
    default: break
    }
  }

  /// Compares the message, if it is the server's own and not that of its JSON parser or its
  /// database.
  private func checkMessage(_ json: JSON) {
    guard exchange.status >= 400, let words = body["msg"] ?? body["message"] else { return }
    guard json["code"] != "bad_json", json["error_code"] != "bad_json" else { return }
    #expect(json["msg"] ?? json["message"] == words)
  }

  private func checkLocation(_ actual: String, recorded: String) {
    // The provider of the recording had another origin, so its URL is compared from the query on.
    let isProvider = recorded.contains("/google/authorize") || recorded.contains("/apple/authorize")
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
