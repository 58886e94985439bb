import Synchronization

/// A refusal of a service behind the gateway, in that service's own words.
struct Refusal: Error {
  let answer: Answer
}

/// A table of the project's database. `id` and `user_id` of a row are its own.
struct Table: Sendable {
  struct Row: Sendable {
    let userID: String
    var members: [String: JSON]
  }

  /// The columns that a client may write, and what they hold in a new row.
  let defaults: [String: JSON]
  /// True if a user has one row, whose `id` is the user's own.
  let isProfile: Bool
  var rows: [Row] = []
  private var lastID = 0

  init(_ defaults: [String: JSON], isProfile: Bool = false) { (self.defaults, self.isProfile) = (defaults, isProfile) }

  mutating func add(_ members: [String: JSON], for userID: String, at now: Moment) -> Row {
    lastID += 1
    var own = defaults.merging(members) { $1 }
    if !isProfile {
      own.merge(["id": .int(lastID), "user_id": .string(userID), "inserted_at": .string(now.rfc3339(digits: 6))]) { $1 }
    }
    rows.append(Row(userID: userID, members: own))
    return rows[rows.count - 1]
  }
}

/// `/rest/v1`: tables as PostgREST 12 serves them, with the row-level security policy of most tutorials: users read and
/// write their own rows, others see none. Of the query, a column with `eq.` or `is.`, `limit` and `offset` are
/// understood.
extension Backend {
  static let tables = [
    "todos": Table(["title": .null, "is_done": .bool(false)]),
    "profiles": Table(
      ["id": .null, "full_name": .null, "email": .null, "onboarding_complete": .bool(false)], isProfile: true),
  ]

  /// `GET /rest/v1/whoami`: the token's claims.
  func whoAmI(_ request: Incoming) throws -> Answer {
    guard let token = request.bearer else { throw Self.restError(401, "42501", "permission denied") }
    let claims = try restClaims(token)
    return Answer(json: ["sub": claims["sub"] ?? .null, "role": claims["role"] ?? .null, "claims": claims])
  }

  /// `GET`: an array with `Content-Range`.
  func readRows(_ request: Incoming) throws -> Answer {
    let all = rows(in: Self.table(request), of: try restUser(request), request)
    let offset = request.parameter("offset").flatMap { Int($0) } ?? 0
    let limit = request.parameter("limit").flatMap { Int($0) } ?? all.count
    return Self.rowsAnswer(200, Array(all.dropFirst(offset).prefix(limit)), offset: offset, total: all.count, request)
  }

  /// `POST`: adds one row, or an array of rows.
  func addRows(_ request: Incoming) throws -> Answer {
    let (name, userID) = (Self.table(request), try restUser(request))
    let body = try Self.body(request)
    let new = (body.array ?? [body]).map { $0.object ?? [:] }
    try Self.checkColumns(of: new, in: name)
    let isProfile = Self.tables[name]?.isProfile == true
    guard let userID, !isProfile || new.allSatisfy({ $0["id"]?.string == userID }) else {
      let words = "new row violates row-level security policy for table \"\(name)\""
      throw Self.restError(userID == nil ? 401 : 403, "42501", words)
    }
    let added = state.withLock { state -> [Table.Row]? in
      if isProfile, new.count > 1 || state.tables[name]?.rows.contains(where: { $0.userID == userID }) == true {
        return nil
      }
      let now = state.now
      return new.compactMap { state.tables[name]?.add($0, for: userID, at: now) }
    }
    guard let added else {
      throw Self.restError(409, "23505", "duplicate key value violates unique constraint \"\(name)_pkey\"")
    }
    return Self.changedAnswer(201, added, request)
  }

  /// `PATCH`: changes the rows that match.
  func changeRows(_ request: Incoming) throws -> Answer {
    let (name, userID) = (Self.table(request), try restUser(request))
    let changes = try Self.body(request).object ?? [:]
    try Self.checkColumns(of: [changes], in: name)
    return Self.changedAnswer(200, replaceRows(in: name, of: userID, request) { $0.merging(changes) { $1 } }, request)
  }

  /// `DELETE`: deletes the rows that match.
  func deleteRows(_ request: Incoming) throws -> Answer {
    Self.changedAnswer(
      200, replaceRows(in: Self.table(request), of: try restUser(request), request) { _ in nil }, request)
  }

