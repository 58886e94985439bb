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
