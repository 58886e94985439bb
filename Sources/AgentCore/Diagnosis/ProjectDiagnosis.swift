import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import SessionEngine
import SignInFlows
import SupabaseAuth
import SystemSupport

/// The checks of a project that need no session: three concurrent requests.
struct ProjectDiagnosis: Sendable {
  /// Timeout of each request, including all of its waits. The whole diagnosis should take at most
  /// about 10 s.
  private static let limit = Duration.seconds(8)
  /// Maximum bytes of an answer. Both answers are empty or some hundred bytes.
  private static let largestAnswer = 64 * 1024
  /// The loopback port in the question whether the project redirects browsers there. Nothing
  /// listens on it. It is the first port that is assigned to no service (RFC 6335, section 6).
  private static let port = 49_152

  let project: Project
  /// The value of `[sign_in] redirect`.
  let redirect: String
  let clock: any AgentClock

  /// Runs the checks, and returns after `limit` at the latest. Never throws.
  func checks() async -> [DiagnosticCheck] {
    async let settings = limited { () throws(AuthError) in try await project.server.settings() }
    async let ahead = limited { () throws(AuthError) in try await secondsAhead() }
    async let landing = limited { () throws(AuthError) in try await self.landing() }
    let words = ProjectDiagnosisMessages(project: project)
    return await words.connection(settings) + [words.clock(await ahead), words.redirect(await landing, wanted)]
  }

  /// Runs only the checks that follow from the answer to one request. If it fails, the check of the
  /// connection names host and cause.
  func connection() async -> [DiagnosticCheck] {
    let settings = await limited { () throws(AuthError) in try await project.server.settings() }
    var checks = ProjectDiagnosisMessages(project: project).connection(settings)
    guard case .failure(let error) = settings, let cause = error.connectionFailure,
      let place = checks.firstIndex(where: { $0.outcome == .fail })
    else { return checks }
    checks[place].words += " (\(cause))"
    return checks
  }

  private var wanted: Redirect {
    redirect == "scheme"
      ? Redirect(.scheme(project.settings.redirectScheme))
      : Redirect(redirect == "manual" ? .manual : .loopback(port: Self.port))
  }

  /// Returns the seconds by which the server's clock is ahead of the local one, or nil if the
  /// answer has no date.
  private func secondsAhead() async throws(AuthError) -> Int64? {
    let answer = try await get(project.endpoint.authURL + "/health")
    return answer.date.map { Int64($0.timeIntervalSince1970) - clock.wall.unixSeconds }
  }

  /// Returns the URL to which a browser would be redirected, or nil if the answer is not a
  /// redirect.
  private func landing() async throws(AuthError) -> String? {
    let answer = try await get(project.endpoint.redirectProbeURL(redirectTo: wanted.url(attempt: "doctor")))
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
    return result ?? .failure(AuthError(.timeout, "the request timed out"))
  }
}

/// The diagnostic messages for the answers of a project. They repeat neither the project's URL or
/// key, nor text of the answers.
struct ProjectDiagnosisMessages {
  /// Maximum clock difference without a warning, in seconds. An answer may take 8 s, and `Date`
  /// counts whole seconds.
  private static let noticedSkew: Int64 = 30
  /// Clock difference above which the check fails, in seconds: the maximum that a server tolerates
  /// if it checks times itself (one-time codes, signed tokens).
  private static let harmfulSkew: Int64 = 300

  let project: Project

  /// The checks `project`, `tls`, `key` and `methods`, which follow from one answer.
  func connection(_ settings: Result<ProjectSettings, AuthError>) -> [DiagnosticCheck] {
    switch settings {
    case .success(let settings):
      [
        check("project", .ok, "answers"), check("tls", .ok, trust), acceptedKey, methods(settings),
      ]
    case .failure(let error): [reach(error), tls(error), key(error), unknown("methods")]
    }
  }

  func clock(_ ahead: Result<Int64?, AuthError>) -> DiagnosticCheck {
    guard case .success(let seconds?) = ahead else { return unknown("clock") }
    let size = abs(seconds)
    guard size > Self.noticedSkew else { return check("clock", .ok, "matches the server's") }
    return check(
      "clock", size > Self.harmfulSkew ? .fail : .warn,
      "this machine's clock is \(size) s \(seconds > 0 ? "behind" : "ahead of") the server's",
      next: "timedatectl set-ntp true")
  }

