public import SystemSupport

/// A passphrase for the agent. A string on the wire; bytes in memory, redacted when printed.
public struct SecretText: Codable, Sendable, Hashable, Redacted {
  /// The passphrase in UTF-8. Wipe every copy.
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) { self.bytes = bytes }
  public init(_ text: String) { bytes = Array(text.utf8) }

  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(decoding: bytes, as: UTF8.self))
  }
}

/// The kind of a vault key. A newer agent may send other values.
public struct VaultKeyKind: RawRepresentable, Codable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A file with a random key.
  public static let keyFile = VaultKeyKind(rawValue: "keyFile")
  /// A passphrase that a person types.
  public static let passphrase = VaultKeyKind(rawValue: "passphrase")
  /// A systemd credential of the agent's service.
  public static let credential = VaultKeyKind(rawValue: "credential")
}

/// A key that unlocks the vault. Contains no key material.
public struct VaultKey: Codable, Sendable, Hashable {
  /// 32 hexadecimal digits, for `vault.removeKey`.
  public var id: String
  /// The kind of the key.
  public var kind: VaultKeyKind
  /// For a passphrase, the number of Argon2id passes for each attempt.
  public var passes: Int?
  /// For a passphrase, the Argon2id memory for each attempt, in bytes.
  public var memory: Int?

  public init(id: String, kind: VaultKeyKind, passes: Int? = nil, memory: Int? = nil) {
    self.id = id
    self.kind = kind
    self.passes = passes
    self.memory = memory
  }
}

/// The keys that a request presents. An open vault alone does not authorize a change of keys.
public struct PresentKeys: Codable, Sendable, Hashable {
  /// Presents the agent's own key file.
  public var keyFile: Bool?
  /// Absolute paths of other key files, which the agent reads. At most as many as a vault can have
  /// keys.
  public var keyFiles: [String]?
  /// Presents the systemd credential that was passed to the agent.
  public var credential: Bool?
  /// The passphrases of the vault.
  public var passphrases: [SecretText]?

  public init(
    keyFile: Bool? = nil, keyFiles: [String]? = nil, credential: Bool? = nil, passphrases: [SecretText]? = nil
  ) {
    self.keyFile = keyFile
    self.keyFiles = keyFiles
    self.credential = credential
    self.passphrases = passphrases
  }
}

/// `vault.status`: returns the vault's status, also while the vault is locked.
public enum VaultStatus: AgentMethod {
  public static let name = "vault.status"
  public static let notes = MethodNotes("Returns the vault's status, even while locked.", .vault)
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// `open`, `copied`, `locked` or `unavailable`.
    public var state: String
    /// Why the vault is locked: `hand`, `idle`, `session`, or `start` if no key was available.
    public var lockedBy: String?
    /// The kind of key that opened the vault.
    public var openedBy: VaultKeyKind?
    /// The keys, in the order in which they were added.
    public var keys: [VaultKey]
    /// Increases with every change of keys.
    public var generation: UInt64
    /// Whether the vault belongs to this machine: `this`, `other` or `unknown`.
    public var machine: String
    /// Whether `keys`, `generation` and `machine` were authenticated with the vault's key. Until
    /// the vault is first opened, they are unverified values from its file.
    public var isAuthenticated: Bool
    /// Whether a `vault.rekey` was interrupted. The next `vault.rekey` or unlock continues it.
    public var isRekeying: Bool
    /// Files that were set aside or ignored, and why.
    public var damaged: [VaultFinding]
    /// Readable statements of what each kind of key protects and what it does not.
    public var protection: [String]
    /// Whether the keys cannot be swapped out: they are locked in memory, or there is no swap.
    public var isMemoryLocked: Bool
    /// Why they can, and what to do.
    public var memoryWarning: String?
    /// Idle time before locking, in seconds; absent means never.
    public var idleLock: Int?

    public init(
      state: String, lockedBy: String? = nil, openedBy: VaultKeyKind? = nil, keys: [VaultKey] = [],
      generation: UInt64 = 0, machine: String = "unknown", isAuthenticated: Bool = false, isRekeying: Bool = false,
      damaged: [VaultFinding] = [], protection: [String] = [], isMemoryLocked: Bool = true,
      memoryWarning: String? = nil, idleLock: Int? = nil
    ) {
      self.state = state
      self.lockedBy = lockedBy
      self.openedBy = openedBy
      self.keys = keys
      self.generation = generation
      self.machine = machine
      self.isAuthenticated = isAuthenticated
      self.isRekeying = isRekeying
      self.damaged = damaged
      self.protection = protection
      self.isMemoryLocked = isMemoryLocked
      self.memoryWarning = memoryWarning
      self.idleLock = idleLock
    }
  }
}

/// `vault.lock`: locks the vault until `vault.unlock`, also across restarts. Requests in
/// flight have at most 3 s to finish first.
public enum VaultLock: AgentMethod {
  public static let name = "vault.lock"
  public static let notes = MethodNotes("Locks the vault until `vault.unlock`, across restarts.", .vault)
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// Whether a key file or credential opens the vault again, so that any program of the user can
    /// unlock it.
    public var opensByFile: Bool
    /// A readable problem that did not prevent the lock.
    public var warning: String?

