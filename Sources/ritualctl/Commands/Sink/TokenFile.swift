import AgentProtocol
import Glibc
import SystemSupport
import WebURLs

/// A file that holds an access token, in a directory of the user with mode 0700. The file is
/// replaced atomically, has mode 0600, and symbolic links are not followed.
final class TokenFile {
  let path: String
  private let name: String
  private let folder: UserDirectory
  /// The descriptor of `folder`.
  private let directory: Int32
  /// Locked as long as this file is kept up to date: another `ritualctl sink` would remove it at its end.
  private var lock: Int32 = -1
  /// True if this command created the file of the lock. One that was there is left.
  private var ownsLockFile = false
  /// The file that `write` left; `remove` removes no other.
  private var written: (device: dev_t, inode: ino_t)?

  /// Maximum size of an existing file that can be a token. Longer ones are not read.
  private static let maxSize = Wire.frameLimit
  /// Types of file systems in memory.
  private static let memory = ["tmpfs", "ramfs"]

  /// Opens the directory, and creates it if only itself is missing.
  ///
  /// - Parameter onDisk: whether the file may be on another file system than one in memory.
  /// - Throws: if the directory is not private to the user, if a file of another kind is at `path`,
  ///   or if the file system is not in memory.
  init(_ path: String, onDisk: Bool) throws {
    let (folder, name) = try Self.split(path)
    (self.path, self.name) = (folder + "/" + name, name)
    if mkdir(folder, 0o700) != 0, errno != EEXIST { throw Self.failure("\(folder) cannot be created") }
    directory = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else {
      throw errno == ENOTDIR || errno == ELOOP
        ? Failure(.failed, "\(folder) is not a directory (links are not followed)")
        : Self.failure("\(folder) cannot be opened")
    }
    self.folder = UserDirectory(folder, opened: directory, otherFile: "use another path")
    try check(folder, onDisk: onDisk)
    try checkExisting()
    lock = try locked()
  }

  deinit { unlock() }

  /// Lets another `ritualctl sink` keep the file.
  func unlock() {
    guard lock >= 0 else { return }
    if ownsLockFile { unlinkat(directory, lockName, 0) }
    close(lock)
    lock = -1
  }

  private var lockName: String { ".\(name).lock" }

  private func locked() throws -> Int32 {
    while true {
      let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC
      var file = openat(directory, lockName, flags | O_CREAT | O_EXCL, 0o600)
      ownsLockFile = file >= 0
      if file < 0, errno == EEXIST {
        file = openat(directory, lockName, flags)
        if file < 0, errno == ENOENT { continue }
      }
      guard file >= 0 else { throw Self.failure("the lock of \(path) cannot be created") }
      guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
        let number = errno
        close(file)
        guard number == EWOULDBLOCK else { throw Self.failure("\(path) cannot be locked", number) }
        throw Failure(
          .failed, "another ritualctl sink keeps \(path)", hint: "use it, or choose another path")
      }
      var (mine, current) = (stat(), stat())
      // The former holder may have removed the file in the meantime.
      if fstat(file, &mine) == 0, fstatat(directory, lockName, &current, AT_SYMLINK_NOFOLLOW) == 0,
        mine.st_ino == current.st_ino
      {
        return file
      }
      close(file)
    }
  }

  /// The directory and the name of an absolute path, or of one in the working directory.
  private static func split(_ path: String) throws -> (folder: String, name: String) {
    let absolute = path.hasPrefix("/") ? path : "./" + path
    guard let slash = absolute.lastIndex(of: "/"), slash != absolute.startIndex else {
      throw Failure(.usage, "the token file needs a directory of its own, not /")
    }
    let name = String(absolute[absolute.index(after: slash)...])
    guard !["", ".", ".."].contains(name) else {
      throw Failure(.usage, "\(path) names no file")
    }
    return (String(absolute[..<slash]), name)
  }

  private func check(_ folder: String, onDisk: Bool) throws {
    let shown = Words(folder)
    var status = stat()
    guard fstat(directory, &status) == 0 else { throw Self.failure("\(folder) cannot be examined") }
    guard status.st_uid == geteuid() else {
      throw Failure(.failed, "\(shown) belongs to another user", hint: "use a directory of your own, with mode 0700")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw Failure(
        .failed, "\(shown) is accessible to other users",
        hint: "use a directory of your own, or: chmod 700 \(Quoted.ifNeeded(shown))")
    }
    guard onDisk || Self.memory.contains(Self.fileSystem(of: status.st_dev) ?? "") else {
      throw Failure(
        .failed, "\(shown) is not in memory (tmpfs): the token would be written to a disk",
        hint: "use a path below $XDG_RUNTIME_DIR; if a copy on the disk is acceptable: --on-disk")
    }
  }

  /// The type of the file system of a device (proc_pid_mountinfo(5)); nil if it is not mounted here.
  /// The Glibc module has no statfs(2).
  static func fileSystem(
    of device: dev_t, mounts: [UInt8]? = Descriptor.contents(of: "/proc/self/mountinfo")
  ) -> String? {
    let number = UInt64(device)
    // makedev(3)
    let (major, minor) = (number >> 8 & 0xFFF | number >> 32 & ~0xFFF, number & 0xFF | number >> 12 & ~0xFF)
    for line in String(decoding: mounts ?? [], as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 3, fields[2] == "\(major):\(minor)", let end = fields.firstIndex(of: "-") else { continue }
      return fields.dropFirst(end + 1).first.map(String.init)
    }
    return nil
  }

  /// Accepts a missing file, and one that can be a token of an earlier run. Any other file would be
  /// lost.
  private func checkExisting() throws {
    let notToken: Words = "is not a token file and was not changed"
    let old = try folder.read(name, limit: Self.maxSize) { status in
      guard status.st_size <= Self.maxSize else { throw folder.foreign(name, notToken) }
    }
    guard let old, !old.bytes.isEmpty, !String(decoding: old.bytes, as: UTF8.self).isVisibleASCII else { return }
    throw folder.foreign(name, notToken)
  }

  /// Replaces the file with one that contains the token, without a newline.
  func write(_ token: String) throws {
    let status = try folder.replace(name, with: token)
    written = (status.st_dev, status.st_ino)
  }

  /// Removes the file that `write` left, if it is still the one at the path.
  ///
  /// - Returns: false if there was none.
  @discardableResult
  func remove() -> Bool {
    guard let known = written else { return false }
    written = nil
    var status = stat()
    guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_dev == known.device,
      status.st_ino == known.inode
    else { return false }
    return unlinkat(directory, name, 0) == 0
  }

  private static func failure(_ what: String, _ number: Int32 = errno) -> Failure {
    Failure(.failed, "\(what): \(errorDescription(number))")
  }
}
