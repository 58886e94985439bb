import Glibc

/// Finds the other programs of this package: first beside this program, then in PATH.
enum OwnProgram {
  static func path(_ name: String) -> String? {
    folders.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
  }

  /// Where this package is installed: the directory above `bin`, such as /usr.
  static var prefix: String {
    guard let folder = ownFolder, folder.hasSuffix("/bin") else { return "/usr" }
    return String(folder.dropLast("/bin".count))
  }

  /// The directory of the installed guides; nil if they are not installed.
  static var documents: String? {
    let path = prefix + "/share/doc/ritual-agent/docs"
    return access(path, R_OK) == 0 ? path : nil
  }

  /// The program as a command for the user's shell: its name, or its path if PATH does not lead to
  /// it. Nil if it is not installed.
  static func command(_ name: String) -> String? {
    guard let path = path(name) else { return nil }
    return pathFolders.first { access($0 + "/" + name, X_OK) == 0 }.map { $0 + "/" + name } == path ? name : path
  }

  private static var folders: [String] { [ownFolder].compactMap { $0 } + pathFolders }

  static var pathFolders: [String] {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
  }

  private static var ownFolder: String? {
    ownPath.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
  }

  /// The path of this program (proc(5)).
  static var ownPath: String? {
    guard let target = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(target) }
    return String(cString: target)
  }
}
