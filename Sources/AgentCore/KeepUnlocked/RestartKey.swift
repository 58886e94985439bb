import AgentServer
import CSystemd
import Glibc
import Logging
import SessionVault
import Synchronization
import SystemSupport

/// `[vault] keep_unlocked_over_restart`: the key of a vault that opens only by a passphrase, in
/// memory that the service manager keeps for the next start (docs/lock-and-sleep.md). A lock
/// or a full stop removes it. Thread-safe.
final class RestartKey: Sendable {
  /// The `FDNAME=` of the memory. A descriptor passed under this name is not a socket.
  static let name = "vault-key"

  private struct State {
    var memory: RestartMemory?
    /// The slot that the kept key opens.
    var slot: String?
  }

  private let notifier: Notifier
  private let clock: any AgentClock
  private let logger: Logger
  private let state = Mutex(State())

  init(_ notifier: Notifier = Notifier(), clock: any AgentClock, logger: Logger) {
    self.notifier = notifier
    self.clock = clock
    self.logger = logger
  }

  /// The reason why no key can be kept; nil if there is none.
  var obstacle: String? {
    if !notifier.isManagerPresent { return "no service manager can store the key; start the agent as a systemd unit" }
    if !RestartMemory.isAvailable {
      return "memfd_secret(2) is not available (needs Linux 6.5 or later, or the kernel parameter secretmem.enable=1)"
    }
    return nil
  }

  /// The time of the vault's last use, also before this start; nil if no key is kept.
  var lastUsed: BootTime? { state.withLock { $0.memory?.lastUsed } }

  /// Takes over what the manager passed; the first descriptor counts. Returns the key if the
  /// setting is on and the vault was used within `idleTime`. Otherwise the key is forgotten.
  func takeBack(_ passed: [PassedSocket], isOn: Bool, idleTime: Duration?) -> ProvenKey? {
    let descriptors = passed.filter { $0.name == Self.name }.map(\.descriptor)
    guard let first = descriptors.first else { return nil }
    for surplus in descriptors.dropFirst() { close(surplus) }
    guard let memory = RestartMemory(taking: first), let key = memory.key() else {
      drop("it is not the stored key")
      return nil
    }
    state.withLock { $0 = State(memory: memory, slot: key.slot) }
    guard isOn else { return refuse("keep_unlocked_over_restart is off") }
    // The time is of this boot, because the manager has kept it in memory. A time in the future was
    // not written by an agent.
    let unused = memory.lastUsed.duration(to: clock.now)
    guard unused >= .zero, idleTime.map({ unused < $0 }) ?? true else {
      return refuse("the vault was not used within the idle timeout")
    }
    return key
  }

  private func refuse(_ reason: String) -> ProvenKey? {
    forget(reason)
    return nil
  }

  /// Gives `key` to the manager, instead of an earlier key.
  func keep(_ key: ProvenKey) {
    if let obstacle {
      return logger.warning("the vault will be locked after a restart", metadata: ["reason": "\(obstacle)"])
    }
    forget(nil)
    guard let memory = RestartMemory(), memory.write(key) else {
      return logger.warning(
        "the vault will be locked after a restart: no memory could be allocated", metadata: ["errno": "\(errno)"])
    }
    memory.lastUsed = clock.now
    state.withLock { $0 = State(memory: memory, slot: key.slot) }
    notifier.keep(memory.descriptor, as: Self.name)
    logger.notice(
      "the service manager stores the vault's key for a restart",
      metadata: ["memory": "memfd_secret"])
  }

  /// Records the time of the vault's last use.
  func note(used: BootTime) { state.withLock { $0.memory?.lastUsed = used } }

  /// Forgets the kept key, unless its slot is among `slots`.
  func keepOnly(_ slots: [String]) {
    if let slot = state.withLock({ $0.slot }), !slots.contains(slot) { forget("the vault no longer has this key") }
  }

