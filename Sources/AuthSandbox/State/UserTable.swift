/// The users, by id, in the order of their creation.
struct UserTable: Sendable {
  private(set) var order: [String] = []
  private var records: [String: UserRecord] = [:]

  var all: [UserRecord] { order.compactMap { records[$0] } }

  subscript(id: String) -> UserRecord? {
    get { records[id] }
    set {
      if newValue != nil, records[id] == nil { order.append(id) }
      if newValue == nil { order.removeAll { $0 == id } }
      records[id] = newValue
    }
  }

  /// Addresses are kept in lower case, as the real server does.
  func withEmail(_ email: String) -> UserRecord? {
    email.isEmpty ? nil : all.first { $0.email == email.lowercased() }
  }

  func withIdentity(provider: String, subject: String) -> UserRecord? {
    all.first { user in user.identities.contains { $0.provider == provider && $0.subject == subject } }
  }

  /// Users that own the address, by their own field or by one of their identities.
  func similar(toEmail email: String) -> [UserRecord] {
    all.filter { user in user.email == email || user.identities.contains { $0.email == email } }
  }

  mutating func update(_ id: String, _ change: (inout UserRecord) -> Void) {
    if var record = records[id] {
      change(&record)
      records[id] = record
    }
  }
}
