/// The display names of sign-in methods, for terminals, pages and messages.
public enum ProviderName {
  /// The providers whose names are not simply shown as the server writes them.
  private static let names = [
    "apple": "Apple", "azure": "Microsoft", "bitbucket": "Bitbucket", "discord": "Discord", "facebook": "Facebook",
    "figma": "Figma", "fly": "Fly.io", "github": "GitHub", "gitlab": "GitLab", "google": "Google", "kakao": "Kakao",
    "keycloak": "Keycloak", "linkedin": "LinkedIn", "linkedin_oidc": "LinkedIn", "notion": "Notion", "slack": "Slack",
    "slack_oidc": "Slack", "snapchat": "Snapchat", "spotify": "Spotify", "sso": "single sign-on", "twitch": "Twitch",
    "twitter": "X", "vercel": "Vercel", "workos": "WorkOS", "x": "X", "zoom": "Zoom",
  ]

  /// The names of well-known providers. A project can have others.
  public static var known: [String] { names.keys.filter { $0 != "sso" }.sorted() }

  /// Returns the display name of a method by Supabase's name, at most 40 characters of printable text. An unknown name
  /// is shown as it is, `custom:acme` as `acme`.
  public static func shown(_ provider: String) -> String {
    if let name = names[provider] { return name }
    // The server adds the id of the organization's identity provider.
    if provider.hasPrefix("sso:") { return names["sso"] ?? provider }
    let custom = "custom:"
    let rest = provider.hasPrefix(custom) ? String(provider.dropFirst(custom.count)) : provider
    return ForeignText.shown(rest, limit: 40)
  }
}
