import Glibc

/// Which file it is, whatever it is called: a name can be given to any program.
package struct ProgramFile: Sendable, Hashable {
  let device: UInt64
  let inode: UInt64

  /// The file that `path` leads to, links followed; nil where there is none, or it may not be seen. Blocks.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
