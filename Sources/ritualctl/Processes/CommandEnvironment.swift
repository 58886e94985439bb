import Glibc

/// The variables of the command that `exec` runs, which are this process's own until then.
enum CommandEnvironment {
  /// Sets variables. Removes those without a value, so that the command never sends the token to a URL
  /// that it inherited, which may belong to another project.
  static func set(_ variables: KeyValuePairs<String, String?>) {
    for (name, value) in variables {
      if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }
  }

  /// For `exec --egress`: a proxy cannot reach the loopback address of this machine.
  static func exceptLoopbackFromProxies() {
    // Both are read first: a program that finds one of them does not read the other.
    let (lower, upper) = (value("no_proxy"), value("NO_PROXY"))
    setenv("no_proxy", unproxied(lower ?? upper), 1)
    setenv("NO_PROXY", unproxied(upper ?? lower), 1)
  }

  private static let unproxied = ["127.0.0.1", "localhost"]

  /// The value with the loopback names appended. `*` alone means every host, and only alone.
  private static func unproxied(_ value: String?) -> String {
    guard let value, !value.isEmpty else { return unproxied.joined(separator: ",") }
    return value == "*" ? value : ([value] + unproxied).joined(separator: ",")
  }

  private static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
