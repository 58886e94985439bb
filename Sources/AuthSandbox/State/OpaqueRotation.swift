/// Algorithm v1. A token is a row; a refresh revokes it and issues a child.
struct OpaqueRotation: Sendable {
  var now: Moment
  var reuseInterval: Double
  /// Algorithm v2 is on: the session is upgraded by this refresh.
  var upgrades: Bool

  func refresh(_ session: SessionRecord, presenting value: String) throws(RefreshRefusal) -> RefreshOutcome {
    var session = session
    guard let index = session.opaqueTokens.firstIndex(where: { $0.value == value }) else {
      throw .notFound
    }
    if session.opaqueTokens[index].revoked {
      // The direct parent of the active token: a client that lost the answer. No time limit.
      if let active = session.opaqueTokens.last(where: { !$0.revoked }), active.parent == value {
        session.refreshedAt = now
        return RefreshOutcome(session: session, token: active.value, isNew: false, headers: [])
      }
      try checkReuse(&session, at: index)
    }
    return upgrades ? upgrade(session, at: index) : swap(session, at: index)
  }

  /// A revoked token counts for one interval after its row changed last; later, the whole family is revoked. Rows that
  /// are revoked just now get a new interval: that is why the newest token still works once (recorded).
  private func checkReuse(_ session: inout SessionRecord, at index: Int) throws(RefreshRefusal) {
    let until = session.opaqueTokens[index].updatedAt.adding(seconds: reuseInterval)
    guard now > until else { return }
    for each in session.opaqueTokens.indices where !session.opaqueTokens[each].revoked {
      revoke(&session, at: each)
    }
    throw .alreadyUsed(.put(session))
  }

  private func swap(_ session: SessionRecord, at index: Int) -> RefreshOutcome {
    var session = session
    revoke(&session, at: index)
    let child = OpaqueToken(parent: session.opaqueTokens[index].value, updatedAt: now)
    session.opaqueTokens.append(child)
    session.refreshedAt = now
    return RefreshOutcome(
      session: session, token: child.value, isNew: true, headers: [("sb-auth-refresh-token-reuse", "false")])
  }

  /// No opaque token stays active, so the parent rule does not hold for the old one; within the interval it draws the
  /// next counter instead (recorded: "the v1 token again").
  private func upgrade(_ session: SessionRecord, at index: Int) -> RefreshOutcome {
    var session = session
    revoke(&session, at: index)
    if session.counter == nil { session.counter = CounterState() } else { session.counter?.value += 1 }
    session.refreshedAt = now
    return CounterRotation.outcome(session, isNew: true, name: "sb-auth-refresh-token-reuse", value: "false")
  }

  private func revoke(_ session: inout SessionRecord, at index: Int) {
    session.opaqueTokens[index].revoked = true
    session.opaqueTokens[index].updatedAt = now
  }
}
