import AgentProtocol
import SupabaseAuth
import SystemSupport

@testable import SessionEngine

/// Codes, anonymous users and linked sign-in methods in a history.
extension History {
  /// Has a code sent, or enters one that was sent before. The account stays free until a code is
  /// entered, and may change meanwhile. The code is sent to the server once: if the answer is lost,
  /// the account stays as it is.
  func signInByCode() throws {
    guard let sent = sentCodes.randomElement(using: &chance), chance.happens(70) else { return try sendCode() }
    let (name, user, isLost) = (sent.account, person(sent.account), chance.happens(20))
    let (ledger, life) = (ledger, agent.life)
    trace("enter a code of \(name) as \(user)\(isLost ? ", whose answer is lost" : "")")
    adopt(server.signIn(user, at: clock.elapsed), for: name) { accounts in
      let ticket = try await accounts.claim(sent)
      guard isLost else {
        if !life.isOver { ledger.with { $0.tally("sign-ins with a code") } }
        return ticket
      }
      if !life.isOver { ledger.with { $0.tally("codes whose answer was lost") } }
      await accounts.endSignIn(ticket)
      throw AgentError(.timedOut, account: name)
    }
  }

  private func sendCode() throws {
    let name = chance.one(of: Self.accounts)
    trace("send a code for \(name)")
    let ticket = try ask { try? await $0.idleTicket(account: name, project: nil, provider: .email) }
    if let ticket { sentCodes.append(ticket.with(.email, isCode: true)) }
  }

  /// Creates an anonymous user, unless the account has a session.
  func signInAnonymously(_ name: String) {
    let (ledger, life) = (ledger, agent.life)
    trace("sign in \(name) anonymously")
    adopt(server.signInAnonymously(at: clock.elapsed), for: name) { accounts in
      let ticket = try await accounts.beginSignIn(
        account: name, project: nil, provider: .anonymous, replace: false)
      do { try await accounts.refuseAnonymous(ticket) } catch {
        await accounts.endSignIn(ticket)
        throw error
      }
      if !life.isOver { ledger.with { $0.tally("anonymous users") } }
      return ticket
    }
  }

  /// Links a sign-in method to the account's user, who may be anonymous: the same user gets a new
  /// session, and the old one ends.
  func link(_ name: String, after pause: Duration = .zero) {
    guard let user = userAt(name) else { return trace("nobody to link at \(name)") }
    let wasAnonymous = server.isAnonymous(user)
    let (ledger, life) = (ledger, agent.life)
    trace("link \(name), \(user)")
    adopt(server.link(user, at: clock.elapsed), for: name, after: pause) { accounts in
      let ticket = try await accounts.beginLink(name, .google)
      if wasAnonymous, !life.isOver { ledger.with { $0.tally("upgrades of anonymous users") } }
      return ticket
    }
  }

  /// Checks the end of a sign-out of an account that held `sessions`: an anonymous user is lost only
  /// with `discard`.
  func anonymousCheck(
    _ name: String, _ sessions: Set<Int>
  ) -> @Sendable (_ discard: Bool, _ error: ErrorKind?) -> Void {
    let (server, ledger) = (server, ledger)
    return { discard, error in
      guard sessions.count == 1, let session = sessions.first, let user = server.user(of: session),
        server.isAnonymous(user), ledger.with({ !$0.overlapped.contains(name) && !$0.fatal.contains(session) })
      else { return }
      if error == .invalidParams, !discard { ledger.with { $0.tally("refused ends of anonymous users") } }
      guard error == nil, !discard else { return }
      ledger.report(.anonymousUsersStay, "\(name) lost the anonymous user \(user)")
    }
  }
}
