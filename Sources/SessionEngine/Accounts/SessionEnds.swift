import AgentProtocol
import FoundationEssentials
import SupabaseAuth
import SystemSupport

extension FatalReason {
  /// The reason on the wire. The server does not tell a sign-out from a password change or a second
  /// factor elsewhere.
  var endReason: SessionEndReason {
    switch self {
    case .tokenNotFound, .tokenAlreadyUsed, .sessionNotFound: .endedElsewhere
    case .timebox: .timebox
    case .inactivity: .inactivity
    case .lowAssurance: .lowAssurance
    case .userNotFound: .userGone
    case .sessionExpired, .tokenInvalid: .unknown
    }
  }

  /// A short description of the reason, for status and events.
  var shortDescription: String {
    switch self {
    case .tokenNotFound: "ended elsewhere"
    case .tokenAlreadyUsed: "revoked: refresh token reused"
    case .sessionNotFound: "session deleted"
    case .timebox: "session time limit reached"
    case .inactivity: "not used for too long"
    case .lowAssurance: "second factor not verified in time"
    case .sessionExpired: "session expired"
    case .userNotFound: "user deleted"
    case .tokenInvalid: "refresh token unknown to this server"
    }
  }
}

/// Why the project does not continue a session that has not ended.
enum SessionRefusal: Sendable, Hashable {
  /// The project allows one session for each user, and a newer one exists.
  case newerSignIn
  /// A hook of the project refused the refresh.
  case hook

  /// The refusal that a failed refresh reports, if any.
  init?(_ code: AuthError.Code) {
    switch code {
    case .newerSignIn: self = .newerSignIn
    case .hookRefused: self = .hook
    default: return nil
    }
  }
}

extension StoredEnd {
  /// Returns when a second factor was verified elsewhere, if that probably ended the session:
  /// a verified factor's last challenge is between the last time the server continued the session
  /// and its end. The times are compared by the second.
  ///
  /// - Parameter skew: the server's clock, which is that of the factors' times, minus this machine's, in seconds.
  func secondFactorElsewhere(_ factors: [Factor], skew: Int64 = 0) -> Timestamp? {
    guard kind == .endedElsewhere, let aliveAt else { return nil }
    let times = factors.filter(\.isVerified).compactMap(\.lastChallengedAt).map {
      Timestamp(unixSeconds: Int64($0.timeIntervalSince1970) - skew)
    }
    return times.filter { aliveAt < $0 && $0 <= at }.max()
  }
}

struct SessionLimits: Sendable {
  /// `session_limit` of the project, in seconds.
  var configured: Int?
  var learned: LearnedLimits?

  /// When a session ends that started at `start`, by its earliest limit, and whether the limit is
  /// only estimated. The configured limit replaces the learned time limit. The limit for the second
  /// factor is another one, and applies as long as the session needs it.
  func end(of start: Timestamp, needsSecondFactor: Bool) -> (at: Timestamp, isEstimate: Bool)? {
    let ends: [(seconds: Int, isEstimate: Bool)] = [
      (configured ?? learned?.timebox).map { ($0, configured == nil) },
      needsSecondFactor ? learned?.lowAssurance.map { ($0, true) } : nil,
    ].compactMap { $0 }
    return ends.min { $0.seconds < $1.seconds }.map {
      (Timestamp(unixSeconds: start.unixSeconds &+ Int64($0.seconds)), $0.isEstimate)
    }
  }
}

extension StoredSession {
  /// When the session started; nil for one that was started by another program, and handed in here
  /// later.
  var startedAt: Timestamp? { isImported == true ? nil : signedInAt }

  var needsSecondFactor: Bool {
    level != AccountAssurance.aal2 && (user.factors ?? []).contains(where: \.isVerified)
  }
}

extension Account {
  /// When the server ends the session because the second factor was not verified; nil if that is not
  /// known, or the session does not need it.
  func lowAssuranceEnd(_ learned: LearnedLimits?) -> Timestamp? {
    guard let session, session.needsSecondFactor, let start = session.startedAt, let limit = learned?.lowAssurance
    else {
      return nil
    }
    return Timestamp(unixSeconds: start.unixSeconds &+ Int64(limit))
  }
}

extension AccountStatus {
  /// Why the server ended the session, and what to do, as one sentence each.
  var endSentences: [String] {
    let when = ended.map { " at \($0.at)" } ?? ""
    let reason = ended.map { " (\($0.reason))" } ?? ""
    let (cause, remedy) = Self.endWords[session?.endReason ?? .unknown] ?? ("The server ended the session", nil)
    let next =
      user?.isAnonymous == true
      ? "An anonymous user cannot sign in again. To use the account for another user: ritualctl sign-in --account "
        + "\(name) --replace" : "Sign in again: ritualctl sign-in --account \(name)"
    return ["\(cause)\(when)\(reason).", remedy, next].compactMap { $0 }
  }

  private static let endWords: [SessionEndReason: (cause: String, remedy: String?)] = [
    .endedElsewhere: (
      "The session was ended elsewhere, by a sign-out, a password change or a second factor,",
      "A verification of a second factor ends every session of the user without one. To keep this one: ritualctl mfa "
        + "verify after the sign-in."
    ),
    .timebox: (
      "The session reached the project's time limit for sessions",
      "To be reminded before: session_limit of the project in the configuration."
    ),
    .inactivity: (
      "The session was not refreshed for longer than the project allows, as on a machine that was off,", nil
    ),
    .lowAssurance: (
      "The second factor was not verified in the time that the project allows",
      "To keep the next session: ritualctl mfa verify after the sign-in."
    ),
    .userGone: ("The user no longer exists. The session ended", nil),
  ]
}
