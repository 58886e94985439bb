import AgentProtocol
import Logging
import Synchronization
import SystemSupport

/// A change of an account's stored state, decided inside its write gate from the state at that time.
struct Draft {
  /// What happens if the vault cannot store the change.
  enum Unstored {
    /// Nothing is applied, and the vault gets the former record again.
    case isUndone
    /// The change applies, and a later write makes up for it.
    case isKept
    /// This change applies instead.
    case becomes((inout Account, AgentError) -> Void)
  }

  /// The account with the changes so far; nil if there is none.
  private(set) var account: Account?
  /// The account's record in the vault, if `commit` was to read it.
  let stored: StoredAccount?
  /// True if the revocation of the user's other sessions is pending. It needs the account's session.
  let concernsOthers: Bool
  /// Facts about the user. Kept in memory also if they cannot be stored.
  var person: StoredPerson?
  /// Changed only in a commit inside the settings' gate. Kept in memory also if they cannot be stored.
  var settings: StoredSettings
  /// The sessions that the change ends at the server. Stored first: a crash before the account's record
  /// is written leaves a session that is ended twice, not one that is never ended.
  var revocations: [Revocation] = []
  /// The sessions that end at the server if the change is undone.
  var revocationsIfUndone: [Revocation] = []
  var ifUnstored = Unstored.isUndone
  /// True to remove the account and the facts about its user.
  var isRemoval = false
  var newName: String?
  /// What follows once the change is in memory and published.
  var then: () -> Void = {}
  private var changes: [(inout Account) -> Void] = []
  private let before: (account: StoredAccount?, isUnsaved: Bool, settings: StoredSettings)

  fileprivate init(_ account: Account?, _ settings: StoredSettings, stored: StoredAccount?, concernsOthers: Bool) {
    (self.account, self.settings, self.stored, self.concernsOthers) = (account, settings, stored, concernsOthers)
    before = (account?.stored, account?.unsaved != nil, settings)
  }

  /// Changes the account, or `new` if there is none. Runs again once the change is stored, on the account
  /// as it is then, because what is in memory only may have changed meanwhile.
  mutating func change(or new: Account? = nil, _ change: @escaping (inout Account) -> Void) {
    guard var changed = account ?? new else { return }
    change(&changed)
    account = changed
    changes.append(change)
  }

  /// The record to write. Nil if the vault holds it, or if the retry of a failed write is to write it.
  fileprivate var record: StoredAccount? {
    guard !isRemoval, let account else { return nil }
    let isDue = before.isUnsaved ? account.unsaved == nil : account.stored != before.account
    return isDue ? account.stored : nil
  }

  fileprivate var changedSettings: StoredSettings? { settings == before.settings ? nil : settings }

  /// The account of now with the changes.
  fileprivate func applied(to current: Account?, unstored error: AgentError?) -> Account? {
    guard !isRemoval, var account = current ?? account else { return nil }
    if let error, case .becomes(let change) = ifUnstored {
      change(&account, error)
    } else if current != nil {
      for change in changes { change(&account) }
    }
    return account
  }
}

enum CommitFailure: Error {
  /// The session, or the vault's lock state, is no longer the one that the change was made for.
  case superseded
  /// The change was not to be made. Nothing has happened.
  case refused(AgentError)
  /// The change could not be stored.
  case unstored(AgentError)

  func error(_ account: String) -> AgentError {
    switch self {
    case .superseded: AgentError(.vaultLocked, account: account)
    case .refused(let error), .unstored(let error): error
    }
  }
}

/// The rest of a change that could not be stored, until the vault is known to hold the former record.
struct PendingUndo {
  let withdrawn: [Revocation]
  let ended: [Revocation]
  /// The name of a rename. The vault may hold a record of it.
  let newName: String?
}

/// The accounts in memory. Changed in this file only.
struct AccountTable {
  private(set) var all: [String: Account] = [:]

  /// Takes the content of the vault; empty at a lock.
  mutating func restore(_ accounts: [Account]) {
    all = Dictionary(accounts.map { ($0.name, $0) }) { $1 }
  }

