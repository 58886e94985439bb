/// A value whose content never reaches a log by accident: it prints, dumps and reflects as `<TypeName redacted>`.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  /// The name of the type, and nothing of the content.
  public var description: String { "<\(Self.self) redacted>" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// A mirror without children, so `dump` shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// A refresh token. Its length varies with the server's algorithm (12 to about 62 characters): rely on none.
public struct RefreshToken: Sendable, Hashable, Redacted {
  /// The token itself: the one way out.
  public let exposed: String
  /// Wraps a token.
  public init(_ token: String) { exposed = token.outOfLine }
}

/// An access token, sent as `Authorization: Bearer` (RFC 6750, section 2.1).
public struct BearerToken: Sendable, Hashable, Redacted {
  /// The token itself: the one way out.
  public let exposed: String
  /// Wraps a token.
  public init(_ token: String) { exposed = token.outOfLine }
}

/// A password on its way from the user to the server. Never stored.
public struct Password: Sendable, Hashable, Redacted {
  /// The password itself: the one way out.
  public let exposed: String
  /// Wraps a password.
  public init(_ password: String) { exposed = password.outOfLine }
}

extension String {
  /// The same text in memory of its own, whatever its length.
  ///
  /// Swift keeps up to 15 bytes inside the value (a refresh token has 12, a password often fewer than 15), so each copy of the value
  /// carries the text along, into frames of tasks that live as long as the process, where nothing overwrites it. Text in
  /// memory of its own is overwritten when the last copy goes, as the agent's `free` does that.
  public var outOfLine: String {
    var copy = ""
    // Beyond what fits inside; a string never moves back.
    copy.reserveCapacity(Swift.max(utf8.count, 32))
    copy.append(self)
    return copy
  }
}
