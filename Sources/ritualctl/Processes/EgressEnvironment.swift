import Glibc

/// The variables of a command that sends its requests through a grant (`exec --egress`).
struct EgressEnvironment {
  /// `http://127.0.0.1:PORT`
  let url: String
  /// The path of the grant's socket, if it has one.
  let socket: String?
  /// The placeholder token.
  let token: String
  /// True if the command is to use its proxy: the URL has a name that the proxy resolves to this machine.
  let isProxied: Bool

  /// A proxy cannot reach the loopback address of this machine.
  private static let unproxied = ["127.0.0.1", "localhost"]

  func export() {
    for name in ["RITUAL_API_URL", "SUPABASE_URL"] { setenv(name, url, 1) }
    for name in ["RITUAL_ACCESS_TOKEN", "SUPABASE_KEY", "SUPABASE_ANON_KEY"] { setenv(name, token, 1) }
    if let socket { setenv("RITUAL_API_SOCKET", socket, 1) } else { unsetenv("RITUAL_API_SOCKET") }
    if isProxied { return }
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
