import AgentProtocol
package import SessionEngine
import SupabaseAuth

/// Records engine facts in the audit log and the counters (LK-3, OP-5).
extension Records {
  package func note(_ fact: EngineFact) {
    switch fact {
    case .signedIn(let account, let project, let provider):
      record(.signedIn(account: account, project: project, provider: provider.rawValue))
    case .signedOut(let account, let scope): record(.signedOut(account: account, scope: scope.rawValue))
    case .sessionEnded(let account, let reason): record(.sessionEnded(account: account, reason: reason))
    case .apiAccepted(let account, let origin): record(.apiAccepted(account: account, origin: origin))
    case .identity(let notice): note(notice)
    case .decided(let account, let kind, let accepted):
      record(.decided(account: account, kind: kind, accepted: accepted))
    case .counted(let event): count(event)
    case .refreshEnded(let outcome, let error):
      telemetry.countRefresh(outcome)
      if let error { count(.tokenRefreshFailed(error)) }
    }
  }

  /// The user's decision itself is recorded by `EngineFact.decided`.
  private func note(_ notice: LinkNotice) {
    let (account, provider) = (notice.account, notice.provider.rawValue)
    switch notice.way {
    case .automatic, .elsewhere, .byHand, .confirmed:
      record(.linked(account: account, provider: provider, automatic: notice.way == .automatic))
      count(.accountLinked(AuthMethod(notice.provider)))
    case .declined, .unlinked: record(.unlinked(account: account, provider: provider))
    // It stays linked: nothing came of the decision.
    case .declinedInVain: break
    }
  }
}
