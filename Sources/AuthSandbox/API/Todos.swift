import Synchronization

/// `/rest/v1/todos`, a table as PostgREST serves it, with the row-level security policy of most
/// tutorials: users read and write their own rows, others see none. Columns: `id`, `user_id`, `title`,
/// `is_done`, `inserted_at`. Of the query, `id`, `title` and `is_done` with `eq.` or `is.`, `limit` and
/// `offset` are understood.
extension Backend {
  private static let writable: Set<String> = ["title", "is_done"]

  /// `GET`: an array with `Content-Range`.
  func readTodos(_ request: Incoming) throws -> Answer {
    switch restCaller(request) {
    case .refused(let answer): return answer
    case .permitted(let userID):
      let all = todos(of: userID, request)
      let offset = request.parameter("offset").flatMap { Int($0) } ?? 0
      let limit = request.parameter("limit").flatMap { Int($0) } ?? all.count
      return Self.rowsAnswer(200, Array(all.dropFirst(offset).prefix(limit)), offset: offset, total: all.count, request)
    }
  }

  /// `POST`: adds one row, or an array of rows.
  func addTodos(_ request: Incoming) throws -> Answer {
    switch restCaller(request) {
    case .refused(let answer): return answer
    case .permitted(let userID):
      guard let body = try? JSON(parsing: request.body) else {
        return Self.restError(400, "PGRST102", "Empty or invalid json")
      }
      let new = (body.array ?? [body]).map { $0.object ?? [:] }
      if let refusal = Self.refusal(of: new) { return refusal }
      guard let userID else {
        return Self.restError(401, "42501", "new row violates row-level security policy for table \"todos\"")
      }
      let rows = state.withLock { state in
        let defaults: [String: JSON] = [
          "title": .null, "is_done": .bool(false), "inserted_at": .string(state.now.rfc3339(digits: 6)),
        ]
        return new.map { state.todos.add(defaults.merging($0) { $1 }, for: userID) }
      }
      return Self.changedAnswer(201, rows, request)
    }
  }

  /// `PATCH`: changes the rows that match.
  func changeTodos(_ request: Incoming) throws -> Answer {
    switch restCaller(request) {
    case .refused(let answer): return answer
    case .permitted(let userID):
      guard let changes = try? JSON(parsing: request.body).object else {
        return Self.restError(400, "PGRST102", "Empty or invalid json")
      }
      if let refusal = Self.refusal(of: [changes]) { return refusal }
      let ids = Set(todos(of: userID, request).map(\.id))
      return Self.changedAnswer(200, state.withLock { $0.todos.change(ids, changes) }, request)
    }
  }

  /// `DELETE`: deletes the rows that match.
  func deleteTodos(_ request: Incoming) throws -> Answer {
    switch restCaller(request) {
    case .refused(let answer): return answer
    case .permitted(let userID):
      let rows = todos(of: userID, request)
      state.withLock { $0.todos.delete(Set(rows.map(\.id))) }
      return Self.changedAnswer(200, rows, request)
    }
  }

  // MARK: - Callers and rows

  enum RESTCaller {
    /// Nil for the role `anon`.
    case permitted(String?)
    case refused(Answer)
  }

  /// Authenticates as PostgREST does.
  func restCaller(_ request: Incoming) -> RESTCaller {
    switch serviceCaller(token: request.bearer) {
    case .user(let user): .permitted(user.id)
    case .anonymous: .permitted(nil)
    case .expired: .refused(Self.tokenError("PGRST303", "JWT expired"))
    case .invalid: .refused(Self.tokenError("PGRST301", "No suitable key or wrong key type"))
    }
  }

  private static func tokenError(_ code: JSON, _ message: String) -> Answer {
    var answer = Answer(
      status: 401, json: ["code": code, "details": .null, "hint": .null, "message": .string(message)])
    answer.headers.append(("www-authenticate", "Bearer error=\"invalid_token\", error_description=\"\(message)\""))
    return answer
  }

  private func todos(of userID: String?, _ request: Incoming) -> [TodoTable.Row] {
    let own = state.withLock { $0.todos.rows }.filter { $0.userID == userID }
    return own.filter { row in
      request.query.allSatisfy { name, value in
        guard name == "id" || Self.writable.contains(name), let operand = Self.operand(value) else { return true }
        switch row.json[name] {
        case .int(let number)?: return operand == "\(number)"
        case .bool(let flag)?: return operand == "\(flag)"
        case .string(let text)?: return operand == text
        default: return operand == "null"
        }
      }
    }
  }

  private static func operand(_ value: String) -> Substring? {
    value.hasPrefix("eq.") || value.hasPrefix("is.") ? value.dropFirst("eq.".count) : nil
  }

  private static func refusal(of rows: [[String: JSON]]) -> Answer? {
    let unknown = rows.flatMap(\.keys).filter { !writable.contains($0) }.sorted().first
    return unknown.map {
      restError(400, "PGRST204", "Could not find the '\($0)' column of 'todos' in the schema cache")
    }
  }

  private static func restError(_ status: Int, _ code: JSON, _ message: String) -> Answer {
    Answer(status: status, json: ["code": code, "details": .null, "hint": .null, "message": .string(message)])
  }

  private static func changedAnswer(_ status: Int, _ rows: [TodoTable.Row], _ request: Incoming) -> Answer {
    guard request.header("prefer")?.contains("return=representation") == true else {
      return Answer(status: status == 200 ? 204 : status)
    }
    return rowsAnswer(status, rows, offset: 0, total: rows.count, request)
  }

  private static func rowsAnswer(
    _ status: Int, _ rows: [TodoTable.Row], offset: Int, total: Int, _ request: Incoming
  ) -> Answer {
    let counted = request.header("prefer")?.contains("count=exact") == true ? "\(total)" : "*"
    let range = rows.isEmpty ? "*/\(counted)" : "\(offset)-\(offset + rows.count - 1)/\(counted)"
    var answer = Answer(status: status, json: .array(rows.map(\.json)))
    answer.headers.append(("content-range", range))
    return answer
  }
}
