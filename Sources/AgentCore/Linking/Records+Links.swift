import SupabaseAuth

/// Links in the audit log and the counters (LK-3, OP-5). The person's decision itself is recorded where it is made.
extension Records {
  func note(_ notice: LinkNotice) {
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
