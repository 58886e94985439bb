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

  /// The maximum number of bytes of jq's messages that are shown.
  private static let maxMessages = 16 * 1024

  /// Passes `json` to jq, and each part of its output to `show`. Strings are shown without quotes,
  /// as by `gh api`. Then prints jq's messages, which may quote the JSON, with control characters
  /// escaped.
  ///
  /// - Throws: a failure if jq fails; its messages state the reason.
  static func filter(_ json: [UInt8], _ expression: String, isIndented: Bool, show: ([UInt8]) throws -> Void) throws {
    let (content, messages) = (try Stream(), try Stream())
    defer { for stream in [content, messages] { close(stream.own) } }
    let child = ChildProcess(
      // The space keeps jq from reading an expression such as `-n` as an option.
      ["jq", "--raw-output", "--monochrome-output"] + (isIndented ? [] : ["--compact-output"]) + [" " + expression],
      input: .descriptor(content.ofChild), output: .descriptor(content.ofChild),
      error: .descriptor(messages.ofChild))
    let pid = try? child.start()
    for stream in [content, messages] { close(stream.ofChild) }
    guard let pid else { throw Failure(.failed, "jq cannot be started") }
    let said = Words(lines: String(decoding: try converse(json, content.own, messages.own, show), as: UTF8.self)).text
    try Streams.write(said.isEmpty || said.hasSuffix("\n") ? said : said + "\n", to: STDERR_FILENO)
    guard let status = ChildProcess.exitStatus(of: pid), status != 0 else { return }
    throw Failure(.failed, "jq failed with exit status \(status)")
  }

  /// Two connected sockets: one of this program, and one for standard streams of jq.
  private struct Stream {
    let own: Int32
    let ofChild: Int32

    init() throws(SystemCallError) {
      var ends: [Int32] = [-1, -1]
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      try systemCall("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
      (own, ofChild) = (ends[0], ends[1])
    }
  }

  /// Writes and reads at the same time, because jq may write before it has read everything.
  /// - Returns: the beginning of jq's messages.
  private static func converse(
    _ json: [UInt8], _ socket: Int32, _ messages: Int32, _ show: ([UInt8]) throws -> Void
  ) throws -> [UInt8] {
    var rest = json[...]
    var shown: [UInt8] = []
    if rest.isEmpty { shutdown(socket, Int32(SHUT_WR)) }
    // poll(2) skips an entry whose stream has ended: its descriptor is negative.
    var entries = [socket, messages].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while entries.contains(where: { $0.fd >= 0 }) {
      entries[0].events = Int16(rest.isEmpty ? POLLIN : POLLIN | POLLOUT)
      try systemCall("poll") { poll(&entries, nfds_t(entries.count), -1) }
      if !rest.isEmpty {
        let sent = rest.withUnsafeBytes {
          send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        // Another error than these means that jq has ended or reads no more.
        rest = sent >= 0 ? rest.dropFirst(sent) : [EAGAIN, EINTR].contains(errno) ? rest : []
        if rest.isEmpty { shutdown(socket, Int32(SHUT_WR)) }
      }
      for index in entries.indices where entries[index].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
        let part = (try? Descriptor.read(entries[index].fd, count: 65_536)) ?? []
        if part.isEmpty {
          entries[index].fd = -1
        } else if index == 0 {
          try show(part)
        } else {
          shown += part.prefix(maxMessages - shown.count)
        }
      }
    }
    return shown
  }
}
