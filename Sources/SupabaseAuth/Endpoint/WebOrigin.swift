import WebAddresses

/// The origin of addresses, by the rules of `ProjectEndpoint`.
public enum WebOrigin {
  /// `scheme://host[:port]`, lower-cased, without a default port.
  /// - Throws: `.insecure` or `.invalidEndpoint` for an address that must not be spoken to.
  public static func of(_ url: String) throws(AuthError) -> String {
    do throws(WebAddressError) { return try WebAddress(url).origin } catch { throw AuthError(error) }
  }
}

extension AuthError {
  init(_ error: WebAddressError) {
    switch error.code {
    case .invalid: self.init(.invalidEndpoint, error.message)
    case .insecure: self.init(.insecure, error.message)
    }
  }
}
