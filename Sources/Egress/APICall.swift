import AgentConfiguration
package import AgentProtocol
import FoundationEssentials
import SessionEngine
import SupabaseAuth

/// What a caller wants to be sent, checked as far as it can be without knowing where it goes.
package struct APICall: Sendable {
  private let method: String
  private let path: String
  private let headers: [(name: String, value: String)]
  private let body: [UInt8]
  /// The largest answer that is accepted, in bytes.
  package var answerLimit = Wire.bodyLimit
  /// Asked before a larger answer is fetched.
  var room: BodyRoom?

  /// False for a request in the background, which does not put the idle lock off.
  package var isUse = true

  /// Longer than any method in IANA's registry.
  private static let longestMethod = 20
  /// base64 of the largest body (RFC 4648, section 4).
  private static let longestBody = (Wire.bodyLimit + 2) / 3 * 4

  package init(_ params: APIRequestMethod.Params) throws(AgentError) {
    guard Self.isMethod(params.method) else {
      throw AgentError(.invalidParams, "The method is a word in capitals, and not CONNECT or TRACE.")
    }
    let encoded = params.body ?? ""
    guard encoded.utf8.count <= Self.longestBody else { throw Self.tooLarge("body") }
    guard let body = Data(base64Encoded: encoded) else { throw AgentError(.invalidParams, "The body is not base64.") }
    guard body.count <= Wire.bodyLimit else { throw Self.tooLarge("body") }
    method = params.method
    path = params.path
    headers = try APIHeaders.checked(params.headers ?? [])
    self.body = [UInt8](body)
  }

  /// Whether the request goes to the project's own origin, which issued the session.
  ///
  /// - Throws: what may not be sent at all.
  func goesToProject(_ project: Project) throws(AgentError) -> Bool { try APIAddress(path, project: project).isProject }

  /// The request as it is sent to `project`.
  func request(to project: Project, token: String) throws(AgentError) -> APIRequest {
    let address = try APIAddress(path, project: project)
    var headers = headers
    if address.isProject { headers.append(("apikey", project.settings.anonKey)) }
    headers.append(("Authorization", "Bearer \(token)"))
    var request = APIRequest(method: method, url: address.url, headers: headers, body: body, limit: answerLimit)
    request.room = room
    return request
  }

  /// The error for what is larger than a frame can carry.
  static func tooLarge(_ what: String) -> AgentError {
    AgentError(.tooLarge, "The \(what) is larger than \(Wire.bodyLimit >> 20) MiB.")
  }

  /// RFC 9110, section 9.1, of those that are words. CONNECT asks for a tunnel; TRACE sends the token back.
  private static func isMethod(_ text: String) -> Bool {
    (1...longestMethod).contains(text.utf8.count) && !["CONNECT", "TRACE"].contains(text)
      && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }
}
