public import SystemSupport

/// A passphrase on its way to the agent. A string on the wire; in memory bytes of their own, and redacted when printed.
public struct SecretText: Codable, Sendable, Hashable, Redacted {
  /// UTF-8. Wipe what is made of them.
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

/// A kind of key. Open, since a newer agent may know more.
public struct VaultKeyKind: RawRepresentable, Codable, Sendable, Hashable {
  /// The name on the wire.
  public let rawValue: String
  /// A kind by its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let keyFile = VaultKeyKind(rawValue: "keyFile")
  public static let passphrase = VaultKeyKind(rawValue: "passphrase")
  public static let credential = VaultKeyKind(rawValue: "credential")
}

/// One of the keys that open the vault (VA-3). It holds no key.
public struct VaultKey: Codable, Sendable, Hashable {
  /// 32 hexadecimal digits: what `vault.removeKey` takes.
  public var id: String
  public var kind: VaultKeyKind
  /// What one try costs, for a passphrase: passes over the memory (Argon2id).
  public var passes: Int?
  /// What one try costs, for a passphrase: bytes of memory.
  public var memory: Int?

  public init(id: String, kind: VaultKeyKind, passes: Int? = nil, memory: Int? = nil) {
    self.id = id
    self.kind = kind
    self.passes = passes
    self.memory = memory
  }
}

/// The keys that a request presents: for a change of keys it is not enough that the vault is open.
public struct PresentKeys: Codable, Sendable, Hashable {
  /// The agent's own key file.
  public var keyFile: Bool?
  /// Other key files, by absolute paths; the agent reads them. At most as many as a vault has keys.
  public var keyFiles: [String]?
  /// The systemd credential that the agent was given.
  public var credential: Bool?
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

/// `vault.status`: all that can be said of the vault, also while it is locked.
public enum VaultStatus: AgentMethod {
  public static let name = "vault.status"
  public static let notes = MethodNotes("All that can be said of the vault, also while it is locked.", .vault)
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// `open`, `copied`, `locked` or `unavailable`.
    public var state: String
    /// Why it is locked: `hand`, `idle`, `session`, or `start` where no key was there.
    public var lockedBy: String?
    /// What opened it.
    public var openedBy: VaultKeyKind?
    /// In the order in which they were added.
    public var keys: [VaultKey]
    /// Rises with every change of keys.
    public var generation: UInt64
    /// Whether the vault is at home here: `this`, `other` or `unknown`.
    public var machine: String
    /// Whether `keys`, `generation` and `machine` were held against the vault's key; while it was never opened they are what
    /// the file says.
    public var isAuthenticated: Bool
    /// A `vault.rekey` was cut off, and goes on at the next one or the next unlock.
    public var isRekeying: Bool
    /// Files that were set aside, or left alone, and why.
    public var damaged: [VaultFinding]
    /// What each kind of key protects and what not, in words (VA-3).
    public var protection: [String]
    /// Whether the keys are kept out of swap.
    public var isMemoryLocked: Bool
    /// After how many seconds without use it is locked; absent for never.
    public var idleLock: Int?

    public init(
      state: String, lockedBy: String? = nil, openedBy: VaultKeyKind? = nil, keys: [VaultKey] = [],
      generation: UInt64 = 0, machine: String = "unknown", isAuthenticated: Bool = false, isRekeying: Bool = false,
      damaged: [VaultFinding] = [], protection: [String] = [], isMemoryLocked: Bool = true, idleLock: Int? = nil
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
      self.idleLock = idleLock
    }
  }
}

/// `vault.lock`: until `vault.unlock`, over restarts (VA-4). What was sent is finished first, for 3 s at most.
public enum VaultLock: AgentMethod {
  public static let name = "vault.lock"
  public static let notes = MethodNotes("Locks the vault until `vault.unlock`, over restarts.", .vault)
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// Whether a key file or credential opens it again: any program of the user can.
    public var opensByFile: Bool
    /// What went wrong beside it, in words: the vault is locked all the same.
    public var warning: String?

    public init(opensByFile: Bool, warning: String? = nil) {
      self.opensByFile = opensByFile
      self.warning = warning
    }
  }
}

