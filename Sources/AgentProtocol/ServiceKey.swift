import FoundationEssentials

/// Detects keys that a configuration must never contain, Supabase's secret keys and `service_role`,
/// which bypass the project's row-level security; and keys that it will have to replace. Pure; thread-safe.
public enum ServiceKey {
  /// The error message for such a key, with the remedy. It does not contain the key.
  public static let complaint =
    "this secret key has full access to the project: use the anon or publishable key, and rotate this one"

  private struct Claims: Decodable {
    let role: String?
    /// The name of a project on Supabase's platform.
    let ref: String?
  }

  /// Roles that bypass row-level security.
  private static let roles: Set<String> = ["service_role", "supabase_admin", "postgres"]

  /// Whether `key` is a secret key, by its prefix (`sbp_` is a personal access token) or by the
  /// claim `role` of a JWT (Supabase, "Understanding API keys").
  public static func matches(_ key: String) -> Bool {
    if key.utf8.starts(with: "sb_secret_".utf8) || key.utf8.starts(with: "sbp_".utf8) { return true }
    return claims(of: key)?.role.map(roles.contains) ?? false
  }

  /// The length of a project's name on the platform (`ref`).
  private static let refLength = 20

  /// Whether `key` is a legacy anon key of Supabase's platform: a JWT that names a project there, or of a
  /// project at the platform's own URLs. The JWT of a project elsewhere stays valid.
  public static func isLegacyAnon(_ key: String, origin: String) -> Bool {
    guard let claims = claims(of: key), claims.role == "anon" else { return false }
    return claims.ref?.utf8.count == refLength || origin.hasSuffix(".supabase.co")
  }

  private static func claims(of key: String) -> Claims? {
    let parts = key.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let claims = decoded(parts[1]) else { return nil }
    return try? JSONDecoder().decode(Claims.self, from: claims)
  }

  /// Decodes base64url without padding (RFC 7515, section 2).
  private static func decoded(_ part: Substring) -> Data? {
    let plain = part.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    return Data(base64Encoded: String(plain) + String(repeating: "=", count: (4 - plain.count % 4) % 4))
  }
}
