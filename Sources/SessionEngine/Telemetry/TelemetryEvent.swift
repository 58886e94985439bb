package import AgentProtocol
package import SupabaseAuth
import SystemSupport

/// How somebody signs in, as far as telemetry tells: a fixed set.
package enum AuthMethod: String, Sendable, CaseIterable {
  case apple, google, email
  /// A session that was brought along.
  case imported
  /// The sign-in page asks.
  case page
  case other

  package init(_ provider: Provider) { self = AuthMethod(rawValue: provider.rawValue) ?? .other }
}

/// The events of OP-5. What they carry is of fixed sets or a number: no personal data fits in.
package enum TelemetryEvent: Sendable {
  case authMethodSelected(AuthMethod)
  case authStarted(AuthMethod)
  case authCompleted(AuthMethod, Duration)
  case authFailed(AuthMethod, ErrorKind)
  case authCancelled(AuthMethod)
  case tokenRefreshAttempted(RefreshReason)
  case tokenRefreshFailed(ErrorKind)
  case accountLinked(AuthMethod)

  var name: String {
    switch self {
    case .authMethodSelected: "auth_method_selected"
    case .authStarted: "auth_started"
    case .authCompleted: "auth_completed"
    case .authFailed: "auth_failed"
    case .authCancelled: "auth_cancelled"
    case .tokenRefreshAttempted: "token_refresh_attempted"
    case .tokenRefreshFailed: "token_refresh_failed"
    case .accountLinked: "account_linked"
    }
  }

  /// The properties that are labels of a counter too.
  var labels: [String: String] {
    switch self {
    case .authMethodSelected(let method), .authStarted(let method), .authCompleted(let method, _),
      .authCancelled(let method), .accountLinked(let method):
      ["method": method.rawValue]
    case .authFailed(let method, let kind): ["method": method.rawValue, "error_type": Self.known(kind)]
    case .tokenRefreshAttempted(let reason): ["reason": reason.rawValue]
    case .tokenRefreshFailed(let kind): ["error_type": Self.known(kind)]
    }
  }

  var properties: [String: String] {
    guard case .authCompleted(_, let duration) = self else { return labels }
    return labels.merging(["duration_ms": "\(Int64((duration.seconds * 1000).rounded()))"]) { $1 }
  }

  /// The kinds of the error table alone, so that a label has no more values than that.
  private static func known(_ kind: ErrorKind) -> String {
    ErrorKind.known.contains(kind) ? kind.rawValue : ErrorKind.internalError.rawValue
  }

  /// How a sign-in ended that did not succeed.
  package static func ended(_ method: AuthMethod, _ error: AgentError) -> TelemetryEvent {
    error.kind == .cancelled ? .authCancelled(method) : .authFailed(method, error.kind)
  }
}