  fileprivate mutating func rename(_ old: String, to new: String) {
    all[new] = all.removeValue(forKey: old)
    all[new]?.renamed(to: new)
  }

  fileprivate mutating func replace(_ name: String, by account: Account?) { all[name] = account }

  fileprivate mutating func update<Value>(_ name: String, _ change: (inout Account) -> Value) -> Value? {
    // In place, because an account is large.
    guard let index = all.index(forKey: name) else { return nil }
    return change(&all.values[index])
  }
}

/// The only way to change what is stored about accounts.
extension Accounts {
  var accounts: [String: Account] { table.all }

  /// Changes what is in memory only.
  @discardableResult
  func update<Value>(_ name: String, _ change: (inout Account) -> Value) -> Value? { table.update(name, change) }

  /// Changes the stored state of an account: decides, stores, and then applies, publishes and announces the
  /// change, all inside the account's write gate. If the vault is locked during a write, nothing is
  /// applied, because the unlock reads what was reached.
  ///
  /// - Parameters:
  ///   - revision: of the session that the change is for; nil for the account as it is.
  ///   - hasSettings: Whether `decide` may change the settings.
  ///   - readsRecord: Whether the account's record is read from the vault first.
  ///   - decide: Sees the current state and awaits nothing. It may change at once what is in memory only.
  /// - Throws: `unstored` also for a change that became another one because it could not be stored.
  func commit<Value>(
    _ name: String, expecting revision: Revision? = nil, hasSettings: Bool = false, readsRecord: Bool = false,
    _ decide: (inout Draft) throws(AgentError) -> Value
  ) async throws(CommitFailure) -> Value {
    let gates = [name] + (hasSettings ? [Self.settingsGate] : [])
    return try await writeGate.inside(gates) { (gate: borrowing AsyncGate.Held) async throws(CommitFailure) -> Value in
      defer { changed(name) }
      let epoch = self.epoch
      let stored: StoredAccount? = if readsRecord { try? await store().load(name) } else { nil }
      // A failed rename may have left a record of the other name with this session. It is deleted before
      // this record holds another session, which a start would no longer recognise as the same account.
      if pendingUndos[name]?.contains(where: { $0.newName != nil }) == true {
        await rewrite(name, epoch, inside: gate)
      }
      let concernsOthers = await revocations.concernsOthers(of: name)
      if let revision {
        guard accounts[name]?.isCurrent(revision) == true else { throw .superseded }
      }
      let user = accounts[name]?.session?.user.id
      var draft = Draft(accounts[name], settings, stored: stored, concernsOthers: concernsOthers)
      let value: Value
      do throws(AgentError) {
        _ = try store(since: epoch)
        value = try decide(&draft)
      } catch {
        throw .refused(error)
      }
      var failure: AgentError?
      do throws(AgentError) {
        try await write(draft, of: name, epoch, inside: gate)
      } catch {
        failure = error
      }
      guard epoch == self.epoch else { throw .superseded }
      if let person = draft.person { people[name] = person }
      if let failure {
        switch draft.ifUnstored {
        case .isUndone:
          logger.error("a change of an account could not be stored", metadata: metadata(name, failure))
          await undo(draft, of: name, epoch, inside: gate)
          throw .unstored(failure)
        case .isKept:
          logger.error("an account could not be stored; it is kept in memory", metadata: metadata(name, failure))
          unwritten.insert(.account(name))
        case .becomes:
          logger.error("a session could not be stored; it is kept in memory", metadata: metadata(name, failure))
          apply(draft, to: name, failure)
          throw .unstored(failure)
        }
      }
      apply(draft, to: name, failure)
      if failure == nil, draft.record != nil || draft.isRemoval || draft.newName != nil {
        await settle(name, inside: gate)
      }
      // The token that could have ended the user's other sessions is gone.
      if concernsOthers, accounts[name]?.session?.user.id != user { _ = await revocations.takeOthers(of: name) }
      return value
    }
  }

