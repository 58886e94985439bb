/// The state of an approval. A newer agent may send other values.
public struct ApprovalState: RawRepresentable, Codable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The access request has no answer yet.
  public static let pending = ApprovalState(rawValue: "pending")
  /// A person allowed the program to use the account.
  public static let allowed = ApprovalState(rawValue: "allowed")
  /// A person denied the program the account.
  public static let denied = ApprovalState(rawValue: "denied")
  /// The access request had no answer in time, was withdrawn, or was discarded when the vault was
  /// locked.
  public static let expired = ApprovalState(rawValue: "expired")
}

/// What an answer is valid for. A newer agent may send other values.
public struct ApprovalScope: RawRepresentable, Codable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The next request alone, within ten minutes. The agent's own repetition of a request with a newer token is
  /// no other request.
  public static let once = ApprovalScope(rawValue: "once")
  /// Every request until the vault is locked.
  public static let untilLock = ApprovalScope(rawValue: "untilLock")
}

/// An access request from a rule with `action = "ask"`, or the stored answer to one.
public struct Approval: Codable, Sendable, Hashable {
  /// The id that `approval.answer`, `approval.revoke` and `ritualctl approvals` take.
  public var id: String
  /// The account that the program wants to use.
  public var account: String
  /// `pending`, `allowed` or `denied`.
  public var state: ApprovalState
  /// The method of the first request.
  public var method: String
  /// The API request that asked first, without its query: `POST /rest/v1/todos`. Only for a rule with `methods`
  /// or `paths`.
  public var request: String?
  /// The methods and paths of the rule, to which an answer applies: `POST /rest/v1/todos`. Only for such a rule.
  public var pattern: String?
  /// `once` for an answer that is valid for one request.
  public var scope: ApprovalScope?
  /// The process that made the first request.
  public var pid: Int32
  /// The executable of that process, without arguments; absent if it cannot be read.
  public var executable: String?
  /// The name that the process gives itself, which any program can choose; only if the executable
  /// cannot be read.
  public var comm: String?
  /// The systemd unit of that process; absent if it has none.
  public var unit: String?
  /// When the first request was made.
  public var askedAt: Timestamp
  /// When the request or the answer expires. Absent for an approval that is valid until the vault
  /// is locked, and for a denial that is valid until the agent stops.
  public var until: Timestamp?

  public init(
    id: String, account: String, state: ApprovalState, method: String, request: String? = nil, pattern: String? = nil,
    scope: ApprovalScope? = nil, pid: Int32, executable: String?, comm: String?, unit: String?, askedAt: Timestamp,
    until: Timestamp?
  ) {
    self.id = id
    self.account = account
    self.state = state
    self.method = method
    (self.request, self.pattern, self.scope) = (request, pattern, scope)
    self.pid = pid
    self.executable = executable
    self.comm = comm
    self.unit = unit
    self.askedAt = askedAt
    self.until = until
  }
}

/// The params of the methods that concern one approval.
public struct ApprovalParams: Codable, Sendable, Hashable {
  /// The id of the approval.
  public var id: String

  public init(id: String) { self.id = id }
}

/// `approval.list`: returns the pending access requests and the valid answers, oldest first.
public enum ApprovalList: AgentMethod {
  public static let name = "approval.list"
  public static let notes = MethodNotes("Lists pending access requests and active answers.")
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// The pending access requests and the valid answers, oldest first.
    public var approvals: [Approval]

    public init(approvals: [Approval]) { self.approvals = approvals }
  }
}

/// `approval.answer`: answers an access request. A caller in the requester's own systemd unit is
/// refused as `denied`; if the requester has no unit, the requesting process itself is.
public enum ApprovalAnswer: AgentMethod {
  public static let name = "approval.answer"
  public static let notes = MethodNotes("Answers an access request; refused from the requester's unit.", [.denied])
  public typealias Result = Approval
  /// The maximum time that an answer is stored, in seconds: one year.
  public static let maxSeconds = 31_536_000

  public struct Params: Codable, Sendable, Hashable {
    /// The id of the access request.
    public var id: String
    /// True to allow the program to use the account, false to deny it.
    public var allow: Bool
    /// Seconds that the answer is valid, 1 to 31,536,000 (a year). If absent, the answer is valid
    /// until the agent stops. In both cases, locking the vault ends an approval, but not a denial.
    public var `for`: Int?
    /// `once`, or `untilLock`, which is the default without `for`. Only for an approval, and not with `for`.
    public var scope: ApprovalScope?

    public init(id: String, allow: Bool, for seconds: Int? = nil, scope: ApprovalScope? = nil) {
      self.id = id
      self.allow = allow
      self.for = seconds
      self.scope = scope
    }
  }
}

/// `approval.revoke`: deletes an answer, so that the next request asks again, or withdraws a
/// pending access request.
public enum ApprovalRevoke: AgentMethod {
  public static let name = "approval.revoke"
  public static let notes = MethodNotes("Revokes an answer or withdraws an access request.", [.denied])
  public typealias Params = ApprovalParams
  public typealias Result = Empty
}

/// `approval.wait`: waits for a person to answer, and returns when the access request is answered
/// or has expired. Returns immediately if it already is.
public enum ApprovalWait: AgentMethod {
  public static let name = "approval.wait"
  public static let notes = MethodNotes("Waits until an access request is answered or expires.")
  public typealias Params = ApprovalParams

  public struct Result: Codable, Sendable, Hashable {
    /// `allowed`, `denied` or `expired`.
    public var state: ApprovalState

    public init(state: ApprovalState) { self.state = state }
  }
}
