import Synchronization

/// The table `profiles` as PostgREST serves it, under the usual row policy: each user sees and changes the row whose `id` is
/// their own (PostgREST 12, "Tables and Views": reading, updating, inserting, `Prefer: return=representation`).
extension Backend {
  private static let columns: Set<String> = ["id", "full_name", "email", "onboarding_complete"]

  /// `GET /rest/v1/profiles?id=eq.UUID`: an array, empty where no row matches or may be seen.
  func readRows(_ request: Incoming) async throws -> Answer {
    switch await tableUser(request) {
    case .refused(let answer): answer
    case .user(let user, _): Answer(json: .array(rows(of: user, request)))
    }
  }

  /// `PATCH`: the changed rows, or 204 without `return=representation`.
  func changeRows(_ request: Incoming) async throws -> Answer {
    switch await tableUser(request) {
    case .refused(let answer): return answer
    case .user(let user, _):
      guard let changes = try? JSON(parsing: request.body).object else { return Self.badBody }
      if let refusal = Self.unknownColumn(in: changes) { return refusal }
      guard !rows(of: user, request).isEmpty else { return representation([], 200, request) }
      state.withLock { $0.rows[user.id]?.merge(changes) { $1 } }
      return representation(rows(of: user, request), 200, request)
    }
  }

  /// `POST`: one row; 409 for a second one, 403 for another user's.
  func addRow(_ request: Incoming) async throws -> Answer {
    switch await tableUser(request) {
    case .refused(let answer): return answer
    case .user(let user, _):
      guard let row = try? JSON(parsing: request.body).object else { return Self.badBody }
      if let refusal = Self.unknownColumn(in: row) { return refusal }
      guard row["id"]?.string == user.id else {
        return Self.failure(403, "42501", "new row violates row-level security policy for table \"profiles\"")
      }
      let isNew = state.withLock { state in
        guard state.rows[user.id] == nil else { return false }
        let empty: [String: JSON] = ["full_name": .null, "email": .null, "onboarding_complete": .bool(false)]
        state.rows[user.id] = empty.merging(row) { $1 }
        return true
      }
      guard isNew else {
        return Self.failure(409, "23505", "duplicate key value violates unique constraint \"profiles_pkey\"")
      }
      return representation(rows(of: user, request), 201, request)
    }
  }

  private func rows(of user: UserRecord, _ request: Incoming) -> [JSON] {
    if let filter = request.parameter("id"), filter != "eq." + user.id { return [] }
    return state.withLock { $0.rows[user.id] }.map { [JSON.object($0)] } ?? []
  }

  private func representation(_ rows: [JSON], _ status: Int, _ request: Incoming) -> Answer {
    let wantsRows = request.header("prefer")?.contains("return=representation") == true
    return wantsRows ? Answer(status: status, json: .array(rows)) : Answer(status: status == 200 ? 204 : status)
  }

  /// As `apiUser`, with PostgREST's refusals.
  private func tableUser(_ request: Incoming) async -> APICaller {
    let caller = await apiUser(request)
    guard case .refused = caller else { return caller }
    return .refused(Self.failure(401, "PGRST301", "JWSError JWSInvalidSignature"))
  }

  private static let badBody = failure(400, "PGRST102", "Empty or invalid json")

  private static func unknownColumn(in members: [String: JSON]) -> Answer? {
    guard let name = members.keys.sorted().first(where: { !columns.contains($0) }) else { return nil }
    return failure(
      400, "PGRST204", "Could not find the '\(name)' column of 'profiles' in the schema cache")
  }

  private static func failure(_ status: Int, _ code: String, _ message: String) -> Answer {
    Answer(
      status: status, json: ["code": .string(code), "details": .null, "hint": .null, "message": .string(message)])
  }
}
