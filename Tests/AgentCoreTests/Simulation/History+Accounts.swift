import AgentConfiguration
import AgentProtocol
import SupabaseAuth
import SystemSupport

@testable import AccessControl
@testable import Egress
@testable import SessionEngine

/// Names, the default account, API origins, factors, profiles, permits and grants in a history.
extension History {
  /// A change may refresh, send its request, and do both once more.
  private static let wait: Duration = .seconds(120)

  // MARK: - Changes of an account

  /// Runs a change that waits for the disk. `end` records its outcome.
  func change(
    _ words: String, _ body: @escaping @Sendable (Accounts) async throws -> Void,
    end: @escaping @Sendable (inout Ledger.State, ErrorKind?) -> Void = { _, _ in }
  ) {
    locks.keptIsKnown = false
    call(words, within: Self.wait, afterSleep: Self.wait, waitsForDisk: true) { [ledger, life = agent.life] accounts in
      do { try await body(accounts) } catch {
        let kind = (error as? AgentError)?.kind
        if !life.isOver { ledger.with { end(&$0, kind ?? .cancelled) } }
        throw error
      }
      if !life.isOver { ledger.with { end(&$0, nil) } }
    }
  }

  /// - Parameter turns: of the vault's thread, before the call.
  func makeDefault(_ name: String, after turns: Int = 0) {
    let store = agent.store
    let id = ledger.with { $0.changes.defaults.begin(.use(name)) }
    let use: @Sendable (Accounts) async throws -> Void = { accounts in
      for _ in 0..<turns { try await store.onDiskThread {} }
      _ = try await accounts.use(name)
    }
    change("use \(name)", use) { state, error in
      state.changes.defaults.end(id, isCertain: error == nil)
    }
  }

  func rename(_ old: String, to new: String) {
    let (move, id) = ledger.with { ($0.beginMove(old, new), $0.changes.defaults.begin(.rename(old, to: new))) }
    change("rename \(old) to \(new)", { _ = try await $0.rename(old, to: new) }) { state, error in
      if error == nil { state.tally("renames") }
      state.endMove(move, error)
      state.changes.defaults.end(id, isCertain: error == nil)
    }
  }

  func remove(_ name: String) {
    let id = ledger.with { $0.changes.defaults.begin(.remove(name)) }
    signOut(name, .local, discard: chance.happens(40), removal: id)
  }

  func acceptAPI(_ name: String) {
    let (ledger, projects) = (ledger, agent.projects)
    // A reload may come between the request and its decision.
    let accept: @Sendable () -> Void = {
      ledger.with { state in
        for session in state.possible[name] ?? [] {
          state.changes.apiOrigins[session, default: []].formUnion(projects.all.map(\.apiOrigin))
        }
      }
    }
    accept()
    let use: @Sendable (Accounts) async throws -> Void = { accounts in
      defer { accept() }
      _ = try await accounts.useAPI(name)
    }
    change("use-api \(name)", use) { state, error in
      if error == nil { state.tally("API origins accepted") }
    }
  }

  func importSession(_ name: String) {
    trace("import for \(name)")
    adopt(server.signIn(person(name), at: clock.elapsed), for: name) { accounts in
      var ticket = try await accounts.beginSignIn(account: name, project: nil, provider: .email, replace: false)
      ticket.isImported = true
      return ticket
    }
  }

  /// The person edits the configuration file.
  func reload(_ new: ProjectSetting) throws {
    setting = new
    trace("reload: \(setting)")
    let (accounts, projects, configuration) = (accounts, agent.projects, try setting.configuration)
    Task(executorPreference: ground.executor) {
      _ = projects.apply(configuration)
      await accounts.configurationChanged()
    }
  }

  func readProfile(_ name: String) {
    let (clock, pause) = (clock, Duration.milliseconds(chance.below(2) * chance.below(5_000)))
    let onboarding = chance.one(of: ["needed", "complete"])
    change(
      "profile of \(name)",
      { accounts in
        let target = try await accounts.profileTarget(name)
        if pause > .zero { try await clock.sleep(for: pause) }
        await accounts.profileSeen(onboarding: onboarding, target)
      })
  }

  // MARK: - Factors

  /// Reads, adds or removes a factor that is never verified.
  func changeFactors(_ name: String) {
    let listed = userAt(name).map { server.addedFactors(of: $0).last ?? [] } ?? []
    let (ledger, disk, life) = (ledger, agent.disk, agent.life)
    let held = ledger.with { $0.possible[name] }
    switch chance.below(4) {
    case 0: change("factors of \(name)", { _ = try await $0.factors(name) })
    case 1 where !listed.isEmpty:
      let id = chance.one(of: listed)
      ledger.with { $0.removalBegins(of: id) }
      change("remove \(id) of \(name)", { try await $0.removeFactor(MFARemove.Params(account: name, factor: id)) }) {
        state, error in
        if error == nil, disk.failures == 0 { state.factorChanged(id, of: name, held, isListed: false) }
      }
    default:
      change(
        "enroll for \(name)",
        { accounts in
          let factor = try await accounts.enrollFactor(MFAEnroll.Params(account: name, type: AccountFactor.totp)).factor
          guard !life.isOver else { return }
          ledger.with { state in
            state.tally("factors enrolled")
            state.changes.enrolled.insert(factor)
            if disk.failures == 0 { state.factorChanged(factor, of: name, held, isListed: true) }
          }
        })
    }
  }

