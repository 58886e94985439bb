import AgentProtocol
import FoundationEssentials
import Glibc

/// The configuration file, to which `init` adds. What stands in it is never changed; the new text replaces the old file at
/// once and durably (rename(2), fsync(2)), so that a crash leaves the old or the new.
struct ConfigurationFile {
  let path: String
  private let folder: String
  private let name: String

  /// Bytes of a configuration: some kilobytes would be many projects.
  private static let limit = 1 << 20

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

  /// Appends the project's block.
  /// - Throws: where the project is there already, or the file is not safe to use; then nothing was changed.
  func append(_ block: ProjectBlock) throws {
    let folder = try OwnFolder(folder)
    // Two that add at the same time: the second one reads what the first has written.
    try folder.lock()
    let old = try folder.read(name, limit: Self.limit) ?? ""
    try check(old, for: block.name)
    let gap = old.isEmpty ? "" : old.hasSuffix("\n") ? "\n" : "\n\n"
    try folder.replace(name, with: old + gap + block.text)
  }

  private func check(_ text: String, for project: String) throws {
    let entries = TOMLKeys(text).entries
    let shown = ForeignText.shown(path)
    if entries.contains(where: { $0.path.starts(with: ["projects", project]) }) {
      throw Failure(
        .failed, "\(shown) has a project \(project) already",
        hint: "change it there by hand, or give this one another name with --project")
    }
    if entries.contains(TOMLKeys.Entry(path: ["projects"], isHeader: false)) {
      throw Failure(
        .failed, "\(shown) has all projects in one value, to which nothing can be appended",
        hint: "add it there by hand")
    }
  }
}
