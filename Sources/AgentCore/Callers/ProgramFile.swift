import FoundationEssentials
import Glibc

/// Which file it is, whatever it is called: a name can be given to any program.
struct ProgramFile: Sendable, Hashable {
  let device: UInt64
  let inode: UInt64

  /// The file that `path` leads to, links followed; nil where there is none, or it may not be seen. Blocks.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}

/// Whether this process runs in a user namespace of its own, as `PrivateUsers=yes` makes one (user_namespaces(7)): then
/// the programs of the user's other processes cannot be read.
enum UserNamespace {
  static let isOwn = isOwn(map: try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8))

  /// The first namespace has one line, which maps every uid to itself. Without /proc no program can be read either.
  static func isOwn(map: String?) -> Bool {
    guard let map else { return true }
    let lines = map.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
    return lines != [["0", "0", "4294967295"]]
  }
}
