package import AgentConfiguration
package import AgentProtocol
package import SupabaseAuth
import Synchronization
import SystemSupport

/// A configured project and the one client that talks to its servers.
package final class Project: Sendable {
  package let name: String
  package let settings: ProjectConfiguration
  package let endpoint: ProjectEndpoint
  package let server: any AuthServer
  /// The origin of the product's own API; the project's origin if the configuration sets none.
  package let apiOrigin: String

  init(name: String, settings: ProjectConfiguration, endpoint: ProjectEndpoint, server: any AuthServer) {
    (self.name, self.settings, self.endpoint, self.server) = (name, settings, endpoint, server)
    apiOrigin = settings.apiURL.flatMap { try? WebOrigin.of($0) } ?? endpoint.origin
  }

  /// `scheme://host[:port]` of the auth server. A session is bound to it.
  package var origin: String { endpoint.origin }

  /// The time limit for sessions in seconds, if the configuration tells it.
  var sessionLimit: Int? { settings.sessionLimit }

  /// The path after the origin if Supabase is served under a path; else empty.
  package var basePath: String { endpoint.path }
}

/// The legacy anon keys of Supabase's platform, which ends them with the year 2026.
extension Project {
  package var hasLegacyKey: Bool { ServiceKey.isLegacyAnon(settings.anonKey, origin: origin) }

  /// The words about such a key, without the project's name.
  package static let legacyKey = "a legacy anon key, which Supabase retires at the end of 2026"

  package static func replaceKey(of name: String) -> String {
    "copy the publishable key (sb_publishable_…) from the project's dashboard, under API Keys, then: "
      + "ritualctl init --update --project \(name) --anon-key KEY"
  }

  /// The complaint for `agent.status`.
  package var legacyKeyComplaint: String {
    "the key of project \(name) is \(Self.legacyKey): \(Self.replaceKey(of: name))"
  }
}

/// The currently configured projects, each with its client. Safe from any thread.
package final class Projects: Sendable {
  private let makeServer: @Sendable (ProjectEndpoint) -> any AuthServer
  private let projects: Mutex<[String: Project]>

  package init(_ configuration: Configuration, makeServer: @escaping @Sendable (ProjectEndpoint) -> any AuthServer) {
    self.makeServer = makeServer
    projects = Mutex([:])
    _ = apply(configuration)
  }

  package func named(_ name: String) -> Project? { projects.withLock { $0[name] } }

  /// All projects, sorted by name.
  package var all: [Project] { projects.withLock { $0.values.sorted { $0.name < $1.name } } }

  /// Returns the named project. Without a name, returns the only project, else the one named
  /// `default`.
  ///
  /// - Throws: `misconfigured` if there is no such project, or the choice is ambiguous.
  package func choose(_ name: String?) throws(AgentError) -> Project {
    let projects = projects.withLock { $0 }
    if let name {
      if let project = projects[name] { return project }
      throw AgentError(
        .misconfigured, "There is no project named \(ForeignText.shown(name, limit: 40)).",
        hint: "ritualctl init --project \(ForeignText.shown(name, limit: 40)) --project-url URL --anon-key KEY")
    }
    if projects.count == 1, let only = projects.values.first { return only }
    if let project = projects[AccountName.default] { return project }
    guard projects.isEmpty else {
      let names = projects.keys.sorted().joined(separator: ", ")
      throw AgentError(.misconfigured, "Several projects are configured: \(names).", hint: "choose one with --project")
    }
    throw AgentError(
      .misconfigured, "No project is configured yet.", hint: "ritualctl init")
  }

  /// Applies a new configuration. A project whose endpoint is unchanged keeps its client and
  /// connections.
  ///
  /// - Returns: The clients no longer needed, for the caller to shut down.
  package func apply(_ configuration: Configuration) -> [any AuthServer] {
    projects.withLock { projects in
      let old = projects
      projects = [:]
      for (name, settings) in configuration.projects {
        // Endpoints are validated when the configuration is read; a project that fails here is
        // omitted.
        guard let endpoint = try? settings.endpoint() else { continue }
        let known = old[name].flatMap { $0.endpoint == endpoint ? $0.server : nil }
        projects[name] = Project(
          name: name, settings: settings, endpoint: endpoint, server: known ?? makeServer(endpoint))
      }
      let kept = projects
      return old.values.filter { $0.endpoint != kept[$0.name]?.endpoint }.map(\.server)
    }
  }

  /// Ends the connections that no request uses. Call after a suspend or a change of the network.
  package func dropIdleConnections() {
    for project in all { (project.server as? SupabaseAuthClient)?.dropIdleConnections() }
  }

  /// Shuts down all clients concurrently.
  package func shutdown() async {
    let servers = all.map(\.server)
    await withDiscardingTaskGroup { group in
      for server in servers { group.addTask { await server.shutdown() } }
    }
  }
}

extension AuthServer {
  /// Ends the connections of a client that has any.
  package func shutdown() async {
    if let client = self as? SupabaseAuthClient { await client.shutdown() }
  }
}

extension ProjectConfiguration {
  /// The project's servers.
  ///
  /// - Throws: `AuthError` with a message that states the problem.
  func endpoint() throws(AuthError) -> ProjectEndpoint {
    var endpoint = try ProjectEndpoint(
      url: url, anonKey: anonKey, caFile: caFile, onlyThisCA: onlyThisCA, proxy: proxy)
    (endpoint.proxyPassword, endpoint.headers) = (proxyPassword, headers)
    return endpoint
  }
}
