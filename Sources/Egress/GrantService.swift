package import AccessControl
import AgentConfiguration
package import AgentProtocol
package import SessionEngine
import SystemSupport

/// Makes, lists and revokes grants.
package struct GrantService: Sendable {
  private let accounts: Accounts
  private let policy: Policy
  private let records: Records
  private let grants: Grants
  private let listener: GrantListener

  package init(accounts: Accounts, policy: Policy, records: Records, grants: Grants, listener: GrantListener) {
    (self.accounts, self.policy, self.records) = (accounts, policy, records)
    (self.grants, self.listener) = (grants, listener)
    grants.onEnd { listener.release($0.endpoint) }
  }

  /// Makes a grant. It acts as the program that asks by `connection`: the rules judge each of its
  /// requests as one of that program, also after the program has ended.
  ///
  /// - Parameter process: the program's process; nil if the kernel does not tell.
  /// - Throws: `invalidParams`; `tooMany`; `misconfigured` if a socket cannot be made; what a request with the account's session would throw.
  package func make(
    _ params: EgressGrant.Params, by connection: UInt64, pid: Int32, process: PeerProcess?
  ) async throws(AgentError) -> EgressGrant.Result {
    let terms = try GrantTerms(params)
    let account = try await accounts.policyName(params.account)
    guard !terms.endsWithProcess || process != nil else { throw AgentError(.cancelled) }
    let id = RandomText.hexadecimal(bytes: 6)
    let endpoint = terms.hasSocket ? GrantEndpoint.socket(id) : .loopback
    let place = try await listener.acquire(endpoint)
    let own = IssuedTokens.Connection(
      id: records.issuedTokens.callers.nextConnectionID(), pid: pid, process: process?.id)
    do throws(AgentError) {
      // The caller is no longer known only if it has disconnected.
      guard let caller = await policy.open(own.id, onBehalfOf: connection) else {
        throw AgentError(.cancelled)
      }
      let asker = Grant.Asker(pid: pid, caller: caller, process: terms.endsWithProcess ? process : nil)
      let (grant, placeholder) = try await add(id, terms, endpoint, account, own, asker)
      return EgressGrant.Result(
        id: id, url: place.url(host: terms.host), socket: place.path, token: placeholder, expiresAt: grant.expiresAt,
        account: account)
    } catch {
      policy.closed(own.id)
      records.issuedTokens.callers.closed(own.id)
      listener.release(endpoint)
      throw error
    }
  }

  private func add(
    _ id: String, _ terms: GrantTerms, _ endpoint: GrantEndpoint, _ account: String,
    _ connection: IssuedTokens.Connection, _ asker: Grant.Asker
  ) async throws(AgentError) -> (grant: Grant, placeholder: String) {
    let clock = accounts.clock
    while !Task.isCancelled {
      let generation = grants.generation
      let owner = try await accounts.sessionOwner(account)
      let until = clock.now.advanced(by: terms.lifetime)
      let expiresAt = clock.wallTime(of: until)
      let placeholder = try await placeholder(terms.form, account, end: expiresAt.unixSeconds)
      let grant = Grant(
        id: id, account: account, connection: connection, scope: terms.scope, endpoint: endpoint, host: terms.host,
        owner: owner, asker: asker, createdAt: clock.wall, expiresAt: expiresAt, until: until)
      if try grants.add(grant, since: generation, token: placeholder) { return (grant, placeholder) }
    }
    throw AgentError(.cancelled)
  }

  private func placeholder(
    _ form: PlaceholderToken.Form, _ account: String, end: Int64
  ) async throws(AgentError) -> String {
    var token: String?
    if form == .jwt {
      token = try await accounts.token(SessionToken.Params(account: account, minTTL: 0, reason: "egress")).accessToken
    }
    guard let placeholder = PlaceholderToken.make(form, accessToken: token, end: end) else {
      throw AgentError(.invalidParams, "The account's token is no JWT, or its claims are too long: use another form.")
    }
    return placeholder
  }

  /// The valid grants, oldest first.
  package func list() -> EgressList.Result {
    EgressList.Result(grants: grants.list().map { EgressList.Grant($0.grant, requests: $0.requests) })
  }

  /// Ends a grant and its streams.
  ///
  /// - Throws: `invalidParams` for an unknown id.
  package func revoke(_ id: String) throws(AgentError) {
    guard grants.end(id, .revoked) else {
      throw AgentError(
        .invalidParams, "There is no grant \(ForeignText.shown(id, limit: 40)). It may have ended.",
        hint: "ritualctl grants")
    }
  }

  /// Ends the grants whose session the configuration no longer allows to be sent, after a reload.
  package func configurationChanged() async {
    for (grant, _) in grants.list() {
      if let owner = try? await accounts.sessionOwner(grant.account), owner == grant.owner { continue }
      grants.end(grant.id, .ownerChanged)
    }
  }

  /// Ends all grants and closes the listener.
  package func close() { grants.close() }
}

extension EgressList.Grant {
  fileprivate init(_ grant: Grant, requests: UInt64) {
    self.init(
      id: grant.id, account: grant.account, methods: grant.scope?.methods.nonEmpty,
      paths: grant.scope?.paths.nonEmpty, pid: grant.asker.pid, executable: grant.asker.caller.executable,
      comm: grant.asker.caller.comm, unit: grant.asker.caller.unit, process: grant.asker.process != nil,
      createdAt: grant.createdAt,
      expiresAt: grant.expiresAt, requests: requests)
  }
}

extension [String] {
  fileprivate var nonEmpty: [String]? { isEmpty ? nil : self }
}
