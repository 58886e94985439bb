package import AgentConfiguration
package import SupabaseAuth

/// A project of the configuration, and the one client that talks to its servers.
package struct Project: Sendable {
  package let name: String
  package let settings: ProjectConfiguration
  package let endpoint: ProjectEndpoint
  package let server: any AuthServer

  /// `scheme://host[:port]` of the auth server: what a session is bound to (SE-2).
  package var origin: String { endpoint.origin }

  /// What stands behind the origin where Supabase lies under a path of its own; else empty.
  package var basePath: String { endpoint.path }

  /// The origin of the project's own API; the project's where the configuration names none.
  package var apiOrigin: String { settings.apiURL.flatMap { try? WebOrigin.of($0) } ?? origin }
}
