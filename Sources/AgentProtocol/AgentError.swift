/// The error object of an answer (JSON-RPC 2.0, section 5.1), and the error that agent and clients throw.
///
/// `message` is what the user reads; it never holds a secret, and foreign text in it has passed `ForeignText`.
public struct AgentError: Error, Sendable, Codable, Hashable {
  /// The number of the kind, from the one table.
  public var code: Int
  /// What the user reads.
  public var message: String
  /// What programs branch on.
  public var data: Details

  /// The part of an error that programs read.
  public struct Details: Sendable, Codable, Hashable {
    /// The stable name.
    public var kind: ErrorKind
    /// Whether the same request can succeed later by itself.
    public var retryable: Bool
    /// Seconds until a retry makes sense.
    public var retryAfter: Double?
    /// The command to run, or what else to do next.
    public var hint: String?
    /// The account that the error is about.
    public var account: String?
    /// What `approval.wait` and `ritualctl approvals allow` take, for `approvalNeeded`.
    public var approval: String?
    /// The host and the cause of a failed connection, for `offline`; never a secret.
    public var detail: String?
  }

  /// An error of `kind`, with the table's words and next step where none are given.
  public init(
    _ kind: ErrorKind, _ message: String? = nil, hint: String? = nil, account: String? = nil,
    retryAfter: Double? = nil
  ) {
    let facts = kind.facts
    code = facts.code
    self.message = message ?? facts.words
    data = Details(
      kind: kind, retryable: facts.retryable, retryAfter: retryAfter,
      hint: hint ?? facts.hint.map { Self.hint($0, account: account) }, account: account)
  }

  /// A sign-in command names the account that the error is about.
  private static func hint(_ hint: String, account: String?) -> String {
    guard let account, AccountName.isValid(account), hint.hasPrefix("ritualctl sign-in") else { return hint }
    return "\(hint) --account \(account)"
  }

  /// The stable name.
  public var kind: ErrorKind { data.kind }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try container.decode(Int.self, forKey: .code)
    message = try container.decode(String.self, forKey: .message)
    let fallback = Details(kind: .internalError, retryable: false)
    data = try container.decodeIfPresent(Details.self, forKey: .data) ?? fallback
  }
}
