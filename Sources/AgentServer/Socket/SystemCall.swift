import Glibc
import SystemSupport

/// Runs one system call; repeats it while a signal interrupts it (EINTR, signal(7)); every other failure is thrown as
/// `what` and the words of strerror(3).
@discardableResult
func systemCall(_ what: @autoclosure () -> String, _ call: () -> Int32) throws(SocketError) -> Int32 {
  while true {
    let result = call()
    if result >= 0 { return result }
    let number = errno
    guard number == EINTR else { throw SocketError(.system, "\(what()): \(words(of: number))", errno: number) }
  }
}
