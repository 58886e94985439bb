import Glibc
import Synchronization
import SystemSupport

/// The storage of a vault's files. The files are sealed before they reach the storage and never
/// contain a secret in plaintext; the storage only has to keep them intact. All calls block and may
/// come from any thread; between `acquire` and `release` they are serialized.
public protocol VaultStorage: Sendable {
  /// The location, for messages.
  var place: String { get }

  /// Acquires the storage exclusively for this vault, after checking that it is safe. Throws
  /// `.inUse` if another vault holds it.
  func acquire() throws(VaultError)

  /// Releases the storage. No error if it was not acquired.
  func release()

  /// Returns the names of all files.
  func list() throws(VaultError) -> [String]

  /// Returns the bytes of one copy of a file. Throws `.notFound`, or `.tooLarge` above
  /// `VaultFormat.maxFileSize`.
  func read(_ copy: String) throws(VaultError) -> [UInt8]

  /// Creates or replaces both copies of a file; durable on return. After an error the first copy is
  /// the old or the new file, intact. The second copy is identical on return, or absent if it could
  /// not be replaced.
  func write(_ bytes: [UInt8], to file: String) throws(VaultError)

  /// Creates or replaces one copy of a file, durably.
  func restore(_ bytes: [UInt8], to copy: String) throws(VaultError)

  /// Removes the second copy of a file, then the first, durably. No error if the file does not
  /// exist.
  func remove(_ file: String) throws(VaultError)

  /// Renames one copy to the first free `COPY.damaged-N`, N = 1, 2 …, and returns that name. The
  /// content is unchanged.
  func setAside(_ copy: String) throws(VaultError) -> String
}

/// A vault's files in a directory: directory 0700, files 0600, each write atomic and durable.
/// Modes, owners and file types are checked first, and a lock file excludes a second
/// process.
public final class DirectoryStorage: VaultStorage {
  /// The file held with flock(2) while the vault is open. It is never removed, because a lock on a
  /// removed file excludes no one.
  static let lockFile = "lock"
  /// The prefix of temporary files. `acquire` removes those left by a crash.
  static let stagedPrefix = ".staged-"

  /// The directory's path.
  public let place: String
  private let opened = Mutex<Opened?>(nil)

  private struct Opened {
    let folder: CheckedDirectory
    let lock: Int32
  }

  /// Creates a storage for the directory at `path`. `acquire` creates the directory and its missing
  /// parents.
  public init(path: String) {
    place = TrustedPath.split(path).whole
  }

  deinit { release() }

  /// Checks the directory, its parents and every file in it, takes the lock, and removes temporary
  /// files left by a crash.
  public func acquire() throws(VaultError) {
    try opened.withLock { (opened) throws(VaultError) in
      guard opened == nil else { throw inUse() }
      let folder = try CheckedDirectory(place, .ours, creating: true)
      let names = try folder.names()
      for name in names { try folder.requirePrivate(name) }
      let lock = try takeLock(folder, names)
      opened = Opened(folder: folder, lock: lock)
    }
  }

  /// Closes the directory and releases the lock.
  public func release() {
    opened.withLock { opened in
      if let lock = opened?.lock {
        FileCalls.unlock(lock)
        FileCalls.close(lock)
      }
      opened = nil
    }
  }

  /// Returns the names of all files except the lock file and temporary files.
  public func list() throws(VaultError) -> [String] {
    try folder().names().filter { $0 != Self.lockFile && !$0.hasPrefix(Self.stagedPrefix) }
  }

  /// Returns a file's bytes, after the checks of `FileRules`.
  public func read(_ file: String) throws(VaultError) -> [UInt8] {
    try folder().contents(of: file, limit: VaultFormat.maxFileSize, refusal: "is too large for a vault file")
  }