  /// Overwrites the key, here and for the manager, and makes the manager close its copy. A `reason`
  /// is logged.
  func forget(_ reason: String?) {
    let memory = state.withLock { state in
      defer { state = State() }
      return state.memory
    }
    guard let memory else { return }
    memory.wipe()
    drop(reason)
  }

  private func drop(_ reason: String?) {
    notifier.drop(Self.name)
    if let reason {
      logger.info("the key stored for a restart was dropped", metadata: ["reason": "\(reason)"])
    }
  }
}

/// Two pages of memfd_secret(2) that outlive the process as a descriptor: the time of the vault's
/// last use, and the key that opens it. The page with the key is mapped only while it is written,
/// read or wiped. A kernel without memfd_secret(2) (before 5.14, off by default before 6.5) has no
/// such memory: a memfd could be opened again through /proc.
final class RestartMemory: Sendable {
  /// The start of the first page: these bytes and their version.
  private static let magic: UInt64 = 0x3154_5045_4b54_4952  // "RITKEPT1"

  /// True if the kernel has memfd_secret(2) and this process may use it.
  static let isAvailable: Bool = {
    let descriptor = ritual_memfd_secret(UInt32(O_CLOEXEC))
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }()

  /// The memory's descriptor, owned by this object.
  let descriptor: Int32
  private let front: Mutex<UnsafeMutableRawPointer>
  private static let page = sysconf(Int32(_SC_PAGESIZE))

  /// Allocates new memory, which counts as locked (RLIMIT_MEMLOCK). Nil, with `errno`, on failure.
  convenience init?() {
    let descriptor = ritual_memfd_secret(UInt32(O_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    guard ftruncate(descriptor, off_t(2 * Self.page)) == 0, let front = Self.map(descriptor, at: 0) else {
      let reason = errno
      close(descriptor)
      errno = reason
      return nil
    }
    front.storeBytes(of: Self.magic, as: UInt64.self)
    self.init(descriptor, front)
  }

  /// Takes over the memory that an earlier process made. A descriptor of anything else is closed,
  /// and the result is nil.
  convenience init?(taking descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 2 * Self.page,
      let front = Self.map(descriptor, at: 0)
    else {
      close(descriptor)
      return nil
    }
    guard front.load(as: UInt64.self) == Self.magic else {
      munmap(front, Self.page)
      close(descriptor)
      return nil
    }
    self.init(descriptor, front)
  }

  private init(_ descriptor: Int32, _ front: sending UnsafeMutableRawPointer) {
    self.descriptor = descriptor
    self.front = Mutex(front)
  }

  deinit {
    front.withLock { _ = munmap($0, Self.page) }
    close(descriptor)
  }

  /// The time of the vault's last use, as the writing process recorded it.
  var lastUsed: BootTime {
    get { front.withLock { BootTime(nanoseconds: $0.load(fromByteOffset: 8, as: Int64.self)) } }
    set { front.withLock { $0.storeBytes(of: newValue.nanoseconds, toByteOffset: 8, as: Int64.self) } }
  }

  /// Writes the key. Returns false if that failed.
  func write(_ key: ProvenKey) -> Bool { withKey { key.write(to: $0) } != nil }

  /// Reads the key; nil if there is none, or no memory for it.
  func key() -> ProvenKey? { withKey { try? ProvenKey(UnsafeRawBufferPointer($0)) } ?? nil }

  /// Overwrites the key, also for other holders of the descriptor.
  func wipe() { _ = withKey { explicit_bzero($0.baseAddress!, $0.count) } }

  private func withKey<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result? {
    guard let start = Self.map(descriptor, at: Self.page) else { return nil }
    defer { munmap(start, Self.page) }
    return body(UnsafeMutableRawBufferPointer(start: start, count: ProvenKey.length))
  }

  /// Maps one page, shared with other holders of the descriptor; nil, with `errno`, on failure.
  private static func map(_ descriptor: Int32, at offset: Int) -> UnsafeMutableRawPointer? {
    let start = mmap(nil, page, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset))
    return start == MAP_FAILED ? nil : start
  }
}
