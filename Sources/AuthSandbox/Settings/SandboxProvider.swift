/// The providers that the sandbox plays.
public enum SandboxProvider: String, Sendable, Codable, CaseIterable {
  /// Answers the browser by a redirect.
  case google
  /// Answers the browser by a form that posts itself.
  case apple
}