  /// Writes both copies to temporary files, syncs both, renames the first, renames the second, and
  /// syncs the directory.
  public func write(_ bytes: [UInt8], to file: String) throws(VaultError) {
    let folder = try folder()
    for copy in DoubledFile.copies(of: file) { try folder.requirePrivate(copy) }
    try staging(bytes) { (buffer) throws(VaultError) in
      try StagedPair(buffer, in: folder, prefix: Self.stagedPrefix).replace(file)
    }
  }

  /// Writes to a temporary file, syncs it, renames it, and syncs the directory.
  public func restore(_ bytes: [UInt8], to copy: String) throws(VaultError) {
    let folder = try folder()
    try folder.requirePrivate(copy)
    try staging(bytes) { (buffer) throws(VaultError) in
      try StagedFile(buffer, in: folder, prefix: Self.stagedPrefix).replace(copy)
    }
  }

  private func staging(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(VaultError) -> Void
  ) throws(VaultError) {
    do {
      try bytes.span.withUnsafeBytes(body)
    } catch {
      guard error.code == .notFound else { throw error }
      throw VaultError(.io, "\(place) was removed while it was in use: restart the agent", cause: error)
    }
  }

  /// Removes the second copy, then the first, with unlinkat(2), and syncs the directory. The sync
  /// happens even if no file existed, because an earlier call may have failed after unlinking.
  public func remove(_ file: String) throws(VaultError) {
    let folder = try folder()
    for copy in DoubledFile.copies(of: file).reversed() {
      try FileCalls.unlink(copy, in: folder.descriptor, path: folder.path(of: copy))
    }
    try folder.sync()
  }

  /// Renames the file; durable on return.
  public func setAside(_ file: String) throws(VaultError) -> String {
    let folder = try folder()
    let name = try folder.setAside(file)
    try folder.sync()
    return name
  }

  private func folder() throws(VaultError) -> CheckedDirectory {
    guard let folder = opened.withLock({ $0?.folder }) else {
      throw VaultError(.locked, "\(place) is not open")
    }
    return folder
  }

  /// - Parameter names: The files of the directory, as listed before.
  private func takeLock(_ folder: CheckedDirectory, _ names: [String]) throws(VaultError) -> Int32 {
    let path = folder.path(of: Self.lockFile)
    let lock = try FileCalls.open(Self.lockFile, in: folder.descriptor, O_RDWR | O_CREAT, path: path)
    do {
      try FileRules.requirePrivateFile(FileCalls.status(lock, path: path), path)
      try FileCalls.lock(lock, path: path)
      LockHolder.write(to: lock)
      try StagedFile.sweep(folder, names, prefix: Self.stagedPrefix)
    } catch {
      defer { FileCalls.close(lock) }
      throw error.code == .inUse ? inUse(by: LockHolder.read(from: lock)) : error
    }
    return lock
  }

  private func inUse(by holder: String? = nil) -> VaultError {
    let who = holder.map { " (\($0))" } ?? ""
    return VaultError(.inUse, "\(place) is in use by another agent\(who): stop it, or use another --state-dir")
  }
}

/// The content of a vault's lock file: the process that holds the lock, for messages. The kernel does
/// not tell the process of another host, which may hold it if the home directory is on a network.
private enum LockHolder {
  /// HOST_NAME_MAX of gethostname(2) and a pid.
  private static let maxLength = 100

  /// Writes this process and its host. A failure costs only the words of a message.
  static func write(to lock: Int32) {
    let text = Array("\(getpid()) \(host)\n".utf8)
    if ftruncate(lock, 0) == 0 { _ = pwrite(lock, text, text.count, 0) }
  }

  /// Returns the process that holds the lock, with its host if that is another one; nil if it is not
  /// known.
  static func read(from lock: Int32) -> String? {
    var buffer = [UInt8](repeating: 0, count: maxLength)
    let count = pread(lock, &buffer, buffer.count, 0)
    let words = String(decoding: buffer[..<max(0, count)], as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let pid = Int32(words[0]), words[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    return words[1] == host ? "pid \(pid)" : "pid \(pid) on host \(words[1])"
  }

  private static var host: String {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: &name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
