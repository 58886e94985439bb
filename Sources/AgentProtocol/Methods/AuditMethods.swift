/// The kind of an audit log entry. A newer agent may send other values.
public struct AuditEvent: RawRepresentable, Sendable, Hashable, Codable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The agent started; `detail` has its version.
  public static let agentStarted = AuditEvent(rawValue: "agentStarted")
  /// The agent stopped as requested.
  public static let agentStopped = AuditEvent(rawValue: "agentStopped")
  /// A user signed in to the account.
  public static let signedIn = AuditEvent(rawValue: "signedIn")
  /// The account was signed out; `detail` has the scope.
  public static let signedOut = AuditEvent(rawValue: "signedOut")
  /// The server ended the session.
  public static let sessionEnded = AuditEvent(rawValue: "sessionEnded")
  /// A sign-in method was linked to the account's user; `detail` is `by the server` or
  /// `manually`.
  public static let linked = AuditEvent(rawValue: "linked")
  /// A sign-in method was unlinked from the account's user.
  public static let unlinked = AuditEvent(rawValue: "unlinked")
  /// A person answered a `decisionNeeded`.
  public static let decided = AuditEvent(rawValue: "decided")
  /// The policy denied a program's request, or `count` of the same method.
  public static let denied = AuditEvent(rawValue: "denied")
  /// The policy requires a person's approval for a program.
  public static let approvalAsked = AuditEvent(rawValue: "approvalAsked")
  /// A person answered an approval; `accepted` holds the answer.
  public static let approvalAnswered = AuditEvent(rawValue: "approvalAnswered")
  /// An answer was revoked, or a pending approval was withdrawn.
  public static let approvalRevoked = AuditEvent(rawValue: "approvalRevoked")
  /// An access token was issued to a program, or used on its behalf.
  public static let tokenIssued = AuditEvent(rawValue: "handOut")
  /// A program's requests were sent with an access token, which the program does not get. `count` and
  /// `statuses` are those of one hour; `detail` names the grant, if the program used one.
  public static let egressUsed = AuditEvent(rawValue: "egressUsed")
  /// A program made a grant, or `count` grants; `detail` has the id of the first.
  public static let grantMade = AuditEvent(rawValue: "grantMade")
  /// A grant of a program ended, or `count` grants for the same reason; `detail` has the id of the first,
  /// and the reason.
  public static let grantEnded = AuditEvent(rawValue: "grantEnded")
  /// A person accepted a different API origin for the account.
  public static let apiAccepted = AuditEvent(rawValue: "apiAccepted")
  /// A second factor was added, and awaits its first code; `detail` has its type.
  public static let factorEnrolled = AuditEvent(rawValue: "factorEnrolled")
  /// A code of a second factor was accepted; `detail` has the factor's type.
  public static let factorVerified = AuditEvent(rawValue: "factorVerified")
  /// A second factor was removed; `detail` has its type.
  public static let factorRemoved = AuditEvent(rawValue: "factorRemoved")
  /// The account got this name; `detail` has the old one.
  public static let accountRenamed = AuditEvent(rawValue: "accountRenamed")
  /// The account and everything stored about it was deleted.
  public static let accountRemoved = AuditEvent(rawValue: "accountRemoved")
  /// The vault was locked; `detail` has the reason.
  public static let vaultLocked = AuditEvent(rawValue: "vaultLocked")
  /// The vault was unlocked; `detail` has the key.
  public static let vaultUnlocked = AuditEvent(rawValue: "vaultUnlocked")
  /// A key was added to the vault; `detail` has its kind.
  public static let keyAdded = AuditEvent(rawValue: "keyAdded")
  /// A key was removed from the vault; `detail` has its kind.
  public static let keyRemoved = AuditEvent(rawValue: "keyRemoved")
  /// The vault got a new master key.
  public static let rekeyed = AuditEvent(rawValue: "rekeyed")
  /// A vault that was copied from another machine was adopted.
  public static let vaultAdopted = AuditEvent(rawValue: "vaultAdopted")
  /// The first entry of a file: `previous` is the MAC of the entry before it.
  public static let fileBegun = AuditEvent(rawValue: "fileBegun")
  /// The agent ended without a clean stop. Entries of its last second may be missing.
  public static let interrupted = AuditEvent(rawValue: "interrupted")
  /// `count` entries were dropped because their queue was full; `detail` has their kind.
  public static let entriesLost = AuditEvent(rawValue: "entriesLost")

  /// Every event that this version writes.
  public static let known: [AuditEvent] = [
    .agentStarted, .agentStopped, .signedIn, .signedOut, .sessionEnded, .linked, .unlinked, .decided, .denied,
    .approvalAsked, .approvalAnswered, .approvalRevoked, .tokenIssued, .egressUsed, .grantMade, .grantEnded,
    .apiAccepted, .factorEnrolled, .factorVerified,
    .factorRemoved, .accountRenamed, .accountRemoved, .vaultLocked, .vaultUnlocked, .keyAdded, .keyRemoved, .rekeyed,
    .vaultAdopted, .fileBegun, .interrupted,
    .entriesLost,
  ]
}