  /// Like `commit`, with the user's error for a failure.
  func committed<Value>(
    _ name: String, hasSettings: Bool = false, _ decide: (inout Draft) throws(AgentError) -> Value
  ) async throws(AgentError) -> Value {
    do throws(CommitFailure) {
      return try await commit(name, hasSettings: hasSettings, decide)
    } catch {
      throw error.error(name)
    }
  }

  /// Writes the account's record as it is in memory, because a failed write may have left another one in the
  /// vault.
  func rewrite(_ name: String) async {
    await writeGate.inside([name]) { (gate: borrowing AsyncGate.Held) in
      await rewrite(name, epoch, inside: gate)
      changed(name)
    }
  }

  func changed(_ name: String) {
    if let account = accounts[name] { announce(account) }
    resumeIdleWaiters()
    wake.signal()
  }

  private func write(
    _ draft: Draft, of name: String, _ epoch: Revision, inside gate: borrowing AsyncGate.Held
  ) async throws(AgentError) {
    if let new = draft.newName { return try await write(draft, of: name, as: new, epoch) }
    for revocation in draft.revocations { try await store(since: epoch).save(revocation) }
    if let person = draft.person {
      await keep(.person(name), epoch) { store throws(AgentError) in try await store.save(person) }
    }
    if let record = draft.record { try await store(since: epoch).save(record) }
    if draft.isRemoval {
      try await store(since: epoch).delete(account: name)
      // Facts that are left belong to no account.
      try? await store(since: epoch).delete(person: name)
    }
    if let settings = draft.changedSettings {
      await keep(.settings, epoch) { store throws(AgentError) in try await store.save(settings) }
    }
  }

  /// Writes the records of another name. The account's own is first. While both exist, a start drops the new
  /// one (`withoutInterruptedRenames`), so that one session never has two names.
  private func write(
    _ draft: Draft, of old: String, as new: String, _ epoch: Revision
  ) async throws(AgentError) {
    guard var record = draft.account?.stored else { return }
    record.name = new
    record.renamedFrom = old
    if let person = people[old] { try await store(since: epoch).save(person.named(new)) }
    try await store(since: epoch).save(record)
    if let settings = draft.changedSettings { try await store(since: epoch).save(settings) }
    try await store(since: epoch).delete(account: old)
    // The account is renamed. A failure below leaves data that the next write or start ignores.
    record.renamedFrom = nil
    try? await store(since: epoch).save(record)
    try? await store(since: epoch).delete(person: old)
  }

  /// Performs a write that may fail, because a later one makes up for it.
  func keep(
    _ record: UnwrittenRecord, _ epoch: Revision, _ write: (SessionStore) async throws(AgentError) -> Void
  ) async {
    do throws(AgentError) {
      try await write(try store(since: epoch))
      if epoch == self.epoch { unwritten.remove(record) }
    } catch {
      if epoch == self.epoch { unwritten.insert(record) }
      logger.error("a record could not be stored", metadata: ["record": "\(record)", "kind": "\(error.kind.rawValue)"])
    }
  }

  private func apply(_ draft: Draft, to name: String, _ failure: AgentError?) {
    let old = accounts[name]
    let new = draft.applied(to: old, unstored: failure)
    // Reported before the new token is published, so that no grant of the old user gets it.
    if let old = old?.newest, let new = new?.newest, SessionOwner(old) != SessionOwner(new) {
      report(.ownerChanged(account: name))
    }
    table.replace(name, by: new)
    if let new = draft.newName { rename(name, to: new) }
    let name = draft.newName ?? name
    publish(name)
    if let changed = draft.changedSettings { apply(changed) }
    if draft.isRemoval { people[name] = nil }
    if case .becomes = draft.ifUnstored, failure != nil { return }
    draft.then()
  }

  private func rename(_ old: String, to new: String) {
    tokens.publish(nil, for: old)
    table.rename(old, to: new)
    people[new] = people.removeValue(forKey: old)?.named(new)
  }

