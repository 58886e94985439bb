import Foundation
import Glibc
import TestKit
import Testing

/// The sockets of egress and credentials of an agent that runs without systemd, and of one that gets
/// its sockets passed.
@Suite(.home, .serialized, .timeLimit(.minutes(5))) struct SocketsEndToEndTests {
  private static func beside(_ home: TestHome, _ name: String) -> String {
    home.folder.path + "/run/ritual-agent/" + name
  }

  @Test("binds both beside its own socket, 0600, and removes them at its end")
  func bindsItself() async throws {
    let paths = ["egress.sock", "credentials.sock"].map { Self.beside(home, $0) }
    for path in paths {
      var status = stat()
      try await eventually("the socket \(path)") { canConnect(to: path) }
      #expect(lstat(path, &status) == 0 && status.st_mode == S_IFSOCK | 0o600, "\(path)")
    }
    #expect(try await home.endAgent() == 0)
    for path in paths { #expect(access(path, F_OK) != 0, "\(path)") }
  }

  @Test("a place that is taken is a warning, not the end of the agent; the doctor names it")
  func survivesATakenPlace() async throws {
    try await home.signIn()
    await home.stopAgent()
    try FileManager.default.createDirectory(
      atPath: Self.beside(home, "egress.sock"), withIntermediateDirectories: false)
    try await home.startAgent()
    #expect(try await !home.token().isEmpty)
    #expect(await home.agentLog.contains("the egress socket is not served"))
    #expect(canConnect(to: Self.beside(home, "credentials.sock")))
    let doctor = try await home.ctl("doctor")
    #expect(doctor.stdout.contains("egress: the agent does not serve egress.sock"), "\(doctor.stdout)")
  }

  @Test("passed sockets are told apart by their names, in any order; with its own alone, nothing else is bound")
  func tellsPassedSocketsApart() async throws {
    try await home.signIn()
    await home.stopAgent()
    let others = ["egress", "credentials"].map { ($0, Self.beside(home, "x-\($0).sock")) }
    for passed in [others + [("any.socket", home.socket)], [("agent", home.socket)]] {
      let listeners = try passed.map { try Listener($0.1) }
      let names = passed.map(\.0).joined(separator: ":")
      let script = "export LISTEN_PID=$$ LISTEN_FDS=\(passed.count) LISTEN_FDNAMES=\(names); exec \"$@\""
      try await home.startAgent(
        through: ["/bin/sh", "-c", script, "sh"], descriptors: listeners.map(\.descriptor))
      #expect(try await !home.token().isEmpty)
      let answer = try await home.run(
        "/usr/bin/curl",
        ["-sS", "--unix-socket", passed.count > 1 ? others[0].1 : home.socket, "http://none/rest/v1/x"])
      #expect(answer.stdout.contains("unknownAccount") == (passed.count > 1), "\(answer.stdout) \(answer.stderr)")
      for name in ["egress.sock", "credentials.sock"] { #expect(access(Self.beside(home, name), F_OK) != 0) }
      let isNoted = await home.agentLog.contains("systemd passed no socket for egress")
      #expect(isNoted == (passed.count == 1))
      await home.stopAgent()
      for (_, path) in passed { unlink(path) }
    }
  }

  @Test("while the configuration is invalid, clients of the other sockets get an answer, too")
  func reportsAMistake() async throws {
    await home.stopAgent()
    try home.editConfiguration { $0 += "\nx = 1\n" }
    let path = Self.beside(home, "e.sock")
    let listener = try Listener(path)
    let client = try RunningProgram(
      "/usr/bin/curl", ["-sS", "-w", "%{http_code}", "--unix-socket", path, "http://localhost/"],
      environment: home.environment, folder: home.folder)
    // An agent that finds no client ends at once, and a later client would wait for systemd to start it again.
    try await eventually("the client is connected") { listener.hasClient }
    let script = "export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=egress; exec \"$@\""
    let agent = try RunningProgram(
      "/bin/sh", ["-c", script, "sh", Programs.path("ritual-agentd")], environment: home.environment,
      folder: home.folder, descriptors: [listener.descriptor])
    let answer = try await client.end()
    #expect(
      answer.stdout.contains("unknown key x") && answer.stdout.hasSuffix("503"), "\(answer.stdout) \(answer.stderr)")
    #expect(try await agent.end().status == 78)
  }
}

/// A listening socket, as the service manager makes it.
final class Listener {
  let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let bound = withUnixAddress(path) { bind(descriptor, $0, $1) }
    try #require(bound == 0 && listen(descriptor, 16) == 0)
  }

  /// True if a client waits for accept(2).
  var hasClient: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }

  deinit { close(descriptor) }
}
