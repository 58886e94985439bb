import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1

/// Supabase Auth over HTTP/1.1. One for each project: it has one thread of its own, made at the first request.
///
/// Reads no environment variable, follows no redirect, sends every request once. Safe to use from any task.
public final class SupabaseAuthClient: AuthServer {
  let endpoint: ProjectEndpoint
  let limits: RequestLimits
  private let userAgent: String
  private let transport: HTTPTransport

  /// A client that has done nothing yet.
  /// - Parameter userAgent: the server stores it with the session and shows it to the user: let it be recognisable.
  public init(endpoint: ProjectEndpoint, userAgent: String, limits: RequestLimits = RequestLimits()) {
    self.endpoint = endpoint
    self.limits = limits
    // What cannot be sent must not make every request fail.
    self.userAgent = String(userAgent.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.map(Character.init))
    transport = HTTPTransport(endpoint: endpoint, limits: limits)
  }

  /// Ends what runs and closes all connections, within `RequestLimits.shutdown`. May be called again.
  public func shutdown() async { await transport.shutdown() }

  /// See `ProjectEndpoint.authorizeURL`.
  public func authorizeURL(
    provider: Provider, redirectTo: String, challenge: String, extra: [String: String] = [:]
  ) -> String {
    endpoint.authorizeURL(provider: provider, redirectTo: redirectTo, challenge: challenge, extra: extra)
  }

  /// Sends a request of the API client as it is.
  public func send(_ request: APIRequest) async throws(AuthError) -> APIResponse {
    let answer = try await transport.exchange(
      try request.checked(userAgent: userAgent), isAPI: true, keepsRefusals: false, maximum: request.limit,
      room: request.room, within: request.timeout)
    return APIResponse(status: answer.status, headers: answer.headers, body: answer.body)
  }
}

/// One exchange with GoTrue.
struct Call {
  var method: HTTPMethod
  var path: String
  var query: [(String, String)] = []
  var token: BearerToken?
  var body: (any Encodable)?
}

extension SupabaseAuthClient {
  /// Sends `call` and returns the answer, whatever its status.
  func answer(to call: Call) async throws(AuthError) -> Answer {
    try await transport.exchange(try request(for: call), maximum: limits.body, within: limits.request)
  }

  /// Sends `call` and returns the answer if it is a success.
  func success(of call: Call) async throws(AuthError) -> Answer {
    let answer = try await answer(to: call)
    guard answer.isSuccess else { throw Refusal(answer, now: Date()).error }
    // GoTrue's successes are JSON or empty; a page is somebody else's.
    guard answer.mayBeJSON || answer.body.isEmpty else { throw answer.unreadable("it is a page, not an answer") }
    return answer
  }

  private func request(for call: Call) throws(AuthError) -> HTTPClientRequest {
    let query = call.query.isEmpty ? "" : PercentEncoding.query(call.query)
    var request = HTTPClientRequest(url: endpoint.authURL + call.path + query)
    request.method = call.method
    request.headers = [
      "apikey": endpoint.anonKey, "user-agent": userAgent, "accept": "application/json",
      // Selects the error shape with `code` as a text.
      "x-supabase-api-version": "2024-01-01",
    ]
    if let token = call.token {
      guard token.exposed.isPrintableASCII else {
        throw AuthError(.invalidRequest, "the access token has characters that cannot be sent")
      }
      request.headers.add(name: "authorization", value: "Bearer \(token.exposed)")
    }
    if let body = call.body {
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(ByteBuffer(bytes: try RequestBody.json(body)))
    }
    return request
  }
}
