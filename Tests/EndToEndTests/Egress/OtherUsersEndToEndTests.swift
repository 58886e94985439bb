import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// The ports of grants and sign-ins, while another user of the machine connects to them.
@Suite(.home, .serialized, .timeLimit(.minutes(10)), .enabled(if: geteuid() == 0, "only root can be another user"))
struct OtherUsersEndToEndTests {
  private static let asAnotherUser = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  /// Opens connections to a port without a pause, the last 200 of which stay open, until it is stopped, or
  /// for two minutes. Prints a line after 3,000: so many sockets in TIME_WAIT, too, make the table of all sockets long.
  private static let flood = """
    import socket, sys, time
    address, end, number, open = ("127.0.0.1", int(sys.argv[1])), time.monotonic() + 120, 0, [None] * 200
    while time.monotonic() < end:
        open[number % 200] = connection = socket.socket()
        connection.connect(address)
        number += 1
        if number == 3000:
            print("flooding", flush=True)
    """

  /// Starts a program without netlink sockets, without `/proc/net`, or without both, in a mount namespace of its own.
  private static let confine = """
    import ctypes, os, struct, sys
    libc = ctypes.CDLL(None, use_errno=True)

    def call(name, *arguments):
        if getattr(libc, name)(*arguments) != 0:
            raise OSError(ctypes.get_errno(), name)

    if "proc" in sys.argv[1]:
        call("unshare", 0x20000)  # CLONE_NEWNS
        call("mount", None, b"/", None, 0x44000, None)  # MS_REC | MS_PRIVATE
        call("mount", b"tmpfs", b"/proc/%d/net" % os.getpid(), b"tmpfs", 0, None)
    if "netlink" in sys.argv[1]:
        number = {"x86_64": 41, "aarch64": 198}[os.uname().machine]  # socket(2)
        steps = [(0x20, 0, 0, 0), (0x15, 0, 3, number), (0x20, 0, 0, 16), (0x15, 0, 1, 16), (0x06, 0, 0, 0x50001),
                 (0x06, 0, 0, 0x7FFF0000)]  # AF_NETLINK fails with EPERM
        code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
        program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
        call("prctl", 38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
        call("prctl", 22, 2, program, 0, 0)  # PR_SET_SECCOMP
    os.execv(sys.argv[2], sys.argv[2:])
    """

  private static func launcher(without what: String) -> [String] { ["/usr/bin/python3", "-c", confine, what] }

  /// Starts the agent again.
  private static func restart(_ home: TestHome, through launcher: [String]) async throws {
    await home.stopAgent()
    try await home.startAgent(through: launcher)
  }

  /// Starts a sign-in with the sign-in page.
  private static func signIn(_ home: TestHome) throws -> RunningProgram {
    let desktop = home.environment.merging(["DISPLAY": ":99", "PATH": Programs.folder]) { $1 }
    return try RunningProgram(
      Programs.path("ritualctl"), ["sign-in", "--account", "other"], environment: desktop, folder: home.folder)
  }

