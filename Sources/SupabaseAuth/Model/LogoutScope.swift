/// Which sessions of the user `POST /logout` ends.
public enum LogoutScope: String, Sendable, Hashable, Codable {
  /// This one.
  case local
  /// All, also those of other devices.
  case global
  /// All but this one.
  case others
}
