import Glibc
import Synchronization

/// Where a vault's files lie. They are sealed before they come here and never hold a secret in the clear; a storage only has to
/// keep them whole. All calls block and may come from any thread; between `acquire` and `release` they come one at a time.
public protocol VaultStorage: Sendable {
  /// Where it is, for messages.
  var place: String { get }

  /// Takes the storage for this vault alone, after checking that it is safe; `.inUse` if another one has it.
  func acquire() throws(VaultError)

  /// Lets another one have it; no error if it was not taken.
  func release()

  /// The names of all files.
  func list() throws(VaultError) -> [String]

  /// The bytes of one copy of a file; `.notFound`, `.tooLarge` (above `VaultFormat.largestFile`).
  func read(_ copy: String) throws(VaultError) -> [UInt8]

  /// Replaces both copies of a file, or makes them: durable when it returns. On an error the first copy is the old or the new
  /// file, whole. The second copy is the same when it returns, or absent where it could not be replaced.
  func write(_ bytes: [UInt8], to file: String) throws(VaultError)

  /// Replaces one copy of a file, durably.
  func restore(_ bytes: [UInt8], to copy: String) throws(VaultError)

  /// Removes the second copy of a file, then the first, durably; no error if there is none.
  func remove(_ file: String) throws(VaultError)

  /// Renames one copy to the first free `COPY.damaged-N`, N = 1, 2 …, and gives that name; its bytes are untouched.
  func setAside(_ copy: String) throws(VaultError) -> String
}

/// A vault's files in a folder of the file system: folder 0700, files 0600, each write atomic and durable. Modes,
/// owners and kinds are checked first (VA-6), and a lock file keeps a second process out.
public final class FolderStorage: VaultStorage {
  /// Held with flock(2) while the vault is open; never removed, since a lock on a removed file excludes nobody.
  static let lockFile = "lock"
  /// The names of files that are still being written; what a crash leaves of them is swept by `acquire`.
  static let stagedPrefix = ".staged-"

  /// The folder's path.
  public let place: String
  private let opened = Mutex<Opened?>(nil)

  private struct Opened {
    let folder: CheckedFolder
    let lock: Int32
  }

  /// The folder at `path`; made by `acquire` where it is missing, with what is missing above it.
  public init(path: String) {
    place = PathWalk.split(path).whole
  }

  deinit { release() }

  /// Checks the folder, those above it and every file in it, takes the lock and sweeps what a crash left.
  public func acquire() throws(VaultError) {
    try opened.withLock { (opened) throws(VaultError) in
      guard opened == nil else { throw inUse() }
      let folder = try CheckedFolder(place, .ours, creating: true)
      for name in try folder.names() { try folder.requirePrivate(name) }
      let lock = try takeLock(folder)
      opened = Opened(folder: folder, lock: lock)
    }
  }

  /// Closes the folder and gives up the lock.
  public func release() {
    opened.withLock { opened in
      if let lock = opened?.lock {
        FileCalls.unlock(lock)
        FileCalls.close(lock)
      }
      opened = nil
    }
  }

  /// The names of all files but the lock file.
  public func list() throws(VaultError) -> [String] {
    try folder().names().filter { $0 != Self.lockFile && !$0.hasPrefix(Self.stagedPrefix) }
  }

  /// A file's bytes, after the checks of VA-6.
  public func read(_ file: String) throws(VaultError) -> [UInt8] {
    let folder = try folder()
    return try folder.reading(file) { (descriptor, size) throws(VaultError) in
      guard size <= VaultFormat.largestFile else {
        throw VaultError(.tooLarge, "\(folder.path(of: file)) is larger than any file of a vault")
      }
      var bytes = [UInt8](repeating: 0, count: size)
      // The buffer outlives the call: withUnsafeMutableBytes cannot carry a typed error out.
      let result = bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(VaultError) in
          try FileCalls.readAll(descriptor, into: buffer, path: folder.path(of: file))
        }
      }
      return Array(bytes[..<(try result.get())])
    }
  }

  /// Writes both copies beside the file, fsync of both, renames the first, renames the second, fsync of the folder.
  public func write(_ bytes: [UInt8], to file: String) throws(VaultError) {
    let folder = try folder()
    for copy in DoubledFile.copies(of: file) { try folder.requirePrivate(copy) }
    try staging(bytes) { (buffer) throws(VaultError) in
      try StagedPair(buffer, in: folder, prefix: Self.stagedPrefix).replace(file)
    }
  }

  /// Writes beside the copy, fsync, rename, fsync of the folder.
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
      // withUnsafeBytes cannot carry a typed error out.
      try bytes.withUnsafeBytes { buffer in Result { () throws(VaultError) in try body(buffer) } }.get()
    } catch {
      guard error.code == .notFound else { throw error }
      throw VaultError(.io, "\(place) was removed while it was in use: restart the agent", cause: error)
    }
  }

  /// unlinkat(2) of the second copy, then of the first, and fsync of the folder, the latter even if there was no file: an
  /// earlier call may have failed between the two.
  public func remove(_ file: String) throws(VaultError) {
    let folder = try folder()
    for copy in DoubledFile.copies(of: file).reversed() {
      try FileCalls.unlink(copy, in: folder.descriptor, path: folder.path(of: copy))
    }
    try folder.sync()
  }

  /// Renames the file; durable when it returns.
  public func setAside(_ file: String) throws(VaultError) -> String {
    let folder = try folder()
    var number = 1
    while try folder.status(of: VaultFormat.asideName(file, number)) != nil { number += 1 }
    let name = VaultFormat.asideName(file, number)
    try FileCalls.rename(file, to: name, in: folder.descriptor, path: folder.path(of: file))
    try folder.sync()
    return name
  }

  private func folder() throws(VaultError) -> CheckedFolder {
    guard let folder = opened.withLock({ $0?.folder }) else {
      throw VaultError(.locked, "\(place) is not open")
    }
    return folder
  }

  private func takeLock(_ folder: CheckedFolder) throws(VaultError) -> Int32 {
    let path = folder.path(of: Self.lockFile)
    let lock = try FileCalls.open(Self.lockFile, in: folder.descriptor, O_RDWR | O_CREAT, path: path)
    do {
      try FileRules.requirePrivateFile(FileCalls.status(lock, path: path), path)
      try FileCalls.lock(lock, path: path)
      try StagedFile.sweep(folder, prefix: Self.stagedPrefix)
    } catch {
      FileCalls.close(lock)
      throw error.code == .inUse ? inUse() : error
    }
    return lock
  }

  private func inUse() -> VaultError {
    VaultError(.inUse, "\(place) is in use by another agent: stop that one, or give this one another --state-dir")
  }
}