  /// Checks that an older list did not replace a change.
  func checkFactors(_ account: Observed) throws {
    let known = ledger.with { $0.changes.factors[account.name] ?? [:] }
    guard let wrong = known.first(where: { account.factors.contains($0.key) != $0.value }) else { return }
    throw Violation(
      invariant: .factorsAreKept,
      words: "\(account.name) lists \(account.factors), but \(wrong.key) was \(wrong.value ? "added" : "removed")")
  }

  // MARK: - The default account

  /// Checks the default account, which nothing but the changes that were asked for may change.
  func checkDefault() throws {
    let name = try ask { await $0.settings.defaultAccount }
    guard ledger.with({ $0.changes.defaults.allows(name) }) else {
      throw Violation(invariant: .settingsAreKept, words: "the default account is \(name ?? "none")")
    }
    ledger.with { $0.changes.defaults.settle(name) }
  }

  /// Checks the stored default account, of a process that has ended or of a locked vault.
  ///
  /// - Parameters:
  ///   - hasFailed: true if the disk failed. The memory may then have been ahead of it.
  ///   - isInMemory: true if the process goes on.
  func checkFoundDefault(
    _ settings: StoredSettings?, _ records: [StoredAccount], _ hasFailed: Bool, isInMemory: Bool = false
  ) throws {
    // The start undoes a rename whose old record is still there.
    let renamed = records.first { $0.name == settings?.defaultAccount }
    let name = renamed.flatMap { oldRecord(of: $0, in: records)?.name } ?? settings?.defaultAccount
    defer { if !hasFailed || !isInMemory { ledger.with { $0.changes.defaults.reset(name) } } }
    guard !hasFailed, !ledger.with({ $0.changes.defaults.allows(name) }) else { return }
    throw Violation(invariant: .settingsAreKept, words: "the vault holds the default account \(name ?? "none")")
  }

  // MARK: - Requests with tokens

  /// Asks for a request to the product's API, as a connection of egress does.
  func permit(_ name: String) {
    let (egress, ledger, clock, life) = (agent.egress, ledger, clock, agent.life)
    let caller = EgressAccess.Caller(connection: IssuedTokens.Connection(id: 1, pid: 1), opener: nil)
    call("permit of \(name)", within: .seconds(31)) { _ in
      let request = try EgressRequest(
        .request("GET", "/orders", [("Host", "localhost")]), account: name, uri: "/orders")
      let known = try egress.permitAtOnce(request, caller)
      let permit = if let known { known } else { try await egress.permit(request, caller) }
      guard !life.isOver else { return }
      ledger.tokenIssued(permit.token.exposed, of: permit.account, expiresIn: 0, by: "permit", clock)
      ledger.with { $0.permitted(permit.token.exposed, permit.url) }
    }
  }

  /// Makes a grant for the account's session.
  func grant(_ name: String) {
    let (grants, clock) = (agent.grants, clock)
    call("grant of \(name)") { accounts in
      let (generation, owner) = (grants.generation, try await accounts.sessionOwner(name))
      let until = clock.now.advanced(by: .seconds(3600))
      let grant = Grant(
        id: RandomText.hexadecimal(bytes: 6), account: name, connection: IssuedTokens.Connection(id: 1, pid: 1),
        scope: nil, owner: owner,
        asker: Grant.Asker(pid: 1, caller: AccessControl.Caller(pid: 0), process: nil), createdAt: clock.wall,
        expiresAt: clock.wallTime(of: until), until: until)
      _ = try grants.add(grant, since: generation, token: name)
    }
  }

  /// Checks that every grant is for the session that its account holds.
  func checkGrants(_ seen: [Observed]) throws {
    for (grant, _) in agent.grants.list() {
      guard seen.first(where: { $0.name == grant.account })?.owner != grant.owner else { continue }
      throw Violation(
        invariant: .grantsEndWithSessions, words: "a grant of \(grant.account) is left, whose session has ended")
    }
  }
}

extension Ledger.State {
  /// Checks that a token goes only to an API that the user accepted.
  fileprivate mutating func permitted(_ bearer: String, _ url: APIRequestURL) {
    guard !url.isProject, let session = receipts[bearer]?.session else { return }
    tally("requests permitted for another API")
    guard changes.apiOrigins[session]?.contains(url.origin) != true else { return }
    report(.acceptedOriginsOnly, "session \(session) for \(url.origin)")
  }
}
