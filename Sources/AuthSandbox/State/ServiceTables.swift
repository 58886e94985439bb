/// The rows of the table `todos`.
struct TodoTable: Sendable {
  struct Row: Sendable {
    let id: Int
    let userID: String
    var members: [String: JSON]

    var json: JSON { .object(members.merging(["id": .int(id), "user_id": .string(userID)]) { $1 }) }
  }

  private(set) var rows: [Row] = []
  private var lastID = 0

  mutating func add(_ members: [String: JSON], for userID: String) -> Row {
    lastID += 1
    let row = Row(id: lastID, userID: userID, members: members)
    rows.append(row)
    return row
  }

  mutating func change(_ ids: Set<Int>, _ changes: [String: JSON]) -> [Row] {
    for index in rows.indices where ids.contains(rows[index].id) { rows[index].members.merge(changes) { $1 } }
    return rows.filter { ids.contains($0.id) }
  }

  mutating func delete(_ ids: Set<Int>) { rows.removeAll { ids.contains($0.id) } }
}