/// The content of an audit log entry. Contains no email address, user id or token.
public struct AuditFacts: Codable, Sendable, Hashable {
  /// When it happened.
  public var at: Timestamp
  /// The kind of entry.
  public var event: AuditEvent
  /// The account that the entry concerns.
  public var account: String?
  /// The project that the entry concerns.
  public var project: String?
  /// `apple`, `google`, `email` …
  public var provider: String?
  /// Readable details: how, why or to what extent.
  public var detail: String?
  /// The answer to a decision.
  public var accepted: Bool?
  /// How many times the token was issued, how many requests were sent, how often a program repeated
  /// what the entry says, or how many entries were dropped.
  public var count: UInt64?
  /// The time of the first of `count`.
  public var first: Timestamp?
  /// The time of the last of `count`.
  public var last: Timestamp?
  /// The number of requests by the status of the response: `1xx` to `5xx`, `other`, or `none` without a
  /// response.
  public var statuses: [String: UInt64]?
  /// Identifies what is counted for a process: a later entry with the same number has the updated
  /// counts.
  public var handOut: UInt64?
  /// The first 16 hex digits of the SHA-256 of the access token.
  public var token: String?
  /// How the token was issued: `token`, `events` or `credential`.
  public var way: String?
  /// The process, as identified when it connected.
  public var pid: Int32?
  /// The executable of the process, without arguments; absent if it cannot be read.
  public var executable: String?
  /// The name that the process gives itself, which any program can choose; only if the executable
  /// cannot be read.
  public var comm: String?
  /// The systemd unit of the process.
  public var unit: String?
  /// The MAC that precedes the first entry of a file, in hex.
  public var previous: String?

  public init(_ event: AuditEvent, at: Timestamp = Timestamp(unixSeconds: 0)) {
    self.event = event
    self.at = at
  }
}

/// An audit log entry with its sequence number.
public struct AuditEntry: Codable, Sendable, Hashable {
  /// Increases by one with every entry, starting at 1.
  public var sequence: UInt64
  public var facts: AuditFacts

  public init(sequence: UInt64, facts: AuditFacts) {
    self.sequence = sequence
    self.facts = facts
  }

  private enum Key: String, CodingKey { case sequence }

  public init(from decoder: any Decoder) throws {
    sequence = try decoder.container(keyedBy: Key.self).decode(UInt64.self, forKey: .sequence)
    facts = try AuditFacts(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(sequence, forKey: .sequence)
    try facts.encode(to: encoder)
  }
}

/// `audit.list`: returns the last entries, newest last, each issued token once with its last count.
/// While the vault is locked, the entries cannot be checked against the chain; if it has not been
/// open since the agent started, the error is `vaultLocked`.
public enum AuditList: AgentMethod {
  public static let name = "audit.list"
  public static let notes = MethodNotes("Returns the last audit log entries, newest last.", .vault)
  /// The default and the maximum number of entries.
  public static let defaultLimit = 200
  public static let maxLimit = 10_000

  public struct Params: Codable, Sendable, Hashable {
    /// The maximum number of entries to return, 1 to 10,000. The default is 200.
    public var limit: Int?

    public init(limit: Int? = nil) { self.limit = limit }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The entries, newest last.
    public var entries: [AuditEntry]
    /// Whether older entries exist.
    public var more: Bool
    /// Whether each entry was checked against the chain; false while the vault is locked.
    public var isChecked: Bool
    /// The number of lines in the files read that do not match the chain. They are not among the
    /// entries.
    public var leftOut: Int
    /// Files in the log's directory that the agent did not create: their escaped names, at most 20.
    public var unknownFiles: [String]
    /// The total number of unknown files.
    public var unknownCount: Int

    public init(
      entries: [AuditEntry], more: Bool, isChecked: Bool = true, leftOut: Int = 0, unknownFiles: [String] = [],
      unknownCount: Int = 0
    ) {
      self.entries = entries
      self.more = more
      self.isChecked = isChecked
      self.leftOut = leftOut
      self.unknownFiles = unknownFiles
      self.unknownCount = unknownCount
    }
  }
}

/// `audit.verify`: checks every entry against the chain. Needs an open vault.
public enum AuditVerify: AgentMethod {
  public static let name = "audit.verify"
  public static let notes = MethodNotes("Verifies the integrity of the audit log.", .vault)
  public typealias Params = Empty

  /// A mismatch of the log with the chain.
  public struct Finding: Codable, Sendable, Hashable {
    /// `edited`, `removed`, `cut`, `reordered`, `repeated`, `exchanged`, `missingFile` or
    /// `unknownFile`.
    public var kind: String
    /// The name of the file in the log's directory.
    public var file: String
    /// The first affected entry; absent if the finding concerns a file.
    public var first: UInt64?
    /// The last affected entry; absent if the finding concerns a file.
    public var last: UInt64?

    public init(kind: String, file: String, first: UInt64? = nil, last: UInt64? = nil) {
      self.kind = kind
      self.file = file
      self.first = first
      self.last = last
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// True if there are no findings.
    public var isWhole: Bool
    /// The first entry that is kept.
    public var first: UInt64
    /// The last entry that is sealed in the vault.
    public var sealed: UInt64
    /// The number of entries that match the chain.
    public var fitting: Int
    /// The number of entries after the last sealed one. They match the chain, but their removal
    /// would go unnoticed.
    public var unsealed: Int
    /// The entries after which the agent ended without a clean stop. Entries of up to one second
    /// before may be missing.
    public var interruptions: [UInt64]
    /// The mismatches with the chain; empty if the log is intact.
    public var findings: [Finding]
    /// Readable statements of what the verification does not prove.
    public var limits: [String]

    public init(
      first: UInt64, sealed: UInt64, fitting: Int, unsealed: Int, interruptions: [UInt64], findings: [Finding],
      limits: [String]
    ) {
      isWhole = findings.isEmpty
      self.first = first
      self.sealed = sealed
      self.fitting = fitting
      self.unsealed = unsealed
      self.interruptions = interruptions
      self.findings = findings
      self.limits = limits
    }
  }
}
