import AccessControl
import CSystemd

/// The program file from which this process was started. No other process can compare it with what
/// is installed, because the agent is not dumpable.
struct StartedProgram: Sendable {
  private static let link = "/proc/self/exe"

  /// The path that started this process, with its links unresolved: an upgrade may lead one of them
  /// to another file. The file's own path if the first is relative, or was the name of an open file.
  private let path: String?

  /// Blocks.
  init() {
    let started = ritual_started_path().map { String(cString: $0) }
    let isName = started.map { $0.hasPrefix("/") && ProgramFile($0) == ProgramFile(Self.link) } ?? false
    path = isName ? started : Caller.target(of: Self.link)
  }

  /// True if the file was deleted or replaced; nil if only the disk could tell. Does not block.
  ///
  /// A file that is renamed over another one deletes it. In the unit of an agent that is installed in
  /// the home directory, nothing else can be seen, because the old file stays bound at its path
  /// (`BindReadOnlyPaths=`). Both files are compared as they are now, because an overlay file system
  /// may give a file that it copies another number.
  var isReplaced: Bool? {
    guard let path, let target = Caller.target(of: Self.link) else { return false }
    if target != path, target.hasSuffix(" (deleted)") { return true }  // proc_pid_exe(5)
    return ProgramFile(inMemory: path).map(isAnother)
  }

  /// Whether another file is at the path. Blocks.
  func isReplacedOnDisk() -> Bool {
    path.flatMap { ProgramFile($0) }.map(isAnother) ?? false
  }

  private func isAnother(_ file: ProgramFile) -> Bool {
    ProgramFile(known: Self.link).map { $0 != file } ?? false
  }
}
