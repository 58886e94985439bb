import AgentConfiguration
import SupabaseAuth

/// A project of the configuration, and the one client that talks to its servers.
struct Project: Sendable {
  let name: String
  let settings: ProjectConfiguration
  let endpoint: ProjectEndpoint
  let server: any AuthServer

  /// `scheme://host[:port]` of the auth server: what a session is bound to (SE-2).
  var origin: String { endpoint.origin }

  /// What stands behind the origin where Supabase lies under a path of its own; else empty.
  var basePath: String { endpoint.path }

  /// The origin of the project's own API; the project's where the configuration names none.
  var apiOrigin: String { settings.apiURL.flatMap { try? WebOrigin.of($0) } ?? origin }
}
