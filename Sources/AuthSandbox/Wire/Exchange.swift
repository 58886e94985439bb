/// A request as the endpoints see it, with its complete body in memory.
struct Incoming: Sendable {
  var method: String
  /// The decoded path, without the query.
  var path: String
  /// The path with the query, as sent.
  var target: String
  var query: [(name: String, value: String)]
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  /// The number of requests that the sandbox had received when this one arrived, including it.
  var arrival = 0

  /// The first header of that name; `name` is in lowercase.
  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  /// The first query parameter of that name.
  func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

  var wantsNewErrorShape: Bool { APIVersion.asksForNewShape(header("x-supabase-api-version")) }

  /// The token of `Authorization: Bearer`; nil if the header is missing or has another scheme.
  var bearer: String? {
    guard let value = header("authorization"), value.lowercased().hasPrefix("bearer ") else { return nil }
    let token = value.dropFirst("bearer ".count)
    return token.isEmpty ? nil : String(token)
  }

  /// Form fields of the body; empty for other content types.
  var form: [(name: String, value: String)] {
    guard header("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true else { return [] }
    return FormCoding.decode(String(decoding: body, as: UTF8.self))
  }

  /// The body as a JSON object. A form counts as an empty body, as on the real server.
  /// - Throws: 400 `bad_json`.
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

/// The members of a JSON body, by Go's rules: absent, null and empty are equal, and a wrong type is
/// `bad_json`.
struct Members: Sendable {
  let all: [String: JSON]

  init(_ all: [String: JSON]) { self.all = all }

  /// The string, or "" if it is absent or null.
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

/// A response before it is written.
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

/// `application/x-www-form-urlencoded`, for query strings and forms.
enum FormCoding {
  /// Decodes pairs in order; a pair without `=` has an empty value.
  static func decode(_ text: some StringProtocol) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (unescape(halves[0]), halves.count > 1 ? unescape(halves[1]) : "")
    }
  }

  /// Encodes as Go's `url.Values.Encode` does: a space becomes `+`, unreserved characters are kept.
  static func encode(_ pairs: [(name: String, value: String)]) -> String {
    pairs.map { "\(escape($0.name))=\(escape($0.value))" }.joined(separator: "&")
  }

  static func escape(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func unescape(_ text: some StringProtocol) -> String {
    let source = Array(text.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
        let value = UInt8(String(decoding: source[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        index += 3
      } else {
        bytes.append(source[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : source[index])
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension FormCoding {
  /// Escapes spaces once and everything else twice, as in
  /// `Unable+to+exchange+external+code%253A+M8bz`.
  static func escapeTwice(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { escape(escape(String($0))) }
      .joined(separator: "+")
  }
}

extension String {
  /// The URL with more query parameters, all sorted by name; `pairs` replace parameters of the same
  /// name. The fragment is dropped, since a new one follows.
  func addingQuery(_ pairs: [(name: String, value: String)]) -> String {
    let whole = prefix { $0 != "#" }
    let halves = whole.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let present = halves.count > 1 ? FormCoding.decode(halves[1]) : []
    let names = Set(pairs.map(\.name))
    let all = (present.filter { !names.contains($0.name) } + pairs).sorted { $0.name < $1.name }
    return String(halves.first ?? "") + "?" + FormCoding.encode(all)
  }
}

/// An error of Supabase Auth, independent of its shape on the wire.
struct APIError: Error {
  /// The shape on the wire.
  enum Form: Sendable {
    /// `{"code":…,"message":…}` or `{"code":400,"error_code":…,"msg":…}`, chosen by the request's version header.
    case versioned
    /// `{"error":…,"error_description":…}` for every version.
    case oauth
  }

  var status: Int
  var code: String
  var message: String
  var form: Form = .versioned
  var extra: [String: JSON] = [:]
  var headers: [(name: String, value: String)] = []
  /// True for an error of a hook, which undoes the request.
  var isByHook = false
  /// The body for clients that do not ask for 2024-01-01, if it is of another kind.
  var oldBody: JSON?

  init(
    _ status: Int, _ code: String, _ message: String, extra: [String: JSON] = [:],
    headers: [(name: String, value: String)] = []
  ) {
    (self.status, self.code, self.message, self.extra, self.headers) = (status, code, message, extra, headers)
  }

  /// An error in the OAuth shape, always status 400.
  static func oauth(_ error: String, _ description: String) -> APIError {
    var result = APIError(400, error, description)
    result.form = .oauth
    return result
  }

  static func validation(_ message: String) -> APIError { APIError(400, "validation_failed", message) }

  /// Encodes the error, in the shape of 2024-01-01 if `newShape` is true.
  func answer(newShape: Bool) -> Answer {
    let body = newShape ? .object(newMembers) : oldBody ?? .object(oldMembers)
    var answer = Answer(status: status, json: body)
    answer.headers += headers
    if isNamedInHeader(newShape: newShape) { answer.headers.append(("x-sb-error-code", code)) }
    if newShape { answer.headers.append(("x-supabase-api-version", APIVersion.newShape)) }
    return answer
  }

  /// The real server omits the header for weak_password in the new shape, for the OAuth shape, and
  /// for errors of hooks.
  private func isNamedInHeader(newShape: Bool) -> Bool {
    guard case .versioned = form, !isByHook else { return false }
    return !(newShape && code == "weak_password")
  }

  private var newMembers: [String: JSON] {
    if case .oauth = form { return ["error": .string(code), "error_description": .string(message)] }
    return extra.merging(["code": .string(code), "message": .string(message)], uniquingKeysWith: { $1 })
  }

  private var oldMembers: [String: JSON] {
    if case .oauth = form { return newMembers }
    var members = extra
    members["code"] = .int(status)
    members["error_code"] = .string(code)
    members["msg"] = .string(message)
    if status == 500 { members["error_id"] = .string(Text.uuid()) }
    return members
  }
}

/// The header `X-Supabase-Api-Version`.
enum APIVersion {
  /// The first version with string codes.
  static let newShape = "2024-01-01"

  /// True if the header selects the new shape. Versions are ISO dates, so they compare as text.
  static func asksForNewShape(_ header: String?) -> Bool { (header ?? "") >= newShape }
}
