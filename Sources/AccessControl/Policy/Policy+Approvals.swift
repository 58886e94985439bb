package import AgentProtocol
package import SessionEngine
import Synchronization
package import SystemSupport

extension Policy {
  /// Pending requests and stored answers, oldest first.
  package func approvals() -> [Approval] { state.withLock { $0.book.list(now: clock.now) } }

  /// Stores the user's answer to a request.
  ///
  /// - Throws: `denied` if the caller is the asker itself (`isOwn`) or cannot be identified;
  ///   `invalidParams` if the request is not pending, for a duration out of range, or for a scope that the
  ///   answer cannot have.
  package func answer(_ params: ApprovalAnswer.Params, _ question: Question) async throws(AgentError) -> Approval {
    if let seconds = params.for, !(1...ApprovalAnswer.maxSeconds).contains(seconds) {
      throw AgentError(.invalidParams, "The duration must be 1 to \(ApprovalAnswer.maxSeconds) seconds.")
    }
    if let scope = params.scope {
      guard params.allow, params.for == nil, scope == .once || scope == .untilLock else {
        throw AgentError(
          .invalidParams, "The scope must be once or untilLock, for an approval without a duration.",
          hint: "ritualctl approvals allow --help")
      }
    }
    let caller = records.issuedTokens.callers.caller(of: question.connection) ?? Caller()
    let now = clock.now
    // An approval for one request is not kept for a program that has given up long ago.
    let time = params.scope == .once ? ApprovalBook.requestTimeout : params.for.map { .seconds($0) }
    let until = time.map { now.advanced(by: $0) }
    let result: Result<Approval, AgentError> = state.withLock { state in
      guard let entry = state.book.entry(params.id, now: now) else { return .failure(.unknownApproval) }
      guard !entry.isOwn(caller, pid: question.pid) else { return .failure(.ownApproval(entry.shown)) }
      guard
        let answered = state.book.answer(
          params.id, allow: params.allow, scope: params.scope == .once ? .once : nil, until: until,
          shownUntil: until.map { clock.wallTime(of: $0) })
      else {
        return .failure(
          AgentError(.invalidParams, "This request has already been answered.", hint: "ritualctl approvals"))
      }
      state.changed()
      return .success(answered)
    }
    let answered = try noting(result, params.id, question, caller)
    tellOfChange()
    var facts = AuditFacts.policy(
      .approvalAnswered, answered.account, question, caller, id: answered.id, pattern: answered.pattern)
    facts.accepted = params.allow
    note(facts, question, caller)
    changes.post(.approvalAnswered, answered)
    return answered
  }

  /// Revokes an answer or withdraws a request.
  ///
  /// - Throws: `denied` if the caller is the asker itself or cannot be identified, unless the entry
  ///   is an approval; `invalidParams` for an unknown ID.
  package func revoke(_ id: String, _ question: Question) async throws(AgentError) {
    let caller = records.issuedTokens.callers.caller(of: question.connection) ?? Caller()
    let now = clock.now
    let result: Result<Approval, AgentError> = state.withLock { state in
      guard let entry = state.book.entry(id, now: now) else { return .failure(.unknownApproval) }
      // A denied program that could revoke its denial would keep asking.
      guard entry.shown.state == .allowed || !entry.isOwn(caller, pid: question.pid) else {
        return .failure(.ownApproval(entry.shown))
      }
      guard let removed = state.book.remove(id) else { return .failure(.unknownApproval) }
      state.changed()
      return .success(removed)
    }
    let removed = try noting(result, id, question, caller)
    tellOfChange()
    note(.policy(.approvalRevoked, removed.account, question, caller, id: id), question, caller)
    changes.post(.approvalAnswered, removed.over)
  }

  /// Returns the result. Logs a refusal if the caller may not answer.
  private func noting(
    _ result: Result<Approval, AgentError>, _ id: String, _ question: Question, _ caller: Caller
  ) throws(AgentError) -> Approval {
    if case .failure(let error) = result, error.kind == .denied, let account = error.data.account {
      note(.policy(.denied, account, question, caller, id: id), question, caller)
    }
    return try result.get()
  }

