/// Where an approval stands. Open, since a newer agent may know more.
public struct ApprovalState: RawRepresentable, Codable, Sendable, Hashable {
  /// The name on the wire.
  public let rawValue: String
  /// A state by its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Nobody has answered yet.
  public static let pending = ApprovalState(rawValue: "pending")
  public static let allowed = ApprovalState(rawValue: "allowed")
  public static let denied = ApprovalState(rawValue: "denied")
  /// Nobody answered in time, or the question was withdrawn or forgotten by a lock.
  public static let expired = ApprovalState(rawValue: "expired")
}

/// A question that a rule with `action = "ask"` made, or the answer that is remembered (PR-3).
public struct Approval: Codable, Sendable, Hashable {
  public var id: String
  public var account: String
  /// `pending`, `allowed` or `denied`.
  public var state: ApprovalState
  /// The method that asked first.
  public var method: String
  /// The process that asked first.
  public var pid: Int32
  /// Its program, without arguments; absent where it cannot be read.
  public var executable: String?
  /// Its systemd unit; absent where it has none.
  public var unit: String?
  public var askedAt: Timestamp
  /// When it ends; absent for an answer that holds until the vault is locked.
  public var until: Timestamp?

  public init(
    id: String, account: String, state: ApprovalState, method: String, pid: Int32, executable: String?, unit: String?,
    askedAt: Timestamp, until: Timestamp?
  ) {
    self.id = id
    self.account = account
    self.state = state
    self.method = method
    self.pid = pid
    self.executable = executable
    self.unit = unit
    self.askedAt = askedAt
    self.until = until
  }
}

/// The params of the methods that are about one approval.
public struct ApprovalParams: Codable, Sendable, Hashable {
  public var id: String

  public init(id: String) { self.id = id }
}

/// `approval.list`: what waits for an answer, and the answers that hold; oldest first.
public enum ApprovalList: AgentMethod {
  public static let name = "approval.list"
  public static let notes = MethodNotes("What waits for an answer, and the answers that hold.")
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    public var approvals: [Approval]

    public init(approvals: [Approval]) { self.approvals = approvals }
  }
}

/// `approval.answer`: answers a question. Refused as `denied` from the asker's own unit, or where it has none from the
/// process that asked.
public enum ApprovalAnswer: AgentMethod {
  public static let name = "approval.answer"
  public static let notes = MethodNotes("Answers a question of the policy; never from the asker's own unit.", [.denied])
  public typealias Result = Approval
  /// The longest time that an answer is remembered, in seconds: a year.
  public static let longest = 31_536_000

  public struct Params: Codable, Sendable, Hashable {
    public var id: String
    public var allow: Bool
    /// Seconds, 1 to `longest`, that the answer holds; without it, until the vault is locked or the agent ends. A lock
    /// ends it in both cases.
    public var `for`: Int?

    public init(id: String, allow: Bool, for seconds: Int? = nil) {
      self.id = id
      self.allow = allow
      self.for = seconds
    }
  }
}

/// `approval.revoke`: forgets an answer, so that the next request asks again; a question that waits is withdrawn.
public enum ApprovalRevoke: AgentMethod {
  public static let name = "approval.revoke"
  public static let notes = MethodNotes("Forgets an answer, or withdraws a question.", [.denied])
  public typealias Params = ApprovalParams
  public typealias Result = Empty
}

/// `approval.wait`: returns when the question is answered or over; at once where it is. Waits for a person.
public enum ApprovalWait: AgentMethod {
  public static let name = "approval.wait"
  public static let notes = MethodNotes("Waits until a question is answered or over.")
  public typealias Params = ApprovalParams

  public struct Result: Codable, Sendable, Hashable {
    /// `allowed`, `denied` or `expired`.
    public var state: ApprovalState

    public init(state: ApprovalState) { self.state = state }
  }
}
