import Glibc

/// The variables of a command that sends its requests through a grant (`exec --egress`).
struct EgressEnvironment {
  /// `http://127.0.0.1:PORT`
  let url: String
  /// The placeholder token.
  let token: String

  /// A proxy cannot reach the loopback address of this machine.
  private static let unproxied = ["127.0.0.1", "localhost"]

  func export() {
    for name in ["RITUAL_API_URL", "SUPABASE_URL"] { setenv(name, url, 1) }
    for name in ["RITUAL_ACCESS_TOKEN", "SUPABASE_KEY", "SUPABASE_ANON_KEY"] { setenv(name, token, 1) }
    // Both are read first: a program that finds one of them does not read the other.
    let (lower, upper) = (Self.value("no_proxy"), Self.value("NO_PROXY"))
    setenv("no_proxy", Self.unproxied(lower ?? upper), 1)
    setenv("NO_PROXY", Self.unproxied(upper ?? lower), 1)
  }

  /// The value with the loopback names appended. `*` alone means every host, and only alone.
  static func unproxied(_ value: String?) -> String {
    guard let value, !value.isEmpty else { return unproxied.joined(separator: ",") }
    return value == "*" ? value : ([value] + unproxied).joined(separator: ",")
  }

  private static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
