/// What an entry of the audit log tells. Open, since a newer agent may tell more.
public struct AuditEvent: RawRepresentable, Sendable, Hashable, Codable {
  /// The name in the log and on the wire.
  public let rawValue: String

  /// An event by its name, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let agentStarted = AuditEvent(rawValue: "agentStarted")
  public static let agentStopped = AuditEvent(rawValue: "agentStopped")
  public static let signedIn = AuditEvent(rawValue: "signedIn")
  public static let signedOut = AuditEvent(rawValue: "signedOut")
  /// The server ended the session.
  public static let sessionEnded = AuditEvent(rawValue: "sessionEnded")
  public static let linked = AuditEvent(rawValue: "linked")
  public static let unlinked = AuditEvent(rawValue: "unlinked")
  /// A person answered a question of the agent.
  public static let decided = AuditEvent(rawValue: "decided")
  /// The policy refused a program.
  public static let denied = AuditEvent(rawValue: "denied")
  /// The policy wants a person asked about a program.
  public static let approvalAsked = AuditEvent(rawValue: "approvalAsked")
  /// A person answered that; `accepted` says what.
  public static let approvalAnswered = AuditEvent(rawValue: "approvalAnswered")
  /// The answer was taken back, or the question withdrawn.
  public static let approvalRevoked = AuditEvent(rawValue: "approvalRevoked")
  /// A program got an access token, or had it used.
  public static let handOut = AuditEvent(rawValue: "handOut")
  /// A person accepted another origin of the API for the account.
  public static let apiAccepted = AuditEvent(rawValue: "apiAccepted")
  public static let vaultLocked = AuditEvent(rawValue: "vaultLocked")
  public static let vaultUnlocked = AuditEvent(rawValue: "vaultUnlocked")
  public static let keyAdded = AuditEvent(rawValue: "keyAdded")
  public static let keyRemoved = AuditEvent(rawValue: "keyRemoved")
  public static let rekeyed = AuditEvent(rawValue: "rekeyed")
  public static let vaultAdopted = AuditEvent(rawValue: "vaultAdopted")
  /// The first entry of a file: `previous` is the MAC before it.
  public static let fileBegun = AuditEvent(rawValue: "fileBegun")
  /// The agent ended without a stop: what came in the second before is not here.
  public static let interrupted = AuditEvent(rawValue: "interrupted")
  /// `count` entries could not be kept until they could be written.
  public static let entriesLost = AuditEvent(rawValue: "entriesLost")
}

/// What happened, and whom it was about. No e-mail address, no user id, no token.
public struct AuditFacts: Codable, Sendable, Hashable {
  public var at: Timestamp
  public var event: AuditEvent
  public var account: String?
  public var project: String?
  /// `apple`, `google`, `email` …
  public var provider: String?
  /// More, in words: how, why, or how far.
  public var detail: String?
  /// Of a decision: what was answered.
  public var accepted: Bool?
  /// How often a token was handed out; how many entries were lost.
  public var count: UInt64?
  /// The first and the last hand-out.
  public var first: Timestamp?
  public var last: Timestamp?
  /// Tells hand-outs apart: a later entry with the same number has the later count.
  public var handOut: UInt64?
  /// The first 16 hex digits of the SHA-256 of the access token.
  public var token: String?
  /// `token`, `events` or `api`: how the token left, or was used.
  public var way: String?
  /// The process, as of its connection.
  public var pid: Int32?
  /// Its program, without arguments; absent where it cannot be read.
  public var executable: String?
  /// Its systemd unit.
  public var unit: String?
  /// The MAC before the first entry of a file, in hex.
  public var previous: String?

  public init(_ event: AuditEvent, at: Timestamp = Timestamp(unixSeconds: 0)) {
    self.event = event
    self.at = at
  }
}

/// Facts at their place in the log.
public struct AuditEntry: Codable, Sendable, Hashable {
  /// Rises by one with every entry, from 1.
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

/// `audit.list`: the last entries, newest last, each issued token once with its last count. While the vault is locked the
/// entries cannot be held against the chain; where it has not been open since the agent started, it is `vaultLocked`.
public enum AuditList: AgentMethod {
  public static let name = "audit.list"
  public static let notes = MethodNotes("The last entries of the audit log, newest last.", .vault)
  /// Entries where the caller names no number, and at most.
  public static let usual = 200
  public static let most = 10_000

  public struct Params: Codable, Sendable, Hashable {
    /// How many entries, 1 to `most`.
    public var limit: Int?

    public init(limit: Int? = nil) { self.limit = limit }
  }

  public struct Result: Codable, Sendable, Hashable {
    public var entries: [AuditEntry]
    /// Whether there are older ones.
    public var more: Bool
    /// Whether each entry was held against the chain: false while the vault is locked.
    public var isChecked: Bool
    /// Lines in the files that were read that do not fit the chain: they are not among the entries.
    public var leftOut: Int
    /// Names in the log's directory that the agent did not make, shown harmlessly, the first 20 of them.
    public var unknownFiles: [String]
    /// How many there are.
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

/// `audit.verify`: holds every entry against the chain. Needs the open vault.
public enum AuditVerify: AgentMethod {
  public static let name = "audit.verify"
  public static let notes = MethodNotes("Holds every entry of the audit log against its chain.", .vault)
  public typealias Params = Empty

  public struct Finding: Codable, Sendable, Hashable {
    /// `edited`, `removed`, `cut`, `reordered`, `repeated`, `exchanged`, `missingFile`, `unknownFile` or `noKey`.
    public var kind: String
    public var file: String
    /// The entries that it is about; absent where it is about a file.
    public var first: UInt64?
    public var last: UInt64?

    public init(kind: String, file: String, first: UInt64? = nil, last: UInt64? = nil) {
      self.kind = kind
      self.file = file
      self.first = first
      self.last = last
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// Nothing was found wrong.
    public var isWhole: Bool
    /// The first entry that is kept, and the last that is sealed in the vault.
    public var first: UInt64
    public var sealed: UInt64
    /// How many entries fit the chain.
    public var fitting: Int
    /// Entries behind the sealed ones: they fit the chain, and nobody would miss them.
    public var unsealed: Int
    /// After these entries the agent ended without a stop; the entries of up to a second before that may be missing.
    public var interruptions: [UInt64]
    public var findings: [Finding]
    /// What this does not prove, in words.
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
