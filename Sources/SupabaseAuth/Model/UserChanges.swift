/// What `PUT /user` is to change; what is nil stays. Prints redacted.
public struct UserChanges: Sendable, Hashable, Redacted {
  /// A new address; the project may ask for confirmation first.
  public var email: String?
  /// A new password; ends all other sessions.
  public var password: Password?
  /// Members to merge into `user_metadata`; a nil value deletes the key.
  public var data: [String: String?]

  /// Changes by their parts.
  public init(email: String? = nil, password: Password? = nil, data: [String: String?] = [:]) {
    self.email = email
    self.password = password
    self.data = data
  }
}
