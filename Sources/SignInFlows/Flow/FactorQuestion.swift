import AgentProtocol
import SessionEngine
import SystemSupport

/// A page's question for a second factor (MF-3). Never holds a code.
struct FactorQuestion: Sendable {
  /// The sign-in method that was linked before, as shown to people; nil for a sign-in.
  let linked: String?
  /// The ID of the factor that the person chose among several.
  private(set) var chosen: String?
  /// The phone factor to which a code was sent last, and when the project sends another one.
  private(set) var sent: (factor: String, resendAt: BootTime)?

  init(linked: String? = nil) { self.linked = linked }

  /// Returns the factor whose code the page asks for; nil if the person has to choose one.
  func factor(of need: SecondFactorNeed) -> AccountFactor? {
    let usable = need.usableFactors
    return usable.first { $0.id == chosen } ?? (usable.count == 1 ? usable[0] : nil)
  }

  /// Returns the seconds until the project sends another code to this factor, not negative; nil if none was sent.
  func pause(_ factor: AccountFactor?, now: BootTime) -> Int? {
    guard let sent, sent.factor == factor?.id else { return nil }
    return max(0, Int(now.duration(to: sent.resendAt).seconds.rounded(.up)))
  }

  mutating func choose(_ factor: AccountFactor?) { chosen = factor?.id }

  mutating func noteSent(to factor: AccountFactor, resendAt: BootTime) { sent = (factor.id, resendAt) }

  /// Removes all that names a factor of the user.
  mutating func forget() { self = FactorQuestion(linked: linked) }
}

extension AccountFactor {
  /// True for a phone, to which the project sends a code.
  var isPhone: Bool { type == "phone" }
}

extension SecondFactorNeed {
  /// The verified factors whose codes the agent can verify.
  var usableFactors: [AccountFactor] { factors.filter { $0.isVerified && ($0.type == "totp" || $0.isPhone) } }
}

extension Flow {
  /// True while a code of a second factor is being verified, which cannot be undone.
  var isVerifyingFactor: Bool {
    guard case .exchanging = phase else { return false }
    return factor != nil
  }

  /// True if the page for a second factor takes a form.
  var takesFactor: Bool {
    guard case .waiting = phase else { return false }
    return factor != nil && visit.work == nil
  }

  /// Returns the state of a flow that asks for a second factor.
  func factorState(_ question: FactorQuestion) -> PageState {
    switch outcome.settled {
    case .success(let result): return .signedIn(end(result, linked: question.linked))
    case .failure(let error) where error.kind == .cancelled:
      // A renamed account is verified by its new name.
      return .cancelled(
        error.message == AgentError(.cancelled).message ? nil : error,
        command: "ritualctl mfa verify --account \(error.data.account ?? ticket.account)")
    case .failure(let error):
      let needsSignIn = error.kind == .signInNeeded
      return .notVerified(
        error, command: needsSignIn ? "ritualctl sign-in --account \(ticket.account)" : command)
    case nil:
      return isVerifyingFactor
        ? .verifying(command: "ritualctl status --account \(ticket.account)") : .askingForFactor
    }
  }

  /// Returns what the last page says about a session.
  func end(_ result: SignInResult, linked: String?) -> PageState.SignedIn {
    let user = result.account?.user
    var end = PageState.SignedIn(who: user?.email ?? user?.name, linked: linked)
    if result.mfa?.needed == true {
      end.factor = .missing(command: "ritualctl mfa verify --account \(ticket.account)")
    } else if factor != nil {
      end.factor = .verified
    }
    return end
  }
}
