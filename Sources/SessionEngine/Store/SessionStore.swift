package import AgentProtocol
import FoundationEssentials
import NIOPosix
package import SessionVault

/// The decoded records of a vault.
package struct StoredRecords: Sendable {
  /// Sorted by name.
  var accounts: [StoredAccount] = []
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

/// The vault as typed records. Reads and writes run on a separate thread, so that neither the event
/// loop nor the actors wait for the disk. With one thread, records are written in the order of the
/// calls.
package struct SessionStore: Sendable {
  private static let accountPrefix = "account/"
  private static let revocationPrefix = "revocation/"
  private static let personPrefix = "person/"
  private static let settingsName = "settings"

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

  /// Reads every record in one pass. A damaged record is set aside and reported in the status; the
  /// others are loaded (VA-5).
  ///
  /// - Parameter leavesPeople: True if the users' facts are left to `loadPeople`. The names outside
  ///   the vault then tell which files need not be opened now.
  package func loadAll(leavesPeople: Bool = false) async throws(AgentError) -> StoredRecords {
    try await run { [names] vault in
      var records = StoredRecords(people: leavesPeople ? nil : [:])
      let later = leavesPeople ? names?.read().names.map { Self.personPrefix + $0 } : nil
      try vault.readRecords({ !leavesPeople || !$0.hasPrefix(Self.personPrefix) }, later: later ?? []) {
        name, content in
        switch name {
        case Self.settingsName:
          if let settings = Self.decoded(StoredSettings.self, content) { records.settings = settings }
        case _ where name.hasPrefix(Self.accountPrefix):
          if let account = Self.decoded(StoredAccount.self, content) { records.accounts.append(account) }
        case _ where name.hasPrefix(Self.revocationPrefix):
          if let revocation = Self.decoded(Revocation.self, content) { records.revocations.append(revocation) }
        case _ where name.hasPrefix(Self.personPrefix):
          if let person = Self.decoded(StoredPerson.self, content) { records.people?[person.account] = person }
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
      try vault.readRecords({ $0.hasPrefix(Self.personPrefix) }) { _, content in
        if let person = Self.decoded(StoredPerson.self, content) { people[person.account] = person }
      }
      return people
    }
  }

  func load(_ account: String) async throws(AgentError) -> StoredAccount {
    try await run { try Self.decode(StoredAccount.self, $0.load(Self.accountPrefix + account)) }
  }

  /// Durable when it returns.
  func save(_ account: StoredAccount) async throws(AgentError) {
    try await run { try $0.save(Self.encode(account), as: Self.accountPrefix + account.name) }
  }

  /// Deletes an account's record. Succeeds if there is none.
  func delete(account: String) async throws(AgentError) {
    try await run { try $0.delete(Self.accountPrefix + account) }
  }

  /// Deletes the facts about an account's user. Succeeds if there are none.
  func delete(person account: String) async throws(AgentError) {
    try await run { try $0.delete(Self.personPrefix + account) }
  }

  /// Durable when it returns.
  func save(_ person: StoredPerson) async throws(AgentError) {
    try await run { try $0.save(Self.encode(person), as: Self.personPrefix + person.account) }
  }

  func save(_ settings: StoredSettings) async throws(AgentError) {
    try await run { try $0.save(Self.encode(settings), as: Self.settingsName) }
  }

  func loadRevocations() async throws(AgentError) -> [Revocation] {
    try await run { vault in
      var revocations: [Revocation] = []
      try vault.readRecords({ $0.hasPrefix(Self.revocationPrefix) }) { _, content in
        if let revocation = Self.decoded(Revocation.self, content) { revocations.append(revocation) }
      }
      return revocations
    }
  }

  func save(_ revocation: Revocation) async throws(AgentError) {
    try await run { try $0.save(Self.encode(revocation), as: Self.revocationPrefix + revocation.id) }
  }

  func delete(_ revocation: Revocation) async throws(AgentError) {
    try await run { try $0.delete(Self.revocationPrefix + revocation.id) }
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

  /// True if the keys are kept out of swap.
  package var memoryLocked: Bool { vault.memoryLocked }

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

  private static func decoded<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
    try? decode(type, bytes)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
    try WireCoding.decode(type, from: Data(bytes))
  }
}
