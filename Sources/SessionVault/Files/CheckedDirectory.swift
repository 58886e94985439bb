import FoundationEssentials
import Glibc
import SystemSupport

/// A directory that passed the safety checks and is kept open. Entries are accessed through its
/// descriptor, so that the path cannot be exchanged after the checks.
final class CheckedDirectory: Sendable {
  /// The strictness for the directory itself. Its parents are always checked.
  enum Rule {
    /// Private to the user: 0700.
    case ours
    /// Other users may read, but not write. Used for the directory of a key file.
    case trusted
  }

  let path: String
  let descriptor: Int32

  /// Opens the directory at `path`. `creating` creates it and its missing parents with mode 0700.
  init(_ path: String, _ rule: Rule, creating: Bool) throws(VaultError) {
    let parts = TrustedPath.split(path)
    try FileRules.requireTrustedPath(parts.folder, creating: creating)
    if creating { try FileCalls.makeDirectory(parts.whole, in: parts.folder) }
    if rule == .trusted { try FileRules.requireTrustedPath(parts.whole, creating: false) }
    self.path = parts.whole
    descriptor = try Self.open(parts.whole, rule)
  }

  deinit { FileCalls.close(descriptor) }

  private static func open(_ path: String, _ rule: Rule) throws(VaultError) -> Int32 {
    if rule == .ours {
      // Checked by name first: for a symbolic link openat(2) would only report ENOTDIR.
      let status = try FileCalls.status(of: path, in: AT_FDCWD, path: path)
      try FileRules.requirePrivateDirectory(status, path: path)
    }
    // The directory of a key file may be a symbolic link; TrustedPath has checked the link and its
    // target.
    let name = rule == .trusted ? path + "/." : path
    return try FileCalls.open(name, in: AT_FDCWD, O_RDONLY | O_DIRECTORY, path: path)
  }

  /// Returns the names of all entries except `.` and `..`.
  func names() throws(VaultError) -> [String] {
    let copy = try FileCalls.open(".", in: descriptor, O_RDONLY | O_DIRECTORY, path: path)
    guard let stream = fdopendir(copy) else {
      defer { FileCalls.close(copy) }
      throw VaultError(SystemCallError(call: "fdopendir", errno: errno), at: path)
    }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        // The size of d_name in readdir(3): NAME_MAX (255) and the final NUL.
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw VaultError(SystemCallError(call: "readdir", errno: errno), at: path) }
    return names
  }

  /// Returns the status of `name` without following a symbolic link; nil if it does not exist.
  func status(of name: String) throws(VaultError) -> stat? {
    do {
      return try FileCalls.status(of: name, in: descriptor, path: path(of: name))
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// Opens `name` for reading, checks it (by default `FileRules`), calls `body` with the
  /// descriptor and the size, and closes it.
  func reading<Result>(
    _ name: String, checking check: ((stat, String) throws(VaultError) -> Void)? = nil,
    _ body: (Int32, Int) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    let file = try FileCalls.open(name, in: descriptor, O_RDONLY, path: path(of: name))
    defer { FileCalls.close(file) }
    let status = try FileCalls.status(file, path: path(of: name))
    if let check { try check(status, path(of: name)) } else { try FileRules.requirePrivateFile(status, path(of: name)) }
    return try body(file, Int(status.st_size))
  }

  /// Returns the content of the private file `name`; throws `.tooLarge` above `limit` bytes, whose path
  /// `refusal` follows.
  func contents(of name: String, limit: Int, refusal: String) throws(VaultError) -> [UInt8] {
    let path = path(of: name)
    return try reading(name) { (file, size) throws(VaultError) in
      guard size <= limit else { throw VaultError(.tooLarge, "\(path) \(refusal)") }
      // The initializer does not support typed throws.
      var result = Result<Int, VaultError>.success(0)
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        result = Result { () throws(VaultError) in
          try FileCalls.readAll(file, into: UnsafeMutableRawBufferPointer(buffer), path: path)
        }
        count = (try? result.get()) ?? 0
      }
      _ = try result.get()
      return bytes
    }
  }

  /// Renames the damaged file `name` to the first free `NAME.damaged-N`, and returns that name.
  func setAside(_ name: String) throws(VaultError) -> String {
    var number = 1
    while try status(of: VaultFormat.asideName(name, number)) != nil { number += 1 }
    let aside = VaultFormat.asideName(name, number)
    try FileCalls.rename(name, to: aside, in: descriptor, path: path(of: name))
    return aside
  }

  /// Throws unless `name` is a private file of the user or does not exist.
  func requirePrivate(_ name: String) throws(VaultError) {
    guard let status = try status(of: name) else { return }
    try FileRules.requirePrivateFile(status, path(of: name))
  }

  /// Makes changes of names durable: fsync(2) of the directory.
  func sync() throws(VaultError) { try FileCalls.sync(descriptor, path: path) }

  func path(of name: String) -> String { path + "/" + name }
}
