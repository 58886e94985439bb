import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// The network is down and comes back.
@Suite(.timeLimit(.minutes(10)), .enabled(if: NetworkNamespace.isPossible, "a network of its own needs root"))
struct NetworkReturnEndToEndTests {
  private struct Announcement: Decodable {
    var url: String
    var anonKey: String
  }

  /// Runs `body` with an agent and a sandbox in a network namespace.
  private func withNetwork(_ body: (TestHome, NetworkNamespace) async throws -> Void) async throws {
    try await withTestHome { home in
      let network = try await NetworkNamespace(folder: home.folder)
      try await network.setLoopback(up: true)
      let arguments = [Programs.path("ritual-sandbox"), "--user", "\(TestHome.email):\(TestHome.password)"]
      let server = try RunningProgram(
        network.launcher[0], Array(network.launcher.dropFirst()) + arguments, environment: home.environment,
        folder: home.folder)
      try await withCleanup {
        await home.stopAgent()
        await server.stop()
        await network.end()
      } _: {
        try await eventually("the sandbox listens") { server.stdout.contains("\n") }
        let told = try JSONDecoder().decode(Announcement.self, from: Data(server.stdout.utf8))
        try await home.killAgent()
        try await home.startAgent(through: network.launcher)
        let output = try await home.ctl(
          "init", "--project", "net", "--project-url", told.url, "--anon-key", told.anonKey)
        #expect(output.status == 0, "\(output.stderr)")
        try await home.signIn("--account", "net", "--project", "net")
        try await body(home, network)
      }
    }
  }

  @Test("an overdue refresh is sent at once when a route comes back, whatever the pause was")
  func refreshesWhenTheNetworkReturns() async throws {
    try await withNetwork { home, network in
      try await network.setLoopback(up: false)
      // Each command waits some seconds for attempts; the pause is long after about ten of them.
      try await eventually(within: .seconds(240), "the pause is long") {
        #expect(try await home.ctl("refresh", "--account", "net").status == 7)
        return try await Self.plannedTry(home).timeIntervalSinceNow >= Self.longPause
      }
      #expect(try await home.accountStatus("net").state == "degraded")
      let planned = try await Self.plannedTry(home)
      try await network.setLoopback(up: true)
      try await eventually("the refresh went out") { try await home.accountStatus("net").state == "authenticated" }
      #expect(Date() < planned, "it did not wait for the end of the pause")
    }
  }

  /// Seconds; longer than the test waits for anything.
  private static let longPause = 90.0

  private static func plannedTry(_ home: TestHome) async throws -> Date {
    let next = try await home.accountStatus("net").refresh?.nextAt.flatMap(ISO8601DateFormatter().date(from:))
    return next ?? .distantPast
  }

  @Test("SE-3, SE-4: without network, the agent starts, issues tokens, shows its status and signs out at once")
  func worksWithoutNetwork() async throws {
    try await withNetwork { home, network in
      let token = try await home.token("--account", "net")
      try await network.setLoopback(up: false)
      try await home.killAgent()
      try await home.startAgent(through: network.launcher)
      #expect(try await home.token("--account", "net") == token)
      #expect(try await home.accountStatus("net").state == "authenticated")
      let out = try await home.ctl("sign-out", "--account", "net")
      #expect(out.status == 0)
      try await network.setLoopback(up: true)
      try await eventually("the server was told") { try await home.report().health.isEmpty }
    }
  }
}

/// A network namespace with loopback only, whose routes a test can remove and restore. Requires
/// root.
final class NetworkNamespace: Sendable {
  static var isPossible: Bool { geteuid() == 0 }

  private let holder: RunningProgram
  private let folder: URL

  init(folder: URL) async throws {
    self.folder = folder
    holder = try RunningProgram("/usr/bin/unshare", ["-n", "/bin/sleep", "infinity"], environment: [:], folder: folder)
    try await eventually("the namespace is there") { [pid = holder.pid] in
      let ours = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/net")
      return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/ns/net") != ours
    }
  }

  /// The command that runs a program in the namespace.
  var launcher: [String] { ["/usr/bin/nsenter", "-t", "\(holder.pid)", "-n"] }

  /// Sets loopback up or down; its routes follow.
  func setLoopback(up: Bool) async throws {
    let words = Array(launcher.dropFirst()) + ["/usr/sbin/ip", "link", "set", "lo", up ? "up" : "down"]
    let output = try await RunningProgram(launcher[0], words, environment: [:], folder: folder).end()
    guard output.status == 0 else { throw ConditionTimeout(what: "loopback: \(output.stderr)") }
  }

  func end() async { await holder.stop() }
}
