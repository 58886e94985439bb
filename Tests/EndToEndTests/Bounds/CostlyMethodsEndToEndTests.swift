import Foundation
import Glibc
import TestKit
import Testing

/// Each costly method is called on many connections of one process that reads no responses: another
/// process is served, and memory stays bounded. `script/bench` measures the latency.
@Suite(.serialized) struct CostlyMethodsEndToEndTests {
  struct Attack: Sendable, CustomTestStringConvertible {
    let method: String
    var testDescription: String { method }
    var request: String { #"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"# }
  }

  private static let attacks =
    [
      "rpc.discover", "agent.diagnose", "vault.verify", "audit.list", "audit.verify", "telemetry.snapshot",
      "agent.status", "session.list", "events.subscribe", "agent.reload",
    ].map { Attack(method: $0) }

  /// In bytes, beside the 60 MB or so of a debug build.
  private static let maxMemory = 200 * 1024 * 1024

  /// Nearly the maximum for one process.
  private static let connections = 230

  @Test(.home, arguments: attacks) func othersAreServed(_ attack: Attack) async throws {
    try await home.signIn()
    let agent = ProcessFigures(pid: try #require(await home.agentPID))
    let batch = "[" + Array(repeating: attack.request, count: 16).joined(separator: ",") + "]\n"
    var crowd: [UnreadConnection] = []
    while crowd.count < Self.connections {
      // The listen queue of the socket is full for a moment.
      guard let client = UnreadConnection(home.socket) else {
        try await Task.sleep(for: .milliseconds(10))
        continue
      }
      crowd.append(client)
    }
    for round in 0..<4 {
      for client in crowd { client.push(round % 2 == 0 ? attack.request + "\n" : batch) }
      #expect(try await home.ctl("status", "--timeout", "120").status == 0)
      #expect(try await home.ctl("token", "--timeout", "120").status == 0)
      // The address sanitizer keeps freed memory for a while.
      let memory = try agent.memory()
      #expect(Sanitizer.isOn || memory < Self.maxMemory, "\(memory / 1_048_576) MiB")
    }
    for client in crowd { client.hangUp() }
    // Pending requests of closed connections are dropped, so the agent becomes idle.
    try await eventually("the agent is at rest") {
      let before = try agent.processorTime()
      try await Task.sleep(for: .milliseconds(300))
      return try agent.processorTime() - before < 0.1
    }
    #expect(try await home.ctl("status").status == 0)
  }

  @Test("closed subscriptions use no memory of an idle agent", .home)
  func subscribersThatAreGoneAreForgotten() async throws {
    try await home.signIn()
    let agent = ProcessFigures(pid: try #require(await home.agentPID))
    func subscribe(_ count: Int) async throws {
      for number in 0..<count {
        let client = try BlockingSocket(unix: home.socket)
        let answer = await client.exchange(#"{"jsonrpc":"2.0","id":\#(number),"method":"events.subscribe"}"# + "\n")
        #expect(answer.contains("result"))
      }
    }
    try await subscribe(500)
    let before = try agent.memory()
    try await subscribe(4000)
    let growth = try agent.memory() - before
    #expect(Sanitizer.isOn || growth < 12 * 1024 * 1024, "\(growth / 1024) KiB")
  }
}

/// A connection that sends as much as the kernel accepts at once, and never reads.
private final class UnreadConnection {
  private var descriptor: Int32

  /// Nil if the listen queue is full (EAGAIN, unix(7)).
  init?(_ path: String) {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    descriptor = socket(AF_UNIX, type, 0)
    guard withUnixAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
      hangUp()
      return nil
    }
  }

  deinit { hangUp() }

  func push(_ text: String) {
    let bytes = Array(text.utf8)
    for _ in 0..<20 where send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < bytes.count { return }
  }

  func hangUp() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
