/// Who vouches for an identity, by GoTrue's name. Open: a server may name providers that this version does not know.
public struct Provider: RawRepresentable, Sendable, Hashable, Codable {
  /// GoTrue's name, such as `google`. Foreign text where it was decoded.
  public let rawValue: String
  /// A provider by GoTrue's name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Sign in with Apple.
  public static let apple = Provider(rawValue: "apple")
  /// Sign in with Google.
  public static let google = Provider(rawValue: "google")
  /// E-mail and password.
  public static let email = Provider(rawValue: "email")
}
