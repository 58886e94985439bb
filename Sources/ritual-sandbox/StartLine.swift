import AuthSandbox
import Glibc

/// The line of JSON that tells where the sandbox is. None of its values needs escaping: an address and a JWT.
struct StartLine {
  let sandbox: AuthSandbox

  func write() {
    let line = #"{"url":"\#(sandbox.url)","anonKey":"\#(sandbox.anonKey)","pid":\#(getpid())}"# + "\n"
    var rest = Array(line.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      // Nobody reads: the sandbox is of use all the same.
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}
