/// `[projects.NAME]`. Prints without its key: that is no secret, and yet of no use in a log.
package struct ProjectConfiguration: Sendable, Equatable {
  package var url: String
  package var anonKey: String
  /// The origin of the project's own API, beside Supabase's.
  package var apiURL: String?
  /// Where the profile lies on the API.
  package var profilePath = "/api/v1/profile"
  /// A PEM file of certificates that are trusted too.
  package var caFile: String?
  /// Trust `caFile` and nothing else.
  package var onlyThisCA = false
  /// `http://host:port` or `socks5://host:port`.
  package var proxy: String?
  /// The scheme of `dailyritual://auth-callback`.
  package var redirectScheme = "dailyritual"

  package init(url: String, anonKey: String) { (self.url, self.anonKey) = (url, anonKey) }
}

extension ProjectConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "ProjectConfiguration(\(url))" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension ProjectConfiguration {
  /// The project that the file's values make; nil where `url` or `anon_key` is missing.
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
}