  /// Removes the approvals and pending requests of an account that was renamed or removed, because
  /// the next user of its name may be another person. Denials stay.
  package func note(_ fact: EngineFact) {
    switch fact {
    case .renamed(_, from: let name), .removed(account: let name): forgetApprovals(of: name)
    default: break
    }
  }

  /// Removes all approvals and pending requests, of one account or, when the vault is locked, of all.
  /// Denials stay.
  package func forgetApprovals(of account: String? = nil) {
    let forgotten = state.withLock { state in
      defer { state.changed() }
      return state.book.removeAllButDenials(of: account, now: clock.now)
    }
    tellOfChange()
    for approval in forgotten { changes.post(.approvalAnswered, approval.over) }
  }

  func publishRequest(_ id: String) {
    let asked = state.withLock { $0.book.entry(id, now: clock.now)?.shown }
    if let asked { changes.post(.approvalNeeded, asked) }
  }

  /// Waits until the request is answered or expires.
  ///
  /// - Throws: `invalidParams` for an unknown ID; `cancelled`.
  package func wait(_ id: String) async throws(AgentError) -> ApprovalState {
    let (entry, waiters) = state.withLock { ($0.book.entry(id, now: clock.now), $0.book.waiters) }
    guard let entry else { throw .unknownApproval }
    guard entry.shown.state == .pending else { return entry.shown.state }
    do {
      let deadline = Deadline(moment: entry.until ?? clock.now, clock: clock)
      try await waiters.wait(for: id, until: deadline) { isPending(id) ? nil : () }
    } catch  where error != .timedOut {
      throw AgentError(.cancelled)
    } catch {}
    let now = state.withLock { $0.book.entry(id, now: clock.now)?.shown.state }
    return now.map { $0 == .pending ? .expired : $0 } ?? .expired
  }

  /// Waits for the answer to a request for access, which ends with the last wait unless it came without one before.
  ///
  /// - Parameter deadline: when the program is told of the question instead.
  /// - Returns: `pending` at the deadline, and `expired` if the task is cancelled.
  package func hold(_ id: String, until deadline: BootTime) async -> ApprovalState {
    let (waiters, end) = state.withLock { state in
      state.book.hold(id)
      return (state.book.waiters, state.book.entry(id, now: clock.now)?.until)
    }
    var isTimedOut = false
    do {
      let deadline = Deadline(moment: min(deadline, end ?? deadline), clock: clock)
      try await waiters.wait(for: id, until: deadline) { isPending(id) ? nil : () }
    } catch {
      isTimedOut = error == .timedOut
    }
    let (found, withdrawn) = state.withLock { state in
      let found = state.book.entry(id, now: clock.now)?.shown.state ?? .expired
      return (found, state.book.letGo(id, keeps: isTimedOut))
    }
    if let withdrawn { changes.post(.approvalAnswered, withdrawn.over) }
    return found == .pending && !isTimedOut ? .expired : found
  }

  /// Uses up an approval that is valid for one request.
  ///
  /// - Returns: False if another request has used it, or if it has ended.
  package func use(_ id: String) -> Bool {
    guard let used = state.withLock({ $0.book.use(id, now: clock.now) }) else { return false }
    changes.post(.approvalAnswered, used.over)
    return true
  }

  private func isPending(_ id: String) -> Bool {
    state.withLock { $0.book.entry(id, now: clock.now)?.shown.state == .pending }
  }
}

extension Approval {
  /// This approval as withdrawn or expired.
  fileprivate var over: Approval {
    var over = self
    over.state = .expired
    return over
  }
}

extension AgentError {
  fileprivate static var unknownApproval: AgentError {
    AgentError(.invalidParams, "This access request does not exist or has expired.", hint: "ritualctl approvals")
  }

  fileprivate static func ownApproval(_ approval: Approval) -> AgentError {
    let place = approval.unit.map { "outside \(ForeignText.shown($0))" } ?? "from another process"
    return AgentError(
      .denied, "A program cannot approve its own request.",
      hint: "run it \(place), for example: systemd-run --user --pty ritualctl approvals", account: approval.account)
  }
}
