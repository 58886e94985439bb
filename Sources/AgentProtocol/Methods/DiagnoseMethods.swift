/// How a check of `agent.diagnose` or `ritualctl doctor` ended. Open, since a newer agent may know more.
public struct CheckOutcome: RawRepresentable, Codable, Sendable, Hashable {
  /// The name on the wire.
  public let rawValue: String
  /// An outcome by its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// As it should be.
  public static let ok = CheckOutcome(rawValue: "ok")
  /// Worth knowing, or not to be told; nothing is broken.
  public static let warn = CheckOutcome(rawValue: "warn")
  /// Something does not work, or is not safe.
  public static let fail = CheckOutcome(rawValue: "fail")

  /// Every outcome that this version knows.
  public static let known: [CheckOutcome] = [.ok, .warn, .fail]
}

/// One check, made to be pasted into a bug report: it holds no token, no e-mail address, no key, and no address of a project.
public struct DiagnosticCheck: Codable, Sendable, Hashable {
  /// What was looked at, such as `vault` or `tls`.
  public var name: String
  /// The project's name in the configuration, where the check is about one.
  public var project: String?
  public var outcome: CheckOutcome
  /// What was found.
  public var words: String
  /// What to do about it: a command if there is one. Absent where there is nothing to do.
  public var next: String?

  public init(
    _ name: String, project: String? = nil, _ outcome: CheckOutcome, _ words: String, next: String? = nil
  ) {
    (self.name, self.project, self.outcome, self.words, self.next) = (name, project, outcome, words, next)
  }
}

/// `agent.diagnose`: the checks of `ritualctl doctor` that are made where the agent runs, side by side; they end within about
/// 10 s. Who asks while they run gets the same answer; a few in a row are made, then one every 10 s.
public enum AgentDiagnose: AgentMethod {
  public static let name = "agent.diagnose"
  public static let notes = MethodNotes("The checks of `ritualctl doctor` that need the agent; 10 s at most.")
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    public var checks: [DiagnosticCheck]
    /// How browsers come back, as `[sign_in] redirect` says: `loopback`, `scheme` or `manual`.
    public var redirect: String
    /// The custom schemes of the projects, each once.
    public var schemes: [String]

    public init(checks: [DiagnosticCheck], redirect: String, schemes: [String]) {
      (self.checks, self.redirect, self.schemes) = (checks, redirect, schemes)
    }
  }
}
