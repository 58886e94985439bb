import Glibc
import SystemSupport

/// A system call that failed, with what it left in `errno`.
struct SystemCallError: Error, CustomStringConvertible {
  let call: String
  let errno: Int32

  var description: String { "\(call): \(words(of: errno))" }
}

/// Runs a system call until a signal no longer interrupts it (EINTR, signal(7)).
func systemCall<Result: SignedInteger>(
  _ call: String, _ body: () -> Result
) throws(SystemCallError) -> Result {
  while true {
    let result = body()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw SystemCallError(call: call, errno: code) }
  }
}

extension VaultError {
  /// The one place where an errno gets its meaning; `path` is what the call was about (open(2), write(2), rename(2)).
  init(_ error: SystemCallError, at path: String) {
    let (code, words): (Code, String) =
      switch error.errno {
      case ENOSPC, EDQUOT: (.diskFull, "no space left: free some, then try again")
      case EACCES, EPERM: (.noPermission, "access refused: check who owns it and its mode")
      case EROFS: (.readOnly, "the file system is read-only: remount it, or choose another folder")
      case ENOENT: (.notFound, "there is no such file or folder")
      case ELOOP: (.unsafe, "is a symbolic link: put the real file in its place")
      case EWOULDBLOCK: (.inUse, "another process has it open: stop that one first")
      default: (.io, "the system reports an error")
      }
    self.init(code, "\(path): \(words)", cause: error)
  }
}