  /// Changes or deletes the rows that match, and returns them as they are now, or were.
  private func replaceRows(
    in name: String, of userID: String?, _ request: Incoming,
    _ change: @Sendable ([String: JSON]) -> [String: JSON]?
  ) -> [Table.Row] {
    state.withLock { state in
      var (kept, touched): ([Table.Row], [Table.Row]) = ([], [])
      for var row in state.tables[name]?.rows ?? [] {
        guard row.userID == userID, Self.matches(row, request) else {
          kept.append(row)
          continue
        }
        if let members = change(row.members) {
          row.members = members
          kept.append(row)
        }
        touched.append(row)
      }
      state.tables[name]?.rows = kept
      return touched
    }
  }

  private func rows(in name: String, of userID: String?, _ request: Incoming) -> [Table.Row] {
    let all = state.withLock { $0.tables[name]?.rows ?? [] }
    return all.filter { $0.userID == userID && Self.matches($0, request) }
  }

  // MARK: - Callers

  /// Authenticates as PostgREST does; nil is the role `anon`: no token, or the public key in its place.
  private func restUser(_ request: Incoming) throws(Refusal) -> String? {
    guard let token = request.bearer else { return nil }
    let claims = try restClaims(token)
    if let id = claims["sub"]?.string, state.withLock({ $0.users[id] }) != nil { return id }
    if claims["role"] == "anon" { return nil }
    throw Self.tokenError("PGRST301", "No suitable key or wrong key type")
  }

  private func restClaims(_ token: String) throws(Refusal) -> JSON {
    do throws(APIError) {
      return try claims(ofAccessToken: token)
    } catch {
      let isExpired = error.message.hasSuffix("token is expired")
      throw isExpired
        ? Self.tokenError("PGRST303", "JWT expired") : Self.tokenError("PGRST301", "No suitable key or wrong key type")
    }
  }

  private static func tokenError(_ code: JSON, _ words: String) -> Refusal {
    var answer = restError(401, code, words).answer
    answer.headers.append(("www-authenticate", "Bearer error=\"invalid_token\", error_description=\"\(words)\""))
    return Refusal(answer: answer)
  }

  // MARK: - Requests and responses

  private static func restError(_ status: Int, _ code: JSON, _ message: String) -> Refusal {
    Refusal(
      answer: Answer(
        status: status, json: ["code": code, "details": .null, "hint": .null, "message": .string(message)]))
  }

  private static func table(_ request: Incoming) -> String { String(Route.split(request.path).last ?? "") }

  private static func body(_ request: Incoming) throws(Refusal) -> JSON {
    guard let body = try? JSON(parsing: request.body), body.object != nil || body.array != nil else {
      throw restError(400, "PGRST102", "Empty or invalid json")
    }
    return body
  }

  private static func checkColumns(of rows: [[String: JSON]], in name: String) throws(Refusal) {
    let unknown = rows.flatMap(\.keys).filter { tables[name]?.defaults[$0] == nil }.sorted().first
    guard let unknown else { return }
    throw restError(400, "PGRST204", "Could not find the '\(unknown)' column of '\(name)' in the schema cache")
  }

  private static func matches(_ row: Table.Row, _ request: Incoming) -> Bool {
    request.query.allSatisfy { name, value in
      guard let column = row.members[name], value.hasPrefix("eq.") || value.hasPrefix("is.") else { return true }
      let operand = value.dropFirst("eq.".count)
      return switch column {
      case .int(let number): operand == "\(number)"
      case .bool(let flag): operand == "\(flag)"
      case .string(let text): operand == text
      default: operand == "null"
      }
    }
  }

  private static func changedAnswer(_ status: Int, _ rows: [Table.Row], _ request: Incoming) -> Answer {
    guard request.header("prefer")?.contains("return=representation") == true else {
      return Answer(status: status == 200 ? 204 : status)
    }
    return rowsAnswer(status, rows, offset: 0, total: rows.count, request)
  }

  private static func rowsAnswer(
    _ status: Int, _ rows: [Table.Row], offset: Int, total: Int, _ request: Incoming
  ) -> Answer {
    let counted = request.header("prefer")?.contains("count=exact") == true ? "\(total)" : "*"
    let range = rows.isEmpty ? "*/\(counted)" : "\(offset)-\(offset + rows.count - 1)/\(counted)"
    var answer = Answer(status: status, json: .array(rows.map { .object($0.members) }))
    answer.headers.append(("content-range", range))
    return answer
  }
}
