import AgentClient
import AgentProtocol
import Glibc

/// What a session goes through on the stage. Each step says what was seen, or throws what was not.
final class SessionLife {
  /// For what the agent does by itself: the refresh of a token that lives 8 s.
  private static let patience = Duration.seconds(25)

  private let stage: EndToEndStage

  init(_ stage: EndToEndStage) { self.stage = stage }

  func signIn() throws -> String {
    let params = PasswordParams(
      account: nil, project: nil, email: EndToEndStage.email, password: stage.password)
    let result = try stage.connect().call(SignInPassword.self, params)
    guard result.outcome == .signedIn else { throw Failure(.failed, "the sign-in ended otherwise than expected") }
    try useToken()
    return "signed in; the server takes the token"
  }

  /// A refresh on demand. One that ended less than 5 s ago is not repeated, so it may take a second try.
  func rotate() throws -> String {
    let connection = try stage.connect()
    let old = try connection.call(SessionToken.self, SessionToken.Params()).accessToken
    try retry("the refresh brings no new token") {
      _ = try connection.call(SessionRefresh.self, AccountParams())
      return try connection.call(SessionToken.self, SessionToken.Params()).accessToken != old
    }
    try useToken()
    return "a refresh brought a new token, and the server takes it"
  }

  /// The agent renews a token before it ends, without being asked.
  func expire() throws -> String {
    let connection = try stage.connect()
    _ = try connection.subscribe()
    let deadline = ContinuousClock.now + Self.patience
    while ContinuousClock.now < deadline {
      guard let event = try connection.nextEvent(timeout: .seconds(1)), event.type == .tokenRefreshed else { continue }
      try useToken()
      return "the token was renewed before it ended"
    }
    throw Failure(.failed, "the token was not renewed before its end")
  }

  func crash() throws -> String {
    stage.killAgent()
    try stage.startAgent()
    try useToken()
    return "after a crash the session is there, and the server takes its token"
  }

  /// The server ends the session; the agent notices at its next refresh.
  func revoke() throws -> String {
    let connection = try stage.connect()
    guard try send("POST", "/sandbox/revoke", connection) / 100 == 2 else {
      throw Failure(.failed, "ritual-sandbox does not revoke")
    }
    try retry("the agent does not notice that the session has ended") {
      do {
        _ = try connection.call(SessionRefresh.self, AccountParams())
        return false
      } catch let error as AgentError where error.kind == .signInNeeded {
        return true
      }
    }
    return "a session that the server ended asks for a new sign-in"
  }

  private func useToken() throws {
    let status = try send("GET", "/rest/v1/whoami", try stage.connect())
    guard status == 200 else { throw Failure(.failed, "the server refuses the token (\(status))") }
  }

  private func send(_ method: String, _ path: String, _ connection: AgentConnection) throws -> Int {
    try connection.call(
      APIRequestMethod.self, APIRequestMethod.Params(account: nil, method: method, path: path)
    ).status
  }

  /// Asks again every half second until it is so.
  private func retry(_ otherwise: String, _ isSo: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + Self.patience
    while try !isSo() {
      guard ContinuousClock.now < deadline else { throw Failure(.failed, otherwise) }
      // A refresh that ended less than 5 s ago is answered for a new one.
      usleep(500_000)
    }
  }
}
