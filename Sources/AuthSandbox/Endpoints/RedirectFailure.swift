/// A failure on its way to the client through the browser: in the query and, for browsers' sake, in the fragment again.
struct RedirectFailure: Sendable {
  var error: String
  var code: String?
  var description: String

  init(error: String, code: String? = nil, description: String) {
    (self.error, self.code, self.description) = (error, code, description)
  }

  /// The OAuth name of a status; a 422 has none and shows as `server_error`.
  init(_ failure: APIError) {
    let names = [
      400: "invalid_request", 401: "unauthorized_client", 403: "access_denied", 503: "temporarily_unavailable",
    ]
    self.init(error: names[failure.status] ?? "server_error", code: failure.code, description: failure.message)
  }

  /// Sorted by name.
  var pairs: [(name: String, value: String)] {
    [("error", error)] + (code.map { [("error_code", $0)] } ?? []) + [("error_description", description)]
  }

  /// The address of the client with the failure in its query and, escaped twice, in the fragment (recorded).
  func location(_ redirect: String) -> String {
    let twice = pairs.filter { !$0.value.isEmpty }
      .map {
        ($0.name, $0.name == "error_description" ? FormCoding.escapeTwice($0.value) : FormCoding.escape($0.value))
      }
    let fragment = twice.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    return redirect.addingQuery(pairs) + "#" + fragment + "&sb="
  }
}

extension FormCoding {
  /// Blanks once, the rest twice, as in `Unable+to+exchange+external+code%253A+M8bz`.
  static func escapeTwice(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { escape(escape(String($0))) }
      .joined(separator: "+")
  }
}

extension String {
  /// The address with more query parameters, all of them sorted by name; a fragment is dropped, since a new one
  /// follows.
  func addingQuery(_ pairs: [(name: String, value: String)]) -> String {
    let whole = prefix { $0 != "#" }
    let halves = whole.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let present = halves.count > 1 ? FormCoding.decode(halves[1]) : []
    let names = Set(pairs.map(\.name))
    let all = (present.filter { !names.contains($0.name) } + pairs).sorted { $0.name < $1.name }
    return String(halves.first ?? "") + "?" + FormCoding.encode(all)
  }
}
