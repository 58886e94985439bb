import AgentProtocol
import AuthSandbox
import SupabaseAuth
import Synchronization
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

/// The links that an agent has reported since this value was made.
struct ReportedLinks: Sendable {
  private let facts: ReportedFacts
  private let earlier: Int

  init(_ agent: LiveAgent) {
    facts = agent.facts
    earlier = facts.all.count
  }

  /// Provider and origin of each link, such as `google automatic`.
  var descriptions: [String] {
    facts.all.dropFirst(earlier).compactMap { fact in
      guard case .identity(let notice) = fact else { return nil }
      return "\(notice.provider.rawValue) \(notice.way.rawValue)"
    }
  }
}

/// Collects what the accounts of an agent report.
final class ReportedFacts: Sendable {
  private let facts = Mutex<[EngineFact]>([])

  var all: [EngineFact] { facts.withLock { $0 } }

  func add(_ fact: EngineFact) { facts.withLock { $0.append(fact) } }
}

extension LiveAgent {
  /// Follows redirects from `url`, as a browser does. Returns the first URL outside the sandbox.
  func redirectTarget(of url: String) async throws -> String {
    var next = url
    let port = Int(sandbox.url.split(separator: ":")[2]) ?? 0
    while next.hasPrefix(sandbox.url) {
      let reply = try await LoopbackClient.get(port, String(next.dropFirst(sandbox.url.utf8.count)))
      next = try #require(reply.headers["location"], "\(reply.status) at \(next): \(reply.body.prefix(300))")
    }
    return next
  }

  /// Signs in with Google through a browser.
  func signInWithGoogle(account: String? = nil) async throws -> SignInResult {
    let params = SignInStart.Params(account: account, provider: "google", redirect: "scheme")
    return try await service.complete(try await redirectTarget(of: try await service.start(params).url))
  }

  /// Links Google through a browser.
  func linkGoogle() async throws -> SignInResult {
    let params = IdentityLink.Params(provider: "google", redirect: "scheme")
    return try await service.complete(try await redirectTarget(of: try await service.link(params).url))
  }

  func token(_ account: String? = nil) async throws -> String {
    try await accounts.token(SessionToken.Params(account: account)).accessToken
  }

  func providers(_ account: String? = nil) async throws -> [String] {
    try await accounts.status(account).identities.map(\.provider)
  }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test a stage whose Google consents at once: `LiveStage.current`.
  static var googleStage: Self { LiveStage.running.trait { body in try await withGoogleStage { try await body($0) } } }

  /// Gives the test an agent on a stage whose Google consents at once: `LiveAgent.current`.
  static func googleAgent(
    _ configuration: String = "", email: String = LiveAgent.email, manualLinking: Bool = true
  ) -> Self {
    LiveAgent.running.trait { body in
      try await withGoogleStage(configuration, email: email, manualLinking: manualLinking) { try await $0.run(body) }
    }
  }
}

/// Runs `body` on a stage whose Google consents at once, with `email`.
func withGoogleStage(
  _ configuration: String = "", email: String = LiveAgent.email, manualLinking: Bool = true,
  _ body: @Sendable (LiveStage) async throws -> Void
) async throws {
  var settings = SandboxSettings()
  (settings.autoConsentGoogle, settings.manualLinking) = (email, manualLinking)
  try await withLiveStage(configuration, settings) { stage async throws in
    stage.sandbox.addProviderAccount(.google, email: email, firstName: "Anna")
    try await body(stage)
  }
}
