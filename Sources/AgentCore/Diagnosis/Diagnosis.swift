import AccessControl
import AgentConfiguration
import AgentProtocol
import AgentServer
import Egress
import SessionEngine
import SystemSupport

/// Implements `agent.diagnose`: the checks that are made where the agent runs. Concurrent callers
/// share one run.
actor Diagnosis {
  /// Rate limit of runs: 5 at once, and one more every 10 s. Each run sends three requests to every
  /// project, and the server accepts 30 requests to `/verify` in 5 minutes.
  private static let runs = (burst: 5.0, perSecond: 0.1)

  private let projects: Projects
  private let settings: CurrentSettings
  private let clock: any AgentClock
  private let configuration: String
  private let fileReader: WorkThread
  private let audit: AuditLog?
  private let sockets: SocketChecks?
  private let tokens: TokenSnapshot
  private var bucket: TokenBucket
  private var running: Task<AgentDiagnose.Result, Never>?

  init(
    projects: Projects, settings: CurrentSettings, configuration: String, fileReader: WorkThread, audit: AuditLog?,
    sockets: SocketChecks? = nil, tokens: TokenSnapshot, clock: any AgentClock
  ) {
    (self.projects, self.settings, self.configuration, self.clock) = (projects, settings, configuration, clock)
    (self.fileReader, self.audit, self.sockets) = (fileReader, audit, sockets)
    self.tokens = tokens
    bucket = TokenBucket(capacity: Self.runs.burst, perSecond: Self.runs.perSecond, now: clock.now)
  }

  /// Returns the result of the run in progress, or of a new run.
  ///
  /// - Throws: `tooMany` if the rate limit is exceeded.
  func result(_ vault: VaultAccess) async throws(AgentError) -> AgentDiagnose.Result {
    if let running { return await running.value }
    let now = clock.now
    if let later = bucket.take(now: now) {
      throw AgentError(
        .tooMany, "Too many diagnostic runs. Please try again later.", retryAfter: now.duration(to: later).seconds)
    }
    // An unstructured task, because other callers share the run. It ends by its own timeouts, even
    // if its callers are gone.
    let task = Task { await self.make(vault) }
    running = task
    defer { running = nil }
    return await task.value
  }

  private func make(_ vault: VaultAccess) async -> AgentDiagnose.Result {
    let (all, redirect) = (projects.all, settings.current.signIn.redirect)
    async let ofVault = VaultDiagnosis.check(await vault.summary(), complaints: await vault.complaints())
    let ofProjects = await withTaskGroup(of: (Int, [DiagnosticCheck]).self) { group in
      for (place, project) in all.enumerated() {
        group.addTask { [clock] in
          (place, await ProjectDiagnosis(project: project, redirect: redirect, clock: clock).checks())
        }
      }
      var found: [(Int, [DiagnosticCheck])] = []
      for await checks in group { found.append(checks) }
      return found.sorted { $0.0 < $1.0 }.flatMap(\.1)
    }
    return AgentDiagnose.Result(
      checks: [await configurationCheck(), await ofVault] + VaultDiagnosis.checks(await vault.restored)
        + (await auditCheck) + (sockets?.checks ?? []) + TokenLengths.checks(tokens.lengths) + ofProjects,
      redirect: redirect, schemes: Set(all.map(\.settings.redirectScheme)).sorted())
  }

  /// One row if something is wrong with the audit log, else none.
  private var auditCheck: [DiagnosticCheck] {
    get async {
      let complaints = await audit?.freshComplaints() ?? []
      guard !complaints.isEmpty else { return [] }
      return [
        DiagnosticCheck("audit log", .warn, complaints.joined(separator: "; "), next: "ritualctl audit --verify")
      ]
    }
  }

  private func configurationCheck() async -> DiagnosticCheck {
    let path = configuration
    guard let read = try? await fileReader.run({ try Configuration.loadWithSecrets(path: path) }) else {
      return DiagnosticCheck(
        "configuration", .fail, "the file is invalid; the agent keeps the previous settings",
        next: "ritual-agentd --check-config")
    }
    guard read == settings.current else {
      return DiagnosticCheck(
        "configuration", .warn, "the file has changed since the agent read it", next: "ritualctl reload")
    }
    guard !projects.all.isEmpty else {
      return DiagnosticCheck(
        "configuration", .fail, "no project is configured", next: "ritualctl init")
    }
    return DiagnosticCheck("configuration", .ok, "projects: \(projects.all.map(\.name).joined(separator: ", "))")
  }
}

/// Tokens that are longer than what common servers accept in a header. A hook that adds claims, or large
/// metadata, makes them so; the servers' answers do not name the cause.
enum TokenLengths {
  /// The default limits for the value of a header: of Cowboy, which serves Realtime; and of nginx, with
  /// which many gateways are built, and Apache (less the name of the header).
  private static let limits: [(bytes: Int, servers: String)] = [
    (8 * 1024 - "Authorization: Bearer ".utf8.count, "nginx, Apache and most gateways accept 8 KiB"),
    (4 * 1024, "Realtime accepts 4 KiB"),
  ]

  /// One row for each such token, by account.
  static func checks(_ lengths: [String: Int]) -> [DiagnosticCheck] {
    lengths.sorted { $0.key < $1.key }.compactMap { account, bytes in
      guard let limit = limits.first(where: { bytes > $0.bytes }) else { return nil }
      return DiagnosticCheck(
        "tokens", .warn, "\(account): the token has \(bytes) bytes; by default, \(limit.servers) in a header",
        next: "remove large claims: a custom access token hook, app_metadata, user_metadata")
    }
  }
}

/// The sockets that an agent serves, and its limit of descriptors.
struct SocketChecks: Sendable {
  let servesEgress: Bool
  let servesCredentials: Bool
  /// RLIMIT_NOFILE.
  let descriptors: UInt64

  /// One row if all is well, else one for each problem.
  var checks: [DiagnosticCheck] {
    let missing = [("egress", servesEgress), ("credentials", servesCredentials)].filter { !$0.1 }.map { name, _ in
      DiagnosticCheck(
        name, .warn, "the agent does not serve \(name).sock",
        next: ServiceManager.isPresent
          ? "systemctl --user enable ritual-agent.socket && \(ServiceManager.restartAgent)" : ServiceManager.agentLog)
    }
    let found = missing + limit
    return found.isEmpty ? [DiagnosticCheck("sockets", .ok, "egress.sock and credentials.sock are served")] : found
  }

  private var limit: [DiagnosticCheck] {
    guard descriptors < DescriptorLimit.wanted else { return [] }
    let most = SocketLimits.egressConnections(EgressLimits.maxConnections, descriptors: descriptors)
    return [
      DiagnosticCheck(
        "limits", .warn,
        "the agent may open only \(descriptors) files: at most \(most) connections of the egress proxy at once",
        next: ServiceManager.isPresent
          ? "set LimitNOFILE=\(DescriptorLimit.wanted) in a drop-in: systemctl --user edit ritual-agent.service"
          : "start the agent after: ulimit -n \(DescriptorLimit.wanted)")
    ]
  }
}
