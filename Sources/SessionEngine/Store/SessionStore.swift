package import AgentProtocol
import FoundationEssentials
import NIOPosix
package import SessionVault

/// The decoded records of a vault.
package struct StoredRecords: Sendable {
  /// Sorted by name.
  var accounts: [StoredAccount] = []
  /// Names of accounts whose records a later version wrote. These records are not changed.
  var laterAccounts: [String] = []
  var settings = StoredSettings()
  var revocations: [Revocation] = []
  /// The users' facts, by account; nil if they were left to `loadPeople`.
  var people: [String: StoredPerson]?

  /// Gives texts that are equal in most accounts one memory.
  fileprivate mutating func shareTexts() {
    var texts: Set<String> = []
    func shared(_ text: String) -> String { texts.insert(text).memberAfterInsert }
    for index in accounts.indices {
      guard var session = accounts[index].session else { continue }
      accounts[index].session = nil
      session.origin = shared(session.origin)
      session.apiOrigin = session.apiOrigin.map(shared)
      session.issuer = session.issuer.map(shared)
      session.received.bootID = shared(session.received.bootID)
      accounts[index].session = session
    }
  }
}

/// A record of the vault as JSON.
protocol StoredRecord: Codable, Sendable {
  /// The version of the JSON. A later version may add members without counting it up; this version
  /// would drop them on writing.
  var format: Int { get }
  var recordName: String { get }
}

extension StoredAccount: StoredRecord {
  var recordName: String { SessionStore.accountPrefix + name }
}

extension StoredPerson: StoredRecord {
  var recordName: String { SessionStore.personPrefix + account }
}

extension StoredSettings: StoredRecord {
  var recordName: String { SessionStore.settingsName }
}

extension Revocation: StoredRecord {
  var recordName: String { SessionStore.revocationPrefix + id }
}

/// The member `format` of a record's JSON, which every version can read.
package struct RecordFormat: Decodable {
  private var format: Int

  /// The format of all records that this version writes.
  package static let known = 1

  /// The fault of a record whose JSON this version cannot read.
  package static func fault(of json: some Sequence<UInt8>) -> FormatFault {
    let format = (try? WireCoding.decode(RecordFormat.self, from: Data(json)))?.format ?? known
    return format > known ? .newer(UInt32(clamping: format)) : .damaged("its content is not that of such a record")
  }
}

