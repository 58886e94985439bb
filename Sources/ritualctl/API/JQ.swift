import AgentProtocol
import Glibc
import SystemSupport

/// The installed jq(1), which filters JSON for `api --jq`.
enum JQ {
  /// - Throws: a failure that names the package if jq is not in PATH.
  static func requireInstalled() throws {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    guard path.split(separator: ":").contains(where: { access($0 + "/jq", X_OK) == 0 }) else {
      throw Failure(.failed, "jq is not installed", hint: "sudo apt install jq")
    }
  }

  /// Passes `json` to jq, and each part of its output to `show`. Strings are shown without quotes,
  /// as by `gh api`.
  ///
  /// - Throws: a failure if jq fails; jq itself prints the reason.
  static func filter(_ json: [UInt8], _ expression: String, isIndented: Bool, show: ([UInt8]) throws -> Void) throws {
    var ends: [Int32] = [-1, -1]
    // The other end is the standard input and output of jq.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try systemCall("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
    defer { close(ends[0]) }
    let child = ChildProcess(
      // The space keeps jq from reading an expression such as `-n` as an option.
      ["jq", "--raw-output", "--monochrome-output"] + (isIndented ? [] : ["--compact-output"]) + [" " + expression],
      input: .descriptor(ends[1]), output: .descriptor(ends[1]), error: .inherited)
    let pid = try? child.start()
    close(ends[1])
    guard let pid else { throw Failure(.failed, "jq cannot be started") }
    try converse(json, ends[0], show)
    guard let status = ChildProcess.exitStatus(of: pid), status != 0 else { return }
    throw Failure(.failed, "jq failed with exit status \(status)")
  }

  /// Writes and reads at the same time, because jq may write before it has read everything.
  private static func converse(_ json: [UInt8], _ socket: Int32, _ show: ([UInt8]) throws -> Void) throws {
    var rest = json[...]
    if rest.isEmpty { shutdown(socket, Int32(SHUT_WR)) }
    while true {
      var entry = pollfd(fd: socket, events: Int16(rest.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
      try systemCall("poll") { poll(&entry, 1, -1) }
      if !rest.isEmpty {
        let sent = rest.withUnsafeBytes {
          send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        // Another error than these means that jq has ended or reads no more.
        rest = sent >= 0 ? rest.dropFirst(sent) : [EAGAIN, EINTR].contains(errno) ? rest : []
        if rest.isEmpty { shutdown(socket, Int32(SHUT_WR)) }
      }
      guard entry.revents & Int16(POLLIN | POLLHUP) != 0 else { continue }
      guard let part = try? Descriptor.read(socket, count: 65_536), !part.isEmpty else { return }
      try show(part)
    }
  }
}
