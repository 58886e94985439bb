/// `api.request`: sends an authorized request from the agent, so that the caller never gets the
/// token (TK-9).
public enum APIRequestMethod: AgentMethod {
  public static let name = "api.request"
  public static let notes = MethodNotes(
    "Sends an authorized request; the token stays in the agent.", .account, .network, .vault, [.denied])

  public struct Params: Codable, Sendable, Hashable {
    public var account: String?
    public var method: String
    /// A path on the API's or the project's origin, or a complete URL on one of them.
    public var path: String
    /// Name and value pairs.
    public var headers: [[String]]?
    /// base64 (RFC 4648, section 4).
    public var body: String?

    public init(account: String?, method: String, path: String, headers: [[String]]? = nil, body: String? = nil) {
      self.account = account
      self.method = method
      self.path = path
      self.headers = headers
      self.body = body
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// Name and value pairs, in the server's order.
    public var headers: [[String]]
    /// base64 (RFC 4648, section 4).
    public var body: String

    public init(status: Int, headers: [[String]], body: String) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }
}
