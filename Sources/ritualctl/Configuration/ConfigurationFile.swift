import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import Glibc

/// The configuration file, as `init` changes it: under a lock, at once and durably (rename(2), fsync(2)), so that a crash
/// leaves the old or the new file; and back to the old one where the change is refused.
struct ConfigurationFile {
  let path: String
  private let folder: String
  private let name: String

  init(path: String) throws {
    let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    guard !absolute.utf8.contains(0), let slash = absolute.lastIndex(of: "/") else {
      throw Failure(.usage, "this is no path of a file")
    }
    self.path = absolute
    folder = slash == absolute.startIndex ? "/" : String(absolute[..<slash])
    name = String(absolute[absolute.index(after: slash)...])
    guard !name.isEmpty, name != ".", name != ".." else { throw Failure(.usage, "this is no path of a file") }
  }

  /// Replaces the text by what `edit` makes of it, empty for a file that is not there; nil leaves the file alone. The new
  /// text is checked as the agent checks it before anything is written.
  ///
  /// - Parameter accept: runs while the new file is in place. Where it throws, the old file is back, or there is none.
  /// - Returns: what `accept` has returned; nil where nothing was changed.
  func change<Value>(_ edit: (String) throws -> String?, accept: () throws -> Value) throws -> Value? {
    let folder = try OwnFolder(folder)
    do {
      // Of two that change the file at the same time, the second reads what the first has written.
      try folder.lock()
      let old = try folder.read(name, limit: Configuration.limit) {
        ConfigurationFileRule.complaint(about: $0, path: path)
      }
      guard let new = try edit(try old.map { try Configuration.text(of: $0.bytes, file: shownPath) } ?? "") else {
        return nil
      }
      _ = try Configuration.parse(new, file: shownPath, inUserNamespace: false)
      return try replace(old, by: new, in: folder, accept)
    } catch {
      folder.removeWhatWasMade()
      throw error
    }
  }

  private func replace<Value>(
    _ old: OwnFolder.File?, by new: String, in folder: OwnFolder, _ accept: () throws -> Value
  ) throws -> Value {
    let (staged, kept) = (".\(name).new", ".\(name).old")
    defer { folder.remove([staged, kept]) }
    try folder.stage(Array(new.utf8), as: staged)
    // Written before the change: the way back needs no room on the disk.
    if let old { try folder.stage(old.bytes, as: kept, mode: old.mode) }
    do {
      try folder.rename(staged, to: name)
      return try accept()
    } catch {
      if old != nil { try? folder.rename(kept, to: name) } else { folder.remove([name]) }
      throw error
    }
  }

  var shownPath: String { ForeignText.shown(path, limit: 4096) }
}
