/// A request as the endpoints see it, whole, with its body in memory.
struct Incoming: Sendable {
  var method: String
  /// Decoded path without the query.
  var path: String
  /// The path with the query, as sent.
  var target: String
  var query: [(name: String, value: String)]
  var headers: [(name: String, value: String)]
  var body: [UInt8]

  /// The first header of that name; `name` in lower case.
  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  /// The first query parameter of that name.
  func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

  var wantsNewErrorShape: Bool { APIVersion.asksForNewShape(header("x-supabase-api-version")) }

  /// The token of `Authorization: Bearer`, nil where the header is missing or of another kind.
  var bearer: String? {
    guard let value = header("authorization"), value.lowercased().hasPrefix("bearer ") else { return nil }
    let token = value.dropFirst("bearer ".count)
    return token.isEmpty ? nil : String(token)
  }

  /// Form fields of the body; empty for another content type.
  var form: [(name: String, value: String)] {
    guard header("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true else { return [] }
    return FormCoding.decode(String(decoding: body, as: UTF8.self))
  }

  /// The body as a JSON object, or 400 `bad_json`. A form counts as an empty body, as on the real server.
  func json() throws(APIError) -> Members {
    let isForm = header("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true
    let prefix = "Could not parse request body as JSON: "
    if body.isEmpty || isForm { throw APIError(400, "bad_json", prefix + "unexpected end of JSON input") }
    guard let value = try? JSON(parsing: body), case .object(let members) = value else {
      throw APIError(400, "bad_json", prefix + "invalid character")
    }
    return Members(members)
  }
}

/// The members of a JSON body, with Go's habit: absent, null and empty are the same, a wrong type is `bad_json`.
struct Members: Sendable {
  let all: [String: JSON]

  init(_ all: [String: JSON]) { self.all = all }

  /// The string, or "" where it is absent or null.
  func text(_ name: String) throws(APIError) -> String {
    switch all[name] {
    case .string(let value): return value
    case nil, .null: return ""
    default:
      throw APIError(
        400, "bad_json", "Could not parse request body as JSON: json: cannot unmarshal into Go struct field \(name)")
    }
  }
}

/// An answer before it is written.
struct Answer: Sendable {
  var status: Int
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []

  init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  init(status: Int = 200, json: JSON) {
    self.init(status: status, headers: [("content-type", "application/json")], body: json.bytes)
  }

  init(status: Int = 200, html: String) {
    self.init(status: status, headers: [("content-type", "text/html; charset=utf-8")], body: Array(html.utf8))
  }

  /// A redirect with the small body that Go's `http.Redirect` writes for GET.
  static func redirect(_ status: Int, to location: String) -> Answer {
    var answer = Answer(
      status: status, html: "<a href=\"\(Text.html(location))\">\(status == 302 ? "Found" : "See Other")</a>.\n")
    answer.headers.append(("location", location))
    return answer
  }
}
