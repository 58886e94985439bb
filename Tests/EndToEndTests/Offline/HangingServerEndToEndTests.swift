import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(3))) struct HangingServerEndToEndTests {
  enum HangKind: String, CaseIterable, Sendable {
    /// The server accepts the connection and the request, and never responds.
    case silence
    /// The server accepts the connection, and never responds to the TLS handshake.
    case handshake
    /// The server's name is never resolved.
    case name
  }

  /// More than the machine has cores, and more than a small thread pool could serve.
  private static let many = 8

  /// A TCP port whose connections the kernel accepts, but no program.
  private static func silentPort() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    return (descriptor, try bindLoopback(descriptor, "127.0.0.1", 0, listening: true))
  }

  private static func bindLoopback(
    _ descriptor: Int32, _ host: String, _ port: UInt16, listening: Bool
  ) throws -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && (!listening || listen(descriptor, 64) == 0)
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw ConditionTimeout(what: "a silent port: errno \(errno)") }
    return UInt16(bigEndian: address.sin_port)
  }

  @Test(
    "hanging servers delay no other account, no event, and no stop", arguments: HangKind.allCases)
  func delaysNobody(trouble: HangKind) async throws {
    if trouble == .name, geteuid() != 0 { return }
    try await withTestHome { home in
      let (silent, port) = try Self.silentPort()
      let nameServer = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      defer { for descriptor in [silent, nameServer] { close(descriptor) } }
      if trouble == .name { _ = try Self.bindLoopback(nameServer, "127.0.0.77", 53, listening: false) }
      for number in 0..<Self.many {
        let url =
          switch trouble {
          case .silence: "http://127.0.0.1:\(port)"
          case .handshake: "https://127.0.0.1:\(port)"
          case .name: "https://host-\(number).invalid.example.org"
          }
        try home.add(project: "hang-\(number)", url: url)
      }
      try await home.killAgent()
      try await home.startAgent(through: trouble == .name ? Self.withNameServer("127.0.0.77", home) : [])
      try await home.signIn("--account", "good", "--project", "default")
      let subscriber = try SocketTool(home.socket)
      try subscriber.send(#"{"jsonrpc":"2.0","id":1,"method":"events.subscribe"}"#)
      let hanging = try (0..<Self.many).map { number in
        try home.start(
          [
            "sign-in", "email", "--account", "h\(number)", "--project", "hang-\(number)", "--email", TestHome.email,
            "--password-stdin",
          ], input: TestHome.password + "\n")
      }
      try await eventually("all hang") {
        let accounts = try await home.report().accounts
        return accounts.count == 1 && hanging.allSatisfy(\.isRunning)
      }
      #expect(try await home.ctl("refresh", "--account", "good").status == 0)
      while try await !subscriber.line().contains("TOKEN_REFRESHED") {}
      let stillHang = hanging.allSatisfy(\.isRunning)
      #expect(stillHang, "they are what the others did not wait for")
      #expect(try await home.endAgent() == 0)
      for program in hanging { await program.stop() }
    }
  }

  /// A launcher that runs a program in a mount namespace whose resolver queries `address`.
  private static func withNameServer(_ address: String, _ home: TestHome) throws -> [String] {
    let file = home.folder.appendingPathComponent("resolv.conf")
    try Data("nameserver \(address)\noptions timeout:30 attempts:3\n".utf8).write(to: file)
    let script = "mount --make-rprivate / && mount --bind \(file.path) /etc/resolv.conf && exec \"$@\""
    return ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, "sh"]
  }
}

extension TestHome {
  /// Appends a project to the configuration.
  nonisolated fileprivate func add(project: String, url: String) throws {
    try append("\n[projects.\(project)]\nurl = \"\(url)\"\nanon_key = \"anon\"\n")
  }
}
