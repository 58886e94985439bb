import CSystemd
import Glibc
import SessionVault
import Synchronization
import SystemSupport

/// Two pages of memfd_secret(2) that outlive the process as a descriptor: when the vault was used last, and the key that opens
/// it. The page with the key is mapped only while it is written, read or wiped. Where the kernel has no memfd_secret(2) (before
/// 5.14, off by default before 6.5) there is no such memory: a memfd could be opened again through /proc.
final class RestartMemory: Sendable {
  /// What the first page begins with: these bytes and their version.
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

  /// New memory; nil, with `errno`, where there is none. It counts as locked (RLIMIT_MEMLOCK).
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

  /// Memory that a process before this one made, and its descriptor, which is closed where it is something else: nil then.
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

  /// When the vault was used last, as the process that wrote it saw it.
  var used: BootTime {
    get { front.withLock { BootTime(nanoseconds: $0.load(fromByteOffset: 8, as: Int64.self)) } }
    set { front.withLock { $0.storeBytes(of: newValue.nanoseconds, toByteOffset: 8, as: Int64.self) } }
  }

  /// Whether the key could be written.
  func write(_ key: ProvenKey) -> Bool { withKey { key.write(to: $0) } != nil }

  /// The key; nil where there is none, or no memory for it.
  func key() -> ProvenKey? { withKey { try? ProvenKey(UnsafeRawBufferPointer($0)) } ?? nil }

  /// Overwrites the key, also for whoever still has the descriptor.
  func wipe() { _ = withKey { explicit_bzero($0.baseAddress!, $0.count) } }

  private func withKey<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result? {
    guard let start = Self.map(descriptor, at: Self.page) else { return nil }
    defer { munmap(start, Self.page) }
    return body(UnsafeMutableRawBufferPointer(start: start, count: ProvenKey.length))
  }

  /// One page, shared with whoever has the descriptor; nil with `errno`.
  private static func map(_ descriptor: Int32, at offset: Int) -> UnsafeMutableRawPointer? {
    let start = mmap(nil, page, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset))
    return start == MAP_FAILED ? nil : start
  }
}
