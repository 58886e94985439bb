import AgentProtocol

/// JSON Schema keywords for values, beyond their type, by `Type` or `Type.member`. A test checks
/// the names against the types.
enum MemberNotes {
  static func of(_ name: String) -> [String: JSONValue] { all[name] ?? [:] }

  static let all: [String: [String: JSONValue]] = [
    "AccountState": examples(AccountState.known.map(\.rawValue)),
    "AccountActivity": examples(["none", "authenticating", "refreshing"]),
    "ApprovalScope": examples(["once", "untilLock"]),
    "ApprovalState": examples(["pending", "allowed", "denied", "expired"]),
    "AuditEvent": examples(AuditEvent.known.map(\.rawValue)),
    "CheckOutcome": examples(CheckOutcome.known.map(\.rawValue)),
    "CodePurpose": examples(["signIn", "link"]),
    "ErrorKind": examples(ErrorKind.known.map(\.rawValue)),
    "SessionEndReason": examples(SessionEndReason.known.map(\.rawValue)),
    "SignInResult.Outcome": examples(["signedIn", "confirmationSent", "decisionNeeded"]),
    "SignOutScope": ["enum": strings(["local", "global", "others"])],
    "VaultKeyKind": examples(["keyFile", "passphrase", "credential"]),
    "EventType": examples(EventType.known.map(\.rawValue)),
    "SessionToken.Params.rejected": [
      "pattern": .string("^[0-9a-f]{64}$"), "description": .string("The SHA-256 of a token that a server refused."),
    ],
    "SessionToken.Params.minTTL": [
      "minimum": .integer(0), "description": .string("The least remaining life, in seconds."),
    ],
    "SessionToken.Params.assurance": ["enum": strings([AccountAssurance.aal1, AccountAssurance.aal2])],
    "MFAEnroll.Params.type": ["enum": strings(["totp", "phone"])],
    "AuditList.Params.limit": ["minimum": .integer(1), "maximum": .integer(Int64(AuditList.maxLimit))],
    "EgressGrant.Params.for": ["minimum": .integer(1), "maximum": .integer(86_400)],
    "EgressGrant.Params.form": ["enum": strings(["key", "jwt"])],
    "EgressGrant.Params.prefix": ["pattern": .string("^[A-Za-z0-9._-]{0,64}$")],
    "EgressGrant.Result.token": ["pattern": .string("^[A-Za-z0-9._-]{43,}$")],
    "VaultKey.id": ["pattern": .string("^[0-9a-f]{32}$")],
    "SignInStart.Params.redirect": ["enum": strings(["loopback", "scheme", "manual"])],
    "SignInStart.Params.port": ["minimum": .integer(0), "maximum": .integer(65535)],
    "VaultStatus.Result.state": ["enum": strings(["open", "copied", "locked", "unavailable"])],
  ]

  /// Examples of a set to which a newer agent may add values. Clients ignore unknown values.
  private static func examples(_ values: [String]) -> [String: JSONValue] { ["examples": strings(values)] }

  private static func strings(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
}