/// The vault as typed records. Reads and writes run on a separate thread, so that neither the event
/// loop nor the actors wait for the disk. With one thread, records are written in the order of the
/// calls.
package struct SessionStore: Sendable {
  fileprivate static let accountPrefix = "account/"
  fileprivate static let revocationPrefix = "revocation/"
  fileprivate static let personPrefix = "person/"
  fileprivate static let settingsName = "settings"

  private let vault: Vault
  private let names: AccountNamesFile?
  private let thread: NIOThreadPool

  /// Starts the vault's thread, which `close` ends. `names` stores the account names outside the
  /// vault.
  package init(_ vault: Vault, names: AccountNamesFile? = nil) {
    self.vault = vault
    self.names = names
    thread = NIOThreadPool(numberOfThreads: 1)
    thread.start()
  }

  /// Reads every record in one pass. A record that is damaged or does not decode is set aside and
  /// reported in the status; the others are loaded.
  ///
  /// - Parameter leavesPeople: True if the users' facts are left to `loadPeople`. The names outside
  ///   the vault then tell which files need not be opened now.
  package func loadAll(leavesPeople: Bool = false) async throws(AgentError) -> StoredRecords {
    try await run { [names] vault in
      var records = StoredRecords(people: leavesPeople ? nil : [:])
      let later = leavesPeople ? names?.read().names.map { Self.personPrefix + $0 } : nil
      try vault.readRecords({ !leavesPeople || !$0.hasPrefix(Self.personPrefix) }, later: later ?? []) {
        (name, content) throws(FormatFault) in
        switch name {
        case Self.settingsName: records.settings = try Self.decoded(StoredSettings.self, name, content)
        case _ where name.hasPrefix(Self.accountPrefix):
          do throws(FormatFault) {
            records.accounts.append(try Self.decoded(StoredAccount.self, name, content))
          } catch {
            if case .newer = error { records.laterAccounts.append(String(name.dropFirst(Self.accountPrefix.count))) }
            throw error
          }
        case _ where name.hasPrefix(Self.revocationPrefix):
          records.revocations.append(try Self.decoded(Revocation.self, name, content))
        case _ where name.hasPrefix(Self.personPrefix):
          let person = try Self.decoded(StoredPerson.self, name, content)
          records.people?[person.account] = person
        default: break
        }
      }
      records.shareTexts()
      // The order of the files depends on the vault's key.
      records.accounts.sort { $0.name < $1.name }
      return records
    }
  }

  /// The users' facts, by account, for `loadAll(leavesPeople: true)`.
  func loadPeople() async throws(AgentError) -> [String: StoredPerson] {
    try await run { vault in
      var people: [String: StoredPerson] = [:]
      try vault.readRecords({ $0.hasPrefix(Self.personPrefix) }) { (name, content) throws(FormatFault) in
        let person = try Self.decoded(StoredPerson.self, name, content)
        people[person.account] = person
      }
      return people
    }
  }

  func load(_ account: String) async throws(AgentError) -> StoredAccount {
    let name = Self.accountPrefix + account
    return try await run { vault in
      try vault.load(name, as: { (content) throws(FormatFault) in try Self.decoded(StoredAccount.self, name, content) })
    }
  }

  /// Durable when it returns.
  func save(_ record: some StoredRecord) async throws(AgentError) {
    try await run { try $0.save(Self.encode(record), as: record.recordName) }
  }

  /// Deletes an account's record. Succeeds if there is none.
  func delete(account: String) async throws(AgentError) {
    try await run { try $0.delete(Self.accountPrefix + account) }
  }

  /// Deletes the record that a rename of `old` left under another name, unless that name is another account's by now.
  func delete(renamed name: String, from old: String) async throws(AgentError) {
    let record = Self.accountPrefix + name
    try await run { vault in
      // A write that failed may have happened, which the vault does not know.
      if vault.names().contains(record) {
        let found = try vault.load(record) { (content) throws(FormatFault) in
          try Self.decoded(StoredAccount.self, record, content)
        }
        guard found.renamedFrom == old else { return }
      }
      try vault.delete(record)
    }
  }

  /// Deletes the facts about an account's user. Succeeds if there are none.
  func delete(person account: String) async throws(AgentError) {
    try await run { try $0.delete(Self.personPrefix + account) }
  }

  func delete(_ revocation: Revocation) async throws(AgentError) {
    try await run { try $0.delete(revocation.recordName) }
  }

  /// Stores the account names outside the vault, for a start with a locked vault.
  func remember(_ known: KnownAccounts) async throws {
    guard let names else { return }
    try await onDiskThread { try names.write(known) }
  }

  /// Runs blocking disk work on the vault's thread, in order with the records.
  package func onDiskThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await thread.runWhole(body)
  }

  /// Completes pending work, then wipes the keys. Until the unlock, every call throws
  /// `vaultLocked`.
  package func lock() async {
    let vault = vault
    try? await thread.runWhole { vault.lock() }
  }

  /// Makes the vault belong to this machine.
  package func adopt() async throws(AgentError) { try await run { try $0.adopt() } }

  /// Names of files set aside as damaged.
  package var damaged: [String] { vault.damaged.map(\.file) }

  /// Why the keys may reach swap, as an errno; nil if they cannot.
  package var memoryLockError: Int32? { vault.memoryLockError }

  /// Waits for the running call, ends the thread, and wipes the keys. Queued and later calls fail.
  package func close() async {
    // A pool that shuts down cancels what waits in its queue.
    try? await thread.runWhole {}
    try? await thread.shutdownGracefully()
    vault.close()
  }

  package func run<Result: Sendable>(
    _ body: @escaping @Sendable (Vault) throws -> Result
  ) async throws(AgentError) -> Result {
    let vault = vault
    do {
      return try await thread.runWhole { try body(vault) }
    } catch let error as AgentError {
      throw error
    } catch {
      throw AgentError.from(vault: error)
    }
  }

  static func encode(_ value: some Encodable) throws -> [UInt8] { [UInt8](try WireCoding.encode(value)) }

  /// Decodes the content of the record `name`.
  ///
  /// - Throws: The fault, for which the vault sets the record aside, or leaves it unchanged if a later
  ///   version wrote it.
  private static func decoded<Value: StoredRecord>(
    _ type: Value.Type, _ name: String, _ bytes: [UInt8]
  ) throws(FormatFault) -> Value {
    if let value = try? decode(type, bytes), value.format == RecordFormat.known, value.recordName == name {
      return value
    }
    throw RecordFormat.fault(of: bytes)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
    try WireCoding.decode(type, from: Data(bytes))
  }
}