  /// The check `redirect`.
  ///
  /// - Parameter landing: the URL to which a browser would be redirected; nil if the answer is not
  ///   a redirect.
  func redirect(_ landing: Result<String?, AuthError>, _ wanted: Redirect) -> DiagnosticCheck {
    guard case .success(let address?) = landing else { return unknown("redirect") }
    if wanted.accepts(String(address.prefix { $0 != "?" && $0 != "#" })) {
      return check("redirect", .ok, "sign-ins return to \(Self.shown(wanted))")
    }
    return check(
      "redirect", .fail, "the project does not allow \(Self.shown(wanted)): browsers are sent to its Site URL instead",
      next: "add \(ForeignText.shown(wanted.allowListEntry)) to its redirect URLs (Authentication, URL Configuration)")
  }

  private static func shown(_ redirect: Redirect) -> String {
    if case .scheme = redirect.kind { return ForeignText.shown(redirect.baseURL) }
    return "127.0.0.1"
  }

  private func check(
    _ name: String, _ outcome: CheckOutcome, _ words: String, next: String? = nil
  ) -> DiagnosticCheck {
    DiagnosticCheck(name, project: project.name, outcome, words, next: next)
  }

  private func unknown(_ name: String) -> DiagnosticCheck {
    check(name, .warn, "unknown: the project did not answer")
  }

  // MARK: - Checks that follow from one failure

  private var trust: String {
    guard project.origin.hasPrefix("https://") else { return "plain HTTP, only on this machine" }
    let roots =
      project.settings.onlyThisCA ? "only by ca_file" : project.settings.caFile == nil ? "by the system" : "by ca_file"
    return "the certificate is trusted (\(roots)), TLS 1.2 or newer"
  }

  private func reach(_ error: AuthError) -> DiagnosticCheck {
    let table = "[projects.\(project.name)]"
    switch error.code {
    case .tls: return check("project", .warn, "unknown: no secure connection")
    case .network, .timeout:
      let proxy = project.settings.proxy == nil ? "" : ", the proxy"
      return check(
        "project", .fail, error.code == .timeout ? "timed out" : "cannot be reached",
        next: "check the network\(proxy) and the url setting in \(table)")
    case .proxyRefused:
      return check("project", .fail, error.message, next: "see proxy_password_file in \(table)")
    case .gateRefused:
      return check(
        "project", .fail, "a gate in front of it refuses the request",
        next: "put the headers that it demands into headers_file in \(table)")
    case .projectPaused:
      return check("project", .fail, "is paused", next: "its owner can resume it in the Supabase dashboard")
    case _ where Self.isRefusal(error): return check("project", .ok, "answers")
    case _ where (error.status ?? 0) >= 500:
      return check("project", .fail, "server error (HTTP \(error.status ?? 0))", next: "try again later")
    default:
      return check(
        "project", .fail, "the server at this URL is not Supabase Auth",
        next: "check url in \(table); a captive portal can also cause this")
    }
  }

  private func tls(_ error: AuthError) -> DiagnosticCheck {
    if error.code == .tls {
      return check(
        "tls", .fail, error.message,
        next: "inspect the chain with openssl s_client; add its issuer to ca_file in [projects.\(project.name)]")
    }
    return error.status == nil && error.code != .unreadable ? unknown("tls") : check("tls", .ok, trust)
  }

  private var acceptedKey: DiagnosticCheck {
    guard project.hasLegacyKey else { return check("key", .ok, "accepted by the project") }
    return check(
      "key", .warn, "accepted by the project, but \(Project.legacyKey)", next: Project.replaceKey(of: project.name))
  }

  private func key(_ error: AuthError) -> DiagnosticCheck {
    if error.code == .legacyKeyDisabled {
      return check(
        "key", .fail, "a legacy anon key, and the project has disabled those",
        next: Project.replaceKey(of: project.name))
    }
    guard Self.isRefusal(error), error.code != .gateRefused else { return unknown("key") }
    return check(
      "key", .fail, "the project rejects the key",
      next: "copy the anon (publishable) key from its dashboard to anon_key in [projects.\(project.name)]")
  }

  private static func isRefusal(_ error: AuthError) -> Bool { error.status == 401 || error.status == 403 }

  /// A warning and not a failure if nothing is on: the server does not list custom providers.
  private func methods(_ settings: ProjectSettings) -> DiagnosticCheck {
    let on = settings.signInProviders
    guard !on.isEmpty else {
      return check(
        "methods", .warn, "no sign-in method is enabled",
        next: "enable one in its dashboard (Authentication, Sign In / Providers)")
    }
    let newcomers = settings.disableSignup ? "; sign-ups disabled" : ""
    return check("methods", .ok, "enabled sign-in methods: \(on.map(\.rawValue).joined(separator: ", "))" + newcomers)
  }
}
