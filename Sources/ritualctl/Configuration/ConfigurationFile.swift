import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import Glibc

/// The configuration file as `init` changes it: under a lock, atomically and durably (rename(2),
/// fsync(2)), so that a crash leaves either the old or the new file. If the change is refused, the
/// old file is restored.
struct ConfigurationFile {
  let path: String
  private let folder: String
  private let name: String

  init(path: String) throws {
    let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    guard !absolute.utf8.contains(0), let slash = absolute.lastIndex(of: "/") else {
      throw Failure(.usage, "--config must be the path of a file")
    }
    self.path = absolute
    folder = slash == absolute.startIndex ? "/" : String(absolute[..<slash])
    name = String(absolute[absolute.index(after: slash)...])
    guard !name.isEmpty, name != ".", name != ".." else {
      throw Failure(.usage, "--config must be the path of a file")
    }
  }

  /// Replaces the file's text with the result of `edit`, which gets an empty text if there is no
  /// file. A result of nil leaves the file unchanged. The new text is validated as in the agent
  /// before anything is written.
  ///
  /// - Parameter accept: runs while the new file is in place. If it throws, the old file is
  ///   restored, or the new file is removed if there was none.
  /// - Returns: the result of `accept`; nil if nothing was changed.
  func change<Value>(_ edit: (String) throws -> String?, accept: () throws -> Value) throws -> Value? {
    let folder = try UserDirectory(folder)
    do {
      // Of two concurrent changes, the second reads the result of the first.
      try folder.lock()
      let old = try read(folder)
      guard let new = try edit(try text(of: old)) else { return nil }
      _ = try Configuration.parse(new, file: shownPath.text, inUserNamespace: false)
      return try replace(old, by: new, in: folder, accept)
    } catch {
      folder.removeCreatedDirectories()
      throw error
    }
  }

  /// The current configuration, read as `change` reads it. Creates nothing.
  func current() throws -> Configuration {
    guard access(folder, F_OK) == 0 else { return Configuration() }
    return try Configuration.parse(
      try text(of: read(UserDirectory(folder))), file: shownPath.text, inUserNamespace: false)
  }

  private func read(_ folder: UserDirectory) throws -> UserDirectory.File? {
    try folder.read(name, limit: Configuration.maxFileSize) { status in
      guard let reason = ConfigurationFileRule.refusalReason(about: status, path: path) else { return }
      throw Failure(.failed, "\(path) \(reason)")
    }
  }

  private func text(of file: UserDirectory.File?) throws -> String {
    try file.map { try Configuration.text(of: $0.bytes, file: shownPath.text) } ?? ""
  }

  private func replace<Value>(
    _ old: UserDirectory.File?, by new: String, in folder: UserDirectory, _ accept: () throws -> Value
  ) throws -> Value {
    let (staged, kept) = (".\(name).new", ".\(name).old")
    defer { folder.remove([staged, kept]) }
    try folder.stage(Array(new.utf8), as: staged)
    // Written before the change, so that restoring the old file needs no disk space.
    if let old { try folder.stage(old.bytes, as: kept, mode: old.mode) }
    do {
      try folder.rename(staged, to: name)
      return try accept()
    } catch {
      if old != nil { try? folder.rename(kept, to: name) } else { folder.remove([name]) }
      throw error
    }
  }

  var shownPath: Words { Words(path, limit: 4096) }
}
