import AgentConfiguration
import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// The validated parameters of `signIn.start`.
struct FlowRequest: Sendable {
  /// The redirect in a project, with port 0 for any free one.
  let redirect: @Sendable (Project) -> Redirect
  /// The provider; nil if the sign-in page asks for it, or for single sign-on.
  let provider: Provider?
  /// Additional OAuth scopes for the provider.
  let scopes: String?
  let ssoDomain: String?
  let waitTimeout: Duration
  let asksSecondFactor: Bool

  private static let maxScopesLength = 1024

  /// Creates a request; `settings` supply what `params` omit.
  /// - Throws: `.invalidParams` for an invalid combination.
  init(_ params: SignInStart.Params, _ settings: SignInConfiguration) throws(AgentError) {
    // Only the loopback redirect has a port.
    let redirect = params.redirect ?? (params.port == nil ? settings.redirect : "loopback")
    self.redirect = try Self.way(redirect, port: params.port)
    provider = try Self.provider(params.provider)
    ssoDomain = try params.sso.map { sso throws(AgentError) in try SSODomain.checked(sso.domain) }
    guard provider == nil || ssoDomain == nil else {
      throw AgentError(.invalidParams, "Choose either a provider or single sign-on.")
    }
    scopes = try Self.scopes(params.scopes, provider)
    asksSecondFactor = try Self.asks(params.mfa) ?? settings.asksForSecondFactor
    // An organization's page has more time than a provider's. A timeout that was given counts.
    let least = ssoDomain == nil ? 0 : SignInLimits.ssoPageLifetime.seconds
    waitTimeout = try Self.waitTimeout(
      params.timeout, least: max(Double(settings.timeoutSeconds), least),
      lifetime: ssoDomain == nil ? SignInLimits.flowLifetime : SignInLimits.ssoLifetime)
    guard provider != nil || ssoDomain != nil || redirect == "loopback" else {
      throw AgentError(
        .invalidParams, "There is no sign-in page without a browser on this machine: choose a sign-in method.",
        hint: "ritualctl sign-in METHOD, such as github, email or code")
    }
  }

  /// The method that was chosen; the page's flows begin with Apple, which the page replaces.
  var method: Provider { ssoDomain == nil ? provider ?? .apple : .sso }

  /// Returns the timeout of one `signIn.wait`: the given one in seconds, else `least`, and no longer than the flow.
  static func waitTimeout(_ given: Double?, least: Double, lifetime: Duration) throws(AgentError) -> Duration {
    let seconds = given ?? least
    guard seconds.isFinite, seconds > 0 else {
      throw AgentError(.invalidParams, "The timeout must be a number of seconds greater than 0.")
    }
    return min(.seconds(min(seconds, 3600)), lifetime)
  }

  private static func asks(_ mfa: String?) throws(AgentError) -> Bool? {
    switch mfa {
    case nil: return nil
    case "ask": return true
    case "later": return false
    default: throw AgentError(.invalidParams, "The parameter mfa must be ask or later.")
    }
  }

  /// The grammar of OAuth (RFC 6749, section 3.3).
  private static func scopes(_ text: String?, _ provider: Provider?) throws(AgentError) -> String? {
    guard let text else { return nil }
    guard provider != nil else { throw AgentError(.invalidParams, "Scopes require a provider.") }
    let isValid = text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    guard isValid, (1...maxScopesLength).contains(text.utf8.count) else {
      throw AgentError(.invalidParams, "The scopes must be words of printable ASCII, separated by spaces.")
    }
    return text
  }

  private static func way(
    _ redirect: String, port: Int?
  ) throws(AgentError) -> @Sendable (Project) -> Redirect {
    if let port, !(1...65_535).contains(port) || redirect != "loopback" {
      throw AgentError(.invalidParams, "The port must be 1 to 65535, and requires the loopback redirect.")
    }
    switch redirect {
    case "loopback": return { _ in Redirect(.loopback(port: port ?? 0)) }
    case "scheme": return { Redirect(.scheme($0.settings.redirectScheme)) }
    case "manual": return { _ in Redirect(.manual) }
    default: throw AgentError(.invalidParams, "The redirect must be loopback, scheme or manual.")
    }
  }

  static func provider(_ name: String?) throws(AgentError) -> Provider? {
    guard let name else { return nil }
    guard let provider = Provider.named(name) else {
      throw AgentError(
        .invalidParams, "\(ForeignText.shown(name, limit: 40)) is not a provider that signs in through a browser.")
    }
    return provider
  }
}