  /// Undoes a change that could not be stored. Its own sessions end once the vault is known to hold the
  /// former record, because a failed write may leave either.
  private func undo(_ draft: Draft, of name: String, _ epoch: Revision, inside gate: borrowing AsyncGate.Held) async {
    let withdrawn = draft.revocations.filter { $0.isReplaced == true }
    pendingUndos[name, default: []].append(
      PendingUndo(withdrawn: withdrawn, ended: draft.revocationsIfUndone, newName: draft.newName))
    for revocation in draft.revocationsIfUndone { try? await store(since: epoch).save(revocation) }
    if draft.newName != nil, draft.changedSettings != nil {
      await keep(.settings, epoch) { store throws(AgentError) in try await store.save(settings) }
    }
    await rewrite(name, epoch, inside: gate)
    // A start would complete a sign-out that has just been reported as failed.
    for revocation in draft.revocations where revocation.isReplaced != true {
      try? await store(since: epoch).delete(revocation)
    }
  }

  private func rewrite(_ name: String, _ epoch: Revision, inside gate: borrowing AsyncGate.Held) async {
    do throws(AgentError) {
      let store = try store(since: epoch)
      if let account = accounts[name] {
        try await store.save(account.stored)
      } else {
        try await store.delete(account: name)
      }
      if epoch == self.epoch { await settle(name, inside: gate) }
    } catch {
      guard epoch == self.epoch else { return }
      logger.error("a failed write could not be undone yet", metadata: metadata(name, error))
      if let session = accounts[name]?.newest {
        update(name) { $0.keepUnsaved(session, error: error, now: clock.now) }
      } else {
        unwritten.insert(.account(name))
      }
    }
  }

  /// The vault holds the account's record as it is in memory.
  private func settle(_ name: String, inside gate: borrowing AsyncGate.Held) async {
    unwritten.remove(.account(name))
    if let account = accounts[name], let unsaved = account.unsaved, unsaved.accessToken == account.session?.accessToken
    {
      update(name) { $0.writtenBack() }
    }
    for undo in pendingUndos.removeValue(forKey: name) ?? [] {
      // Only now, because a failed deletion of the old record may have left the new one alone.
      if let new = undo.newName, (try? await store().delete(renamed: new, from: name)) == nil, lockState.isOpen {
        pendingUndos[name, default: []].append(PendingUndo(withdrawn: [], ended: [], newName: new))
        unwritten.insert(.account(name))
      }
      for revocation in undo.withdrawn { try? await store().delete(revocation) }
      for revocation in undo.ended { await revocations.add(revocation, isStored: false) }
    }
  }

  // MARK: - Settings

  /// The write gate of the settings, entered inside an account's, if both. Not a valid account name.
  static let settingsGate = "settings/"

  /// Changes the settings and stores them, one change at a time, so that none undoes another.
  ///
  /// - Parameter isKept: True if the change applies also if it cannot be stored. The next write, at the
  ///   latest that of a lock or a stop, makes up for it.
  func changeSettings(
    isKept: Bool = false, _ change: (inout StoredSettings) -> Void
  ) async throws(AgentError) {
    try await writeGate.inside([Self.settingsGate]) { (_: borrowing AsyncGate.Held) async throws(AgentError) in
      let store = try store()
      let epoch = self.epoch
      var changed = settings
      change(&changed)
      guard changed != settings || unwritten.contains(.settings) else { return }
      if isKept { apply(changed) }
      do throws(AgentError) {
        try await store.save(changed)
      } catch {
        // The failed write may have happened.
        if epoch == self.epoch { unwritten.insert(.settings) }
        throw error
      }
      guard epoch == self.epoch else { throw AgentError(.vaultLocked) }
      unwritten.remove(.settings)
      apply(changed)
    }
  }

  func apply(_ changed: StoredSettings) {
    settings = changed
    tokens.setDefault(changed.defaultAccount)
    tokens.setDirectories(changed.directories ?? [])
  }
}

/// Identifies the state that a request was sent for. A response applies only while that state is current.
///
/// Unique in this process, also over locks, and increasing: what was begun before a lock has a lower
/// revision than the lock.
package struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
  private static let last = Atomic<UInt64>(0)

  private let number: UInt64

  init() { number = Self.last.add(1, ordering: .relaxed).newValue }

  package var description: String { "\(number)" }

  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
