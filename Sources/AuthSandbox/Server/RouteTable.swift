/// One line of the table: what answers a method on a path.
struct Route: Sendable {
  typealias Handler = @Sendable (Backend, Incoming) async throws -> Answer

  var method: String
  /// Segments; `*` stands for any one, and a method `*` for any method.
  var segments: [Substring]
  var endpoint: SandboxEndpoint
  var handler: Handler

  init(_ method: String, _ path: String, _ endpoint: SandboxEndpoint, _ handler: @escaping Handler) {
    (self.method, self.endpoint, self.handler) = (method, endpoint, handler)
    segments = Self.split(path)
  }

  static func split(_ path: String) -> [Substring] { path.split(separator: "/", omittingEmptySubsequences: true) }

  func matches(_ path: [Substring]) -> Bool {
    path.count == segments.count && zip(segments, path).allSatisfy { $0 == "*" || $0 == $1 }
  }
}

/// What the table says about a request.
enum Routing: Sendable {
  case found(Route)
  /// The path is known, the method is not.
  case wrongMethod
  case unknown
}

/// Which route answers a request.
struct RouteTable: Sendable {
  let routes: [Route]

  func find(_ request: Incoming) -> Routing {
    let path = Route.split(request.path)
    let candidates = routes.filter { $0.matches(path) }
    if let route = candidates.first(where: { $0.method == request.method || $0.method == "*" }) {
      return .found(route)
    }
    return candidates.isEmpty ? .unknown : .wrongMethod
  }

  /// `/token` is one path and five endpoints.
  func endpoint(of request: Incoming, _ routing: Routing) -> SandboxEndpoint {
    guard case .found(let route) = routing else { return .other }
    guard route.endpoint == .token else { return route.endpoint }
    switch request.parameter("grant_type") {
    case "password": return .password
    case "refresh_token": return .refresh
    case "pkce": return .pkce
    case "id_token": return .idToken
    default: return .token
    }
  }
}
