import FoundationEssentials

/// The key that a configuration must never hold: Supabase's secret key or `service_role`, which no rule of the
/// project's database stops. Pure; safe from any thread.
public enum ServiceKey {
  /// What is wrong with such a key, and what is meant; it does not repeat the key.
  public static let complaint =
    "this key can do everything in the project: use the anon or publishable key, and renew this one"

  private struct Claims: Decodable { let role: String? }

  /// Roles that the database's rules do not hold for.
  private static let roles: Set<String> = ["service_role", "supabase_admin", "postgres"]

  /// Whether `key` is one: by its prefix (`sbp_` is a personal access token), or by the claim `role` of a JWT (Supabase,
  /// "Understanding API keys").
  public static func matches(_ key: String) -> Bool {
    if key.utf8.starts(with: "sb_secret_".utf8) || key.utf8.starts(with: "sbp_".utf8) { return true }
    let parts = key.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let claims = decoded(parts[1]) else { return false }
    return (try? JSONDecoder().decode(Claims.self, from: claims))?.role.map(roles.contains) ?? false
  }

  /// base64url without padding (RFC 7515, section 2).
  private static func decoded(_ part: Substring) -> Data? {
    let plain = part.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    return Data(base64Encoded: String(plain) + String(repeating: "=", count: (4 - plain.count % 4) % 4))
  }
}