  /// Starts a sign-in, and returns the port of its page.
  private static func page(_ home: TestHome) async throws -> (program: RunningProgram, port: UInt16) {
    let program = try signIn(home)
    var port: UInt16?
    try await eventually("the URL of the page") {
      let url = (program.stderr + program.stdout).firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/sign-in\//)
      port = url.flatMap { UInt16($0.1) }
      if port == nil, !program.isRunning { throw ConditionTimeout(what: "the URL of the page: \(program.stderr)") }
      return port != nil
    }
    return (program, try #require(port))
  }

  /// Runs `body` while three processes of another user connect to `port`.
  private static func besideFlood(
    of port: UInt16, _ home: TestHome, _ body: () async throws -> Void
  ) async throws {
    let flooding = try (0..<3).map { _ in
      try RunningProgram(
        asAnotherUser[0], Array(asAnotherUser.dropFirst()) + ["/usr/bin/python3", "-c", flood, "\(port)"],
        environment: [:], folder: home.folder)
    }
    try await withCleanup {
      for program in flooding {
        #expect(program.isRunning, "\(program.stderr)")
        await program.stop()
      }
    } _: {
      for program in flooding {
        try await eventually("a flood: \(program.stderr)") { program.stdout == "flooding\n" }
      }
      try await body()
    }
  }

  @Test("EG-6: every request of the owner is answered beside three processes of another user that flood the port")
  func servesGrantsBesideAFlood() async throws {
    try await home.signIn()
    let grant = try await home.grant()
    try await Self.besideFlood(of: grant.port, home) { () async throws in
      for _ in 0..<40 { #expect(try await grant.get().status == 200) }
    }
  }

  @Test("SI-8: the sign-in page is served beside three processes of another user that flood its port")
  func servesThePageBesideAFlood() async throws {
    let (program, port) = try await Self.page(home)
    try await Self.besideFlood(of: port, home) { () async throws in
      for _ in 0..<40 { #expect(try await RawClient.get("/", of: port).status == 404) }
    }
    await program.stop()
  }

  enum Confinement: String, CaseIterable {
    case proc, netlink, userNamespace

    var launcher: [String] {
      self == .userNamespace
        ? ["/usr/bin/unshare", "--user", "--map-root-user"] : OtherUsersEndToEndTests.launcher(without: rawValue)
    }
  }

  @Test(
    "the owner is served, and another user is not, without /proc/net, without netlink, and in a user namespace",
    arguments: Confinement.allCases)
  func servesInConfinement(_ confinement: Confinement) async throws {
    try await home.signIn()
    try await Self.restart(home, through: confinement.launcher)
    let grant = try await home.grant()
    let (program, pagePort) = try await Self.page(home)
    for (port, path, status) in [(grant.port, "/api/v1/profile", 200), (pagePort, "/", 404)] {
      #expect(try await RawClient.get(path, of: port, grant.bearer).status == status)
      let foreign = try await home.run(
        Self.asAnotherUser[0],
        Array(Self.asAnotherUser.dropFirst()) + ["/usr/bin/curl", "-sS", "http://127.0.0.1:\(port)\(path)"])
      #expect([52, 56].contains(foreign.status), "closed without an answer: \(foreign)")
    }
    await program.stop()
  }

  enum Visitor: CaseIterable {
    case otherUser, goneClient
  }

  @Test(
    "on WSL, the redirect of a browser on Windows is noticed, not served, and can be pasted at once",
    arguments: Visitor.allCases)
  func noticesABrowserOnWindows(_ visitor: Visitor) async throws {
    home.sandbox.addProviderAccount(.google, email: TestHome.email, firstName: "Anna")
    home.sandbox.configure { $0.autoConsentGoogle = TestHome.email }
    let folder = home.folder.path
    let (release, seen, pasted) = (folder + "/osrelease", folder + "/seen", folder + "/pasted")
    try "5.15.153.1-microsoft-standard-WSL2\n".write(toFile: release, atomically: true, encoding: .utf8)
    let script = "mount --bind \(release) /proc/sys/kernel/osrelease && exec \"$@\""
    let onWSL = ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, "sh"]
    try await Self.restart(home, through: onWSL)
    #expect(try await home.doctor(through: onWSL).words("browser").contains("this is WSL"))

    try await ShellScript.install(
      "printf '%s' \"$*\" > \(seen).new && mv \(seen).new \(seen)", as: folder + "/desktop/xdg-open")
    let file = folder + "/terminal.py"
    let play = """
      expect('copy its address and paste it here')
      expect('A browser on Windows cannot finish the sign-in here')
      say(open('\(pasted)').read() + '\\n')
      expect('signed in to default')
      finish()
      """
    try (TerminalPlayer.script + play).write(toFile: file, atomically: true, encoding: .utf8)
    let desktop = ["DISPLAY": ":0", "TERM": "xterm", "PATH": folder + "/desktop:/usr/bin:/bin"]
    let terminal = try RunningProgram(
      "/usr/bin/python3",
      [file] + onWSL + [Programs.path("ritualctl"), "sign-in", "google", "--yes", "--timeout", "250"],
      environment: home.environment.merging(desktop) { $1 }, folder: home.folder)
    try await eventually("the browser: \(terminal.stdout)") { access(seen, F_OK) == 0 }
    let landing = try await home.finalAddress(of: try String(contentsOfFile: seen, encoding: .utf8))
    try landing.write(toFile: pasted, atomically: true, encoding: .utf8)
    try await visit(landing, as: visitor)
    let output = try await terminal.end()
    #expect(output.status == 0, "\(output)")
    #expect(try await !home.token().isEmpty)
  }

  /// Requests a URL of the agent as another user, or as a client that has gone when the agent accepts the connection.
  private func visit(_ url: String, as visitor: Visitor) async throws {
    guard visitor == .goneClient else {
      let foreign = try await home.run(
        Self.asAnotherUser[0], Array(Self.asAnotherUser.dropFirst()) + ["/usr/bin/curl", "-sS", url])
      #expect([52, 56].contains(foreign.status), "closed without an answer: \(foreign)")
      return
    }
    let (target, agent) = (try #require(URL(string: url)), try #require(await home.agentPID))
    #expect(kill(agent, SIGSTOP) == 0)
    defer { kill(agent, SIGCONT) }
    let port = UInt16(try #require(target.port))
    // Of several, all but the first are accepted beside the listening channel.
    for _ in 0..<2 {
      let socket = try connectedSocket(loopback: port)
      close(socket)
    }
  }

  @Test("where the kernel does not tell the owner of a connection, no port is opened, with the reason")
  func refusesWithoutAnOwner() async throws {
    try await home.signIn()
    try await Self.restart(home, through: Self.launcher(without: "proc,netlink"))
    let reason = "The kernel does not tell the agent which user connects to a port of this machine."
    let grant = try await home.ctl("grant")
    #expect(grant.status == 1 && grant.stderr.contains(reason) && grant.stderr.contains("AF_NETLINK"), "\(grant)")
    let page = try await Self.signIn(home).end()
    #expect(page.status == 1 && page.stderr.contains(reason) && page.stderr.contains("--no-browser"), "\(page)")
    let manual = try await home.ctl("sign-in", "google", "--account", "other", "--no-browser", "--json")
    #expect(manual.status == 4 && manual.stdout.contains("127.0.0.1%3A1022"), "\(manual)")
  }
}