/// `vault.unlock`: with a passphrase or another key file, or without one by the agent's own key file and the credential.
public enum VaultUnlock: AgentMethod {
  public static let name = "vault.unlock"
  public static let notes = MethodNotes("Opens the vault.", .vault)

  public struct Params: Codable, Sendable, Hashable {
    public var passphrase: SecretText?
    /// A key file in another place than the agent's own, by its absolute path.
    public var keyFile: String?

    public init(passphrase: SecretText? = nil, keyFile: String? = nil) {
      self.passphrase = passphrase
      self.keyFile = keyFile
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The key that opened it.
    public var key: VaultKey

    public init(key: VaultKey) { self.key = key }
  }
}

/// `vault.addKey`: another way to open the vault.
public enum VaultAddKey: AgentMethod {
  public static let name = "vault.addKey"
  public static let notes = MethodNotes("Adds a way to open the vault.", .vault, [.denied])

  public struct Params: Codable, Sendable, Hashable {
    public var kind: VaultKeyKind
    /// The new passphrase, for that kind.
    public var passphrase: SecretText?
    /// The new key file, made if it is not there; an absolute path.
    public var path: String?
    public var present: PresentKeys
    /// Whether the key files' slots stay beside a new passphrase; they go if not.
    public var keepKeyFile: Bool?
    /// The id of a key of the same kind whose place it takes, as in a change of passphrase: no moment with both or none.
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
    public var key: VaultKey
    /// The slots that went: the key files', or the one whose place it took.
    public var removed: [VaultKey]

    public init(key: VaultKey, removed: [VaultKey]) {
      self.key = key
      self.removed = removed
    }
  }
}

/// `vault.removeKey`: an older copy of the vault still opens with it.
public enum VaultRemoveKey: AgentMethod {
  public static let name = "vault.removeKey"
  public static let notes = MethodNotes(
    "Removes a key; an older copy of the vault still opens with it.", .vault, [.denied])
  public typealias Result = Empty

  public struct Params: Codable, Sendable, Hashable {
    public var id: String
    public var present: PresentKeys

    public init(id: String, present: PresentKeys) {
      self.id = id
      self.present = present
    }
  }
}

/// `vault.rekey`: a new master key. Every key of the vault has to be presented.
public enum VaultRekey: AgentMethod {
  public static let name = "vault.rekey"
  public static let notes = MethodNotes("A new master key; every key has to be presented.", .vault, [.denied])

  public struct Params: Codable, Sendable, Hashable {
    public var present: PresentKeys

    public init(present: PresentKeys) { self.present = present }
  }

  public struct Result: Codable, Sendable, Hashable {
    public var generation: UInt64

    public init(generation: UInt64) { self.generation = generation }
  }
}

/// What there is to say of one file of the vault.
public struct VaultFinding: Codable, Sendable, Hashable {
  /// Its name in the vault's folder, which tells nothing of what it holds.
  public var file: String
  /// `ok`, `damaged`, `newer`, `unreadable`, `setAside`, `missing` or `foreign`.
  public var state: String
  /// More, in words.
  public var detail: String?

  public init(file: String, state: String, detail: String? = nil) {
    self.file = file
    self.state = state
    self.detail = detail
  }
}

/// `vault.verify`: every file of the open vault, held against its keys. Changes nothing.
public enum VaultVerify: AgentMethod {
  public static let name = "vault.verify"
  public static let notes = MethodNotes("Holds every file of the vault against its keys.", .vault)
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// Whether every file is as the vault wrote it.
    public var isWhole: Bool
    public var files: [VaultFinding]

    public init(isWhole: Bool, files: [VaultFinding]) {
      self.isWhole = isWhole
      self.files = files
    }
  }
}

/// `vault.adopt`: the vault is at home on this machine from now on (VA-8), and its sessions are used here.
public enum VaultAdopt: AgentMethod {
  public static let name = "vault.adopt"
  public static let notes = MethodNotes("Makes a vault from another machine at home here.", .vault, .network)
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// The accounts whose sessions were taken over.
    public var accounts: [String]

    public init(accounts: [String]) { self.accounts = accounts }
  }
}
