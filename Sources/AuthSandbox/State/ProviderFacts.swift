/// What the sandbox's providers know about its projects.
enum ProviderFacts {
  /// Client ids that count as audience of an identity token: the web client, and for Apple the app as well.
  static let audiences = [
    "google": ["sandbox-google-web"], "apple": ["sandbox.apple.service", "sandbox.apple.app"],
  ]
  /// Issuers of identity tokens.
  static let issuers = [
    "google": ["https://accounts.google.com"],
    "apple": ["https://appleid.apple.com", "https://account.apple.com"],
  ]
}
