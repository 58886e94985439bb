import AgentProtocol
import FoundationEssentials
import Testing

@Suite struct ErrorTableTests {
  @Test("every kind has a unique code")
  func codesAreUnique() {
    let codes = ErrorKind.known.map(\.facts.code)
    #expect(Set(codes).count == codes.count)
    #expect(codes.count == 43)
  }

  @Test("messages match the table \"Errors, in words\" (ER) exactly")
  func messagesMatchTheTable() {
    let table: [(ErrorKind, String)] = [
      (.offline, "Connection failed. Please check your internet and try again."),
      (.callbackInvalid, "Sign in failed. Please try again."),
      (.invalidCredentials, "Sign in failed. Please check your email and password."),
      (.signInNeeded, "Session expired. Please sign in again."),
      (.serviceUnavailable, "Service temporarily unavailable. Please try again later."),
      (.linkingConflict, "This email is already associated with another account."),
      (.identityTaken, "This email is already associated with another account."),
      (.vaultUnavailable, "Unable to access secure storage."),
      (.vaultDamaged, "Unable to access secure storage."),
      (.wrongKey, "Unable to access secure storage."),
    ]
    for (kind, words) in table { #expect(AgentError(kind).message == words) }
  }

  @Test("exit statuses match the interface")
  func exitsAreTheInterface() {
    let table: [(ErrorKind, Int32)] = [
      (.cancelled, 2), (.signInNeeded, 4), (.vaultLocked, 5), (.denied, 6), (.approvalNeeded, 6),
      (.unknownAccount, 64), (.offline, 7), (.serviceUnavailable, 7), (.rateLimited, 7), (.timedOut, 7),
      (.flowTimedOut, 7), (.tooMany, 7), (.notReady, 7), (.misconfigured, 1), (.wrongUser, 1), (.storageFull, 1),
      (.callbackInvalid, 1), (.invalidCredentials, 1), (.internalError, 1),
    ]
    for (kind, status) in table { #expect(kind.facts.exit.rawValue == status, "\(kind.rawValue)") }
  }

  @Test("the standard codes keep their meaning (JSON-RPC 2.0, section 5.1)")
  func standardCodesStay() {
    let table: [(ErrorKind, Int)] = [
      (.parseError, -32700), (.invalidRequest, -32600), (.methodNotFound, -32601), (.invalidParams, -32602),
      (.internalError, -32603),
    ]
    for (kind, code) in table { #expect(kind.facts.code == code) }
  }

  @Test("decodes an error of a newer agent")
  func decodesUnknownKinds() throws {
    let text = #"{"code":-32099,"message":"new","data":{"kind":"brandNew","retryable":true,"more":1}}"#
    let error = try WireCoding.decode(AgentError.self, from: .init(text.utf8))
    #expect(error.kind.rawValue == "brandNew")
    #expect(error.kind.facts.exit == .failed)
    let bare = try WireCoding.decode(AgentError.self, from: .init(#"{"code":-32601,"message":"no"}"#.utf8))
    #expect(bare.kind == .internalError)
  }
}
