public import FoundationEssentials

extension ProjectEndpoint {
  /// An address that says where the project would send a browser that is to come back to `redirectTo`, without signing
  /// anybody in: `GET /verify` with a token that is none redirects to `redirectTo` if the project allows it, else to
  /// its Site URL, with the error behind it.
  public func redirectProbeURL(redirectTo: String) -> String {
    // No token of the server's: those are hexadecimal.
    authURL + "/verify"
      + PercentEncoding.query([("type", "signup"), ("token", "not-a-token"), ("redirect_to", redirectTo)])
  }
}

extension APIResponse {
  /// The first header of that name; letters of either case are equal.
  public func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

  /// The server's clock when it answered (RFC 9110, section 6.6.1); nil where it does not tell.
  public var date: Date? { header("date").flatMap(HTTPDate.date) }
}
