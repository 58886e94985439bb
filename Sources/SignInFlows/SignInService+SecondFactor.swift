import AgentConfiguration
package import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// The page that asks for a second factor, in a flow of its own: the session is stored before, and stays as it is
/// until a code is verified.
extension SignInService {
  /// Starts a flow whose page asks for the code of a signed-in account's second factor. A running flow of this kind for
  /// the same account ends.
  /// - Throws: `signInNeeded`; `invalidParams` if the user has no second factor; `flowBusy` while a code is being
  ///   verified; `tooMany`.
  package func startSecondFactor(_ params: MFAStart.Params) async throws(AgentError) -> SignInStart.Result {
    let timeout = try FlowRequest.waitTimeout(
      params.timeout, least: Double(settings().timeoutSeconds), lifetime: SignInLimits.secondFactorLifetime)
    try checkFlowLimits()
    let locks = locks
    let account = try await accounts.status(params.account)
    let need = try await factors(of: account.name)
    guard !flows.values.contains(where: { $0.isVerifyingFactor && $0.ticket.account == account.name }) else {
      throw AgentError(.flowBusy, "A verification is already running for this account.", account: account.name)
    }
    let replaced = AgentError(.cancelled, "Another page asks for the second factor now.", account: account.name)
    await endFactorQuestions(of: account.name, .failure(replaced))
    let ticket = try await accounts.idleTicket(
      account: account.name, project: account.project, provider: Provider(rawValue: "mfa"))
    let kind = Flow.Kind.factor(path: Flow.pagePath(), linked: nil)
    let flow = try await begin(Flow(kind, ticket, waitTimeout: timeout, now: clock.now), locks)
    if !need.needed { await deliver(.ended(await currentResult(account.name)), to: flow.id) }
    return SignInStart.Result(
      flow: flow.id, url: flow.launchURL, expiresAt: clock.wallTime(of: flow.deadline))
  }

  /// Returns the need of an account whose user has a second factor. The server is asked if none is known: it may have
  /// been added elsewhere.
  private func factors(of account: String) async throws(AgentError) -> SecondFactorNeed {
    var need = await accounts.secondFactorNeed(account)
    if need?.factors.isEmpty == true {
      _ = try await accounts.factors(account)
      need = await accounts.secondFactorNeed(account)
    }
    guard let need else { throw AgentError(.signInNeeded, account: account) }
    guard !need.factors.isEmpty else {
      throw AgentError(
        .invalidParams, "The user has no second factor.", hint: "ritualctl mfa enroll totp --account \(account)",
        account: account)
    }
    return need
  }

  // MARK: - The end

  /// Verifies a code for a program, and ends the pages that ask for it.
  /// - Throws: what `Accounts.verifyFactor` throws.
  package func verifySecondFactor(_ params: MFAVerify.Params) async throws(AgentError) -> AccountStatus {
    do {
      let account = try await accounts.verifyFactor(params, maxAttempts: settings().passwordAttemptsPerHour)
      await endAnsweredQuestions(of: account.name)
      return account
    } catch {
      // The verification goes on without its caller.
      if error.kind == .timedOut, let account = error.data.account {
        Task {
          _ = await accounts.lateVerification(account)
          await endAnsweredQuestions(of: account)
        }
      }
      throw error
    }
  }

  /// Ends the flows that ask for a second factor that is no longer needed.
  private func endAnsweredQuestions(of account: String) async {
    let result = await currentResult(account)
    if case .success(let result) = result, result.mfa?.needed == true { return }
    await endFactorQuestions(of: account, result)
  }

  /// Ends the flows that ask for the account's second factor. A flow that is verifying a code ends with the result of
  /// that, unless it fails.
  func endFactorQuestions(of account: String, _ result: FlowResult) async {
    await end(result) { $0.isFactorFlow && $0.ticket.account == account }
  }

  /// Returns the result for the account's session as it is now.
  func currentResult(_ name: String) async -> FlowResult {
    do throws(AgentError) {
      var account = try await accounts.status(name)
      guard let need = await accounts.secondFactorNeed(name) else { throw AgentError(.signInNeeded, account: name) }
      account.mfa = need
      return .success(SignInResult(.signedIn, account: account))
    } catch {
      return .failure(error)
    }
  }
}

/// The page of such a flow.
extension SignInService {
  /// Returns the page that asks for the second factor. If it is no longer needed, because it was verified elsewhere or
  /// the session has ended, the flow ends.
  func factorPage(_ id: String) async -> LoopbackAnswer {
    guard let account = flows[id]?.ticket.account else { return .refused(404) }
    let need = await accounts.secondFactorNeed(account)
    let user = try? await accounts.status(account).user
    guard let flow = flows[id], flow.isFactorFlow, let dialog = flow.open else { return .seeOther(.home) }
    guard let need, need.needed else {
      await deliver(.ended(await currentResult(account)), to: id)
      return .seeOther(.home)
    }
    let factor = dialog.factor.factor(of: need)
    let form = FactorPage(
      need: need, factor: factor, account: account, user: user?.email ?? user?.name,
      pause: dialog.factor.pause(factor, now: clock.now),
      secondsKept: need.endsAt.map { $0.unixSeconds - clock.wallSeconds }, refusal: dialog.form.refusal?.error)
    return page(form.document, flow)
  }

  /// Processes a form of the page. Forms of the sign-in before it, from another tab, have no effect.
  func takeFactorForm(_ values: [String], at path: PagePath, of id: String) async {
    guard let account = flows[id]?.ticket.account else { return }
    if path == .postponeFactor {
      await deliver(.ended(await currentResult(account)), to: id)
    } else if let need = await accounts.secondFactorNeed(account) {
      let factor = need.usableFactors.first { $0.id == values.first }
      await deliver(.factor(path, factor, code: values.last ?? ""), to: id)
    }
  }

  /// Verifies the code, and waits for the end of the verification. The page shows its progress until then. If the session
  /// has ended, the person cannot try again.
  func verifyFactor(_ params: MFAVerify.Params, _ account: String) async -> ServerAnswer {
    do throws(AgentError) {
      _ = try await accounts.verifyFactor(params, maxAttempts: settings().passwordAttemptsPerHour)
    } catch {
      var failure: AgentError? = error
      if error.kind == .timedOut, let late = await accounts.lateVerification(account) {
        failure = if case .failure(let error) = late { error } else { nil }
      }
      if let failure {
        return await accounts.secondFactorNeed(account) == nil ? .finished(.failure(failure)) : .refused(failure)
      }
    }
    let result = await currentResult(account)
    await endFactorQuestions(of: account, result)
    return .finished(result)
  }
}
