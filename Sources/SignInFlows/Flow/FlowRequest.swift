import AgentConfiguration
import AgentProtocol
import SupabaseAuth
import SystemSupport

/// What `signIn.start` asks for, checked.
struct FlowRequest: Sendable {
  enum Way: Sendable {
    case loopback(port: Int?)
    case scheme
    case manual
  }

  let way: Way
  /// Nil: the sign-in page asks.
  let provider: Provider?
  /// How long one `signIn.wait` waits (SI-11).
  let patience: Duration

  /// What `params` leave open is as `settings` say.
  init(_ params: SignInStart.Params, _ settings: SignInConfiguration) throws(AgentError) {
    // A port can be meant for the loopback redirect alone.
    let redirect = params.redirect ?? (params.port == nil ? settings.redirect : "loopback")
    way = try Self.way(redirect, port: params.port)
    provider = try Self.provider(params.provider)
    let seconds = params.timeout ?? Double(settings.timeout)
    guard seconds.isFinite, seconds > 0 else {
      throw AgentError(.invalidParams, "The time limit must be a number of seconds above 0.")
    }
    patience = min(.seconds(min(seconds, 3600)), SignInBounds.flowLife)
    guard provider != nil || redirect == "loopback" else {
      throw AgentError(
        .invalidParams, "Without a browser on this machine there is no sign-in page: name the way to sign in.",
        hint: "ritualctl sign-in apple|google|email")
    }
  }

  private static func way(_ redirect: String, port: Int?) throws(AgentError) -> Way {
    if let port, !(1...65_535).contains(port) || redirect != "loopback" {
      throw AgentError(.invalidParams, "A port is 1 to 65535, and belongs to the loopback redirect alone.")
    }
    switch redirect {
    case "loopback": return .loopback(port: port)
    case "scheme": return .scheme
    case "manual": return .manual
    default: throw AgentError(.invalidParams, "The redirect is loopback, scheme or manual.")
    }
  }

  private static func provider(_ name: String?) throws(AgentError) -> Provider? {
    switch name {
    case nil: return nil
    case "apple": return .apple
    case "google": return .google
    default: throw AgentError(.invalidParams, "The provider is apple or google.")
    }
  }
}
