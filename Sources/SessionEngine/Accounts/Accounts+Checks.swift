import AgentProtocol
import SupabaseAuth
import SystemSupport

/// What a server says in the background about sessions that were restored.
extension Accounts {
  /// The session that is to be asked about; nil where it is not here any more, has been refreshed since, or has no good token.
  func check(_ request: CheckRequest) -> SessionCheck? {
    guard door.isOpen, let account = accounts[request.account], account.isCurrent(request.generation),
      let session = account.session, let project = project(of: account),
      tokens.freshest(account: account.name, rejected: nil, now: clock.now) != nil
    else { return nil }
    return SessionCheck(
      account: account.name, project: project, token: session.bearer, generation: account.generation)
  }

  /// What the server said about a restored session. Only the refresh grant can end one, so a refusal causes a refresh.
  func checked(_ check: SessionCheck, _ result: Result<User, AuthError>) async {
    guard let account = accounts[check.account], account.isCurrent(check.generation) else { return }
    switch result {
    case .success(let user):
      await userSeen(user, account, check.generation)
      await noticeLinks(user, of: check.account, .elsewhere)
    case .failure(let error) where error.status == 401 || error.status == 403: start(account, .start)
    case .failure: break
    }
  }

  func userSeen(_ user: User, _ account: Account, _ generation: UInt64) async {
    guard let known = account.session?.user, user.id == known.id, known.updated(by: user) != known else { return }
    await writeGate.enter(account.name)
    if accounts[account.name]?.isCurrent(generation) == true, accounts[account.name]?.unsaved == nil {
      accounts[account.name]?.userChanged(known.updated(by: user))
      if let changed = accounts[account.name] { try? await store().save(changed.stored) }
      tell(.userUpdated, account.name)
    }
    writeGate.leave(account.name)
  }
}
