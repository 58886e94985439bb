import SupabaseAuth

/// `[projects.NAME]`. Prints without its key: that is no secret, and yet of no use in a log.
struct ProjectConfiguration: Sendable, Equatable {
  var url: String
  var anonKey: String
  /// The origin of the project's own API, beside Supabase's.
  var apiURL: String?
  /// Where the profile lies on the API.
  var profilePath = "/api/v1/profile"
  /// A PEM file of certificates that are trusted too.
  var caFile: String?
  /// Trust `caFile` and nothing else.
  var onlyThisCA = false
  /// `http://host:port` or `socks5://host:port`.
  var proxy: String?
  /// The scheme of `dailyritual://auth-callback`.
  var redirectScheme = "dailyritual"
}

extension ProjectConfiguration: Redacted {
  var description: String { "ProjectConfiguration(\(url))" }
}

extension ProjectConfiguration {
  /// What the file says, of the right types; nil where `url` or `anon_key` is missing.
  init?(_ values: [String: ConfigurationSchema.Literal]) {
    func text(_ key: String) -> String? {
      if case .text(let text)? = values[key] { text } else { nil }
    }
    guard let url = text("url"), let anonKey = text("anon_key") else { return nil }
    self.init(url: url, anonKey: anonKey)
    apiURL = text("api_url")
    profilePath = text("profile_path") ?? profilePath
    caFile = text("ca_file")
    if case .truth(let only)? = values["only_this_ca"] { onlyThisCA = only }
    proxy = text("proxy")
    redirectScheme = text("redirect_scheme") ?? redirectScheme
  }

  /// Where the project's servers are.
  ///
  /// - Throws: `AuthError` with what is wrong, in words.
  func endpoint() throws(AuthError) -> ProjectEndpoint {
    try ProjectEndpoint(url: url, anonKey: anonKey, caFile: caFile, onlyThisCA: onlyThisCA, proxy: proxy)
  }
}