    public init(opensByFile: Bool, warning: String? = nil) {
      self.opensByFile = opensByFile
      self.warning = warning
    }
  }
}

/// `vault.unlock`: opens the vault with a passphrase or another key file; without either, with the
/// agent's own key file and the credential.
public enum VaultUnlock: AgentMethod {
  public static let name = "vault.unlock"
  public static let notes = MethodNotes("Unlocks the vault.", .vault)

  public struct Params: Codable, Sendable, Hashable {
    /// The passphrase, if one opens the vault.
    public var passphrase: SecretText?
    /// The absolute path of a key file other than the agent's own.
    public var keyFile: String?

    public init(passphrase: SecretText? = nil, keyFile: String? = nil) {
      self.passphrase = passphrase
      self.keyFile = keyFile
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The key that opened the vault.
    public var key: VaultKey

    public init(key: VaultKey) { self.key = key }
  }
}

/// `vault.addKey`: adds a key that opens the vault.
public enum VaultAddKey: AgentMethod {
  public static let name = "vault.addKey"
  public static let notes = MethodNotes("Adds a key to the vault.", .vault, [.denied])

  public struct Params: Codable, Sendable, Hashable {
    /// The kind of the new key.
    public var kind: VaultKeyKind
    /// The new passphrase, for kind `passphrase`.
    public var passphrase: SecretText?
    /// The absolute path of the new key file, which is created if it does not exist.
    public var path: String?
    /// At least one key of the vault, which authorizes the change.
    public var present: PresentKeys
    /// Whether the slots of key files are kept when a passphrase is added; otherwise they are
    /// removed.
    public var keepKeyFile: Bool?
    /// The id of a key of the same kind that the new key replaces atomically, as in a change of
    /// passphrase.
    public var replaces: String?

    public init(
      kind: VaultKeyKind, passphrase: SecretText? = nil, path: String? = nil, present: PresentKeys,
      keepKeyFile: Bool? = nil, replaces: String? = nil
    ) {
      self.kind = kind
      self.passphrase = passphrase
      self.path = path
      self.present = present
      self.keepKeyFile = keepKeyFile
      self.replaces = replaces
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The added key.
    public var key: VaultKey
    /// The removed slots: those of key files, or the replaced one.
    public var removed: [VaultKey]

    public init(key: VaultKey, removed: [VaultKey]) {
      self.key = key
      self.removed = removed
    }
  }
}

/// `vault.removeKey`: removes a key. An older copy of the vault still opens with the removed key.
public enum VaultRemoveKey: AgentMethod {
  public static let name = "vault.removeKey"
  public static let notes = MethodNotes(
    "Removes a key; older copies of the vault still open with it.", .vault, [.denied])
  public typealias Result = Empty

  public struct Params: Codable, Sendable, Hashable {
    /// The id of the key to remove.
    public var id: String
    /// At least one key of the vault, which authorizes the change.
    public var present: PresentKeys

    public init(id: String, present: PresentKeys) {
      self.id = id
      self.present = present
    }
  }
}

/// `vault.rekey`: replaces the master key. The request must present every key of the vault.
public enum VaultRekey: AgentMethod {
  public static let name = "vault.rekey"
  public static let notes = MethodNotes("Creates a new master key; requires every key.", .vault, [.denied])

  public struct Params: Codable, Sendable, Hashable {
    /// Every key of the vault.
    public var present: PresentKeys

    public init(present: PresentKeys) { self.present = present }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The vault's generation after the change.
    public var generation: UInt64

    public init(generation: UInt64) { self.generation = generation }
  }
}

/// The result of checking one file of the vault.
public struct VaultFinding: Codable, Sendable, Hashable {
  /// The file's name in the vault's directory, which reveals nothing about its content.
  public var file: String
  /// `ok`, `damaged`, `newer`, `unreadable`, `setAside`, `missing` or `foreign`.
  public var state: String
  /// Readable details.
  public var detail: String?

  public init(file: String, state: String, detail: String? = nil) {
    self.file = file
    self.state = state
    self.detail = detail
  }
}

/// `vault.verify`: checks every file of the open vault against its keys. Changes nothing.
public enum VaultVerify: AgentMethod {
  public static let name = "vault.verify"
  public static let notes = MethodNotes("Verifies the vault's files with its keys.", .vault)
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// Whether every file is unchanged since the vault wrote it.
    public var isWhole: Bool
    /// Every file of the vault, with the result of its check.
    public var files: [VaultFinding]

    public init(isWhole: Bool, files: [VaultFinding]) {
      self.isWhole = isWhole
      self.files = files
    }
  }
}

/// `vault.adopt`: makes this machine the vault's machine, so that the vault's sessions are
/// used here.
public enum VaultAdopt: AgentMethod {
  public static let name = "vault.adopt"
  public static let notes = MethodNotes("Adopts a vault that was copied from another machine.", .vault, .network)
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// The accounts whose sessions are now used here.
    public var accounts: [String]

    public init(accounts: [String]) { self.accounts = accounts }
  }
}
