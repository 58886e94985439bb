import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import SessionEngine
import SignInFlows
import SupabaseAuth
import SystemSupport

/// What can be told of a project from here, without a session: three requests side by side.
struct ProjectDiagnosis: Sendable {
  /// For each request, whatever its parts wait for; all of a diagnosis is to end within about 10 s.
  private static let limit = Duration.seconds(8)
  /// The largest answer that is read: both are empty or some hundred bytes.
  private static let largestAnswer = 64 * 1024
  /// A loopback port for the question whether the project sends browsers there; nothing listens on it. The first of those that no
  /// service has (RFC 6335, section 6).
  private static let port = 49_152

  let project: Project
  /// `[sign_in] redirect`
  let redirect: String
  let clock: any AgentClock

  /// Never throws, and returns after `limit` at the latest.
  func checks() async -> [DiagnosticCheck] {
    async let settings = limited { () throws(AuthError) in try await project.server.settings() }
    async let ahead = limited { () throws(AuthError) in try await secondsAhead() }
    async let landing = limited { () throws(AuthError) in try await self.landing() }
    let words = ProjectDiagnosisWords(project: project)
    return await words.connection(settings) + [words.clock(await ahead), words.redirect(await landing, wanted)]
  }

  private var wanted: Redirect {
    redirect == "scheme"
      ? Redirect(.scheme(project.settings.redirectScheme))
      : Redirect(redirect == "manual" ? .manual : .loopback(port: Self.port))
  }

  /// How many seconds the server's clock is ahead of ours; nil where it does not tell.
  private func secondsAhead() async throws(AuthError) -> Int64? {
    let answer = try await get(project.endpoint.authURL + "/health")
    return answer.date.map { Int64($0.timeIntervalSince1970) - clock.wall.unixSeconds }
  }

  /// Where a browser would be sent; nil where the answer is no redirect.
  private func landing() async throws(AuthError) -> String? {
    let answer = try await get(project.endpoint.redirectProbeURL(redirectTo: wanted.address(attempt: "doctor")))
    return (300...399).contains(answer.status) ? answer.header("location") : nil
  }

  private func get(_ url: String) async throws(AuthError) -> APIResponse {
    try await project.server.send(
      APIRequest(
        method: "GET", url: url, headers: [(name: "apikey", value: project.endpoint.anonKey)],
        limit: Self.largestAnswer, timeout: Self.limit))
  }

  private func limited<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(AuthError) -> Value
  ) async -> Result<Value, AuthError> {
    let result = try? await withTimeout(Self.limit, clock) { () async -> Result<Value, AuthError> in
      do throws(AuthError) { return .success(try await work()) } catch { return .failure(error) }
    }
    return result ?? .failure(AuthError(.timeout, "no answer in time"))
  }
}
