package import AgentProtocol
import FoundationEssentials
package import SessionEngine
package import SupabaseAuth
import SystemSupport

/// The profile of an account's user, read and changed at the project's API with the
/// account's token, under the same rules as every API request.
package struct ProfileService: Sendable {
  let accounts: Accounts
  private let request: Request

  /// Sends a request to the API with the account's token. The request's `url` is a path. `isUse` is
  /// false for a request that no caller made.
  package typealias Request =
    @Sendable (_ request: APIRequest, _ account: String, _ isUse: Bool) async throws(AgentError) -> APIResponse

  package init(accounts: Accounts, request: @escaping Request) {
    self.accounts = accounts
    self.request = request
  }

  /// Reads the profile now.
  /// - Throws: the errors of `session.token`; `serviceUnavailable`, `denied` and `misconfigured` for
  ///   an API that returns no profile.
  package func get(_ params: AccountParams) async throws(AgentError) -> ProfileResult {
    let target = try await accounts.profileTarget(params.account)
    return await result(try await read(target), target)
  }

  /// Changes members of the profile. Facts that Apple reported once and the profile lacks are added,
  /// unless the caller sets them.
  /// - Throws: the errors of `get`; `invalidParams` for a change that the API rejects; `tooLarge`.
  package func update(_ params: ProfileUpdate.Params) async throws(AgentError) -> ProfileResult {
    guard !params.set.isEmpty else { throw AgentError(.invalidParams, "No fields to change were given.") }
    let target = try await accounts.profileTarget(params.account)
    let present = try await read(target)
    let prefill = present.prefill(target.firstTime, target.address.form)
    let changed = try await write(params.set, prefill, present, target)
    // An API may answer a change with an empty response.
    let now = if changed.members == nil { try await read(target) } else { changed }
    return await result(now, target)
  }

  /// Reads the profile in the background, if a token is available. A failure does not affect the
  /// session; the read is retried after the next refresh.
  func readInBackground(_ account: String) async throws(AgentError) {
    guard await accounts.wantsProfile(account) else { return }
    var target = try await accounts.profileTarget(account)
    target.isBackground = true
    do throws(AgentError) { _ = await result(try await read(target), target) } catch {
      guard error == ProfileAnswer.noAPI else { throw error }
      await accounts.profileSeen(onboarding: nil, target)
    }
  }

  private func result(_ document: ProfileDocument, _ target: ProfileTarget) async -> ProfileResult {
    await accounts.profileSeen(onboarding: document.onboarding, target)
    let prefill = document.prefill(target.firstTime, target.address.form)
    return ProfileResult(
      account: target.account, onboarding: document.onboarding, profile: document.members,
      prefill: prefill.isEmpty ? nil : prefill)
  }

  // MARK: - Requests

  private func read(_ target: ProfileTarget) async throws(AgentError) -> ProfileDocument {
    try ProfileAnswer.document(
      try await send("GET", target.address.path, nil, target), target.address.form, isDeclared: target.isDeclared)
  }

  private func write(
    _ changes: [String: JSONValue], _ prefill: [String: JSONValue], _ present: ProfileDocument, _ target: ProfileTarget
  ) async throws(AgentError) -> ProfileDocument {
    let all = prefill.merging(changes) { $1 }
    switch target.address.form {
    case .document: return try ProfileAnswer.changed(try await send("PUT", target.address.path, all, target))
    case .row where present.members != nil:
      return try ProfileAnswer.changed(try await send("PATCH", target.address.path, all, target))
    case .row: return try await insert(all, without: prefill, target)
    }
  }

  /// Creates the row. Its columns are only known once it exists, so the prefill is dropped if the
  /// table rejects it.
  private func insert(
    _ members: [String: JSONValue], without prefill: [String: JSONValue], _ target: ProfileTarget
  ) async throws(AgentError) -> ProfileDocument {
    var row = members
    row["id"] = .string(target.userID)
    let answer = try await send("POST", target.address.table, row, target)
    guard answer.status == 400, !prefill.isEmpty else { return try ProfileAnswer.changed(answer) }
    for (name, value) in prefill where row[name] == value { row[name] = nil }
    return try ProfileAnswer.changed(try await send("POST", target.address.table, row, target))
  }

  private func send(
    _ method: String, _ path: String, _ members: [String: JSONValue]?, _ target: ProfileTarget
  ) async throws(AgentError) -> APIResponse {
    var sent = APIRequest(
      method: method, url: path, headers: [("Accept", "application/json")], limit: ProfileLimits.maxSize)
    if let members {
      sent.body = (try? WireCoding.encode(members)).map { Array($0) } ?? []
      sent.headers.append(("Content-Type", "application/json"))
      // PostgREST then returns the row.
      if target.address.form == .row { sent.headers.append(("Prefer", "return=representation")) }
    }
    guard sent.body.count <= ProfileLimits.maxSize else { throw Self.tooLarge }
    do {
      return try await request(sent, target.account, !target.isBackground)
    } catch {
      throw error.kind == .tooLarge ? Self.tooLarge : error
    }
  }

  private static let tooLarge = AgentError(
    .tooLarge, "The profile is larger than \(ProfileLimits.maxSize >> 10) KiB.")
}
