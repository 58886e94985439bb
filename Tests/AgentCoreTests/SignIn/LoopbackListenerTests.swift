import AgentProtocol
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import TestKit
import Testing

@testable import SignInFlows

@Suite(.timeLimit(.minutes(10))) struct LoopbackListenerTests {
  /// Runs `body` with the port of a listener that answers every target, and with the targets that
  /// reached its handler.
  private func withListener(
    bounds: LoopbackLimits = LoopbackLimits(), _ body: (Int, ReachedTargets) async throws -> Void
  ) async throws {
    let reached = ReachedTargets()
    let listener = try await LoopbackListener.open(port: nil, on: MultiThreadedEventLoopGroup.singleton, bounds: bounds)
    {
      reached.add($0.target)
      return .page("<p>served</p>")
    }
    do { try await body(listener.port, reached) } catch {
      await listener.close()
      throw error
    }
    await listener.close()
  }

  @Test("SI-8: a navigation is served, with headers that isolate the page")
  func serves() async throws {
    try await withListener { port, reached async throws in
      let reply = try await LoopbackClient.get(port, "/callback?code=1")
      #expect(reply.status == 200)
      #expect(reply.body == "<p>served</p>")
      #expect(reply.headers["cache-control"] == "no-store")
      #expect(reply.headers["referrer-policy"] == "same-origin")
      #expect(reply.headers["x-content-type-options"] == "nosniff")
      let policy = try #require(reply.headers["content-security-policy"])
      #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
      #expect(reached.targets == ["/callback?code=1"])
    }
  }

  @Test("clients that send no Sec-Fetch headers are served")
  func servesPlainClients() async throws {
    try await withListener { port, _ async throws in
      #expect(
        try await LoopbackClient.get(port, "/", headers: ["Sec-Fetch-Mode": "", "Sec-Fetch-Dest": ""]).status == 200)
    }
  }

  @Test(
    "SI-8: a request that is no navigation by a person is refused before it reaches the handler",
    arguments: [
      ("HEAD", [:], 405), ("DELETE", [:], 405), ("OPTIONS", [:], 405), ("PUT", [:], 405),
      ("GET", ["Host": "localhost"], 421), ("GET", ["Host": "127.0.0.1"], 421), ("GET", ["Host": "evil.example"], 421),
      ("GET", ["Host": ""], 421), ("GET", ["Host": "127.0.0.1:1"], 421),
      ("GET", ["Sec-Fetch-Dest": "iframe"], 403), ("GET", ["Sec-Fetch-Dest": "image"], 403),
      ("GET", ["Sec-Fetch-Dest": "empty"], 403), ("GET", ["Sec-Fetch-Mode": "no-cors"], 403),
      ("GET", ["Sec-Fetch-Mode": "cors"], 403), ("GET", ["Sec-Purpose": "prefetch;prerender"], 403),
    ] as [(String, [String: String], Int)])
  func refuses(method: String, headers: [String: String], status: Int) async throws {
    try await withListener { port, reached async throws in
      let reply = try await LoopbackClient.get(port, "/callback?code=1", method: method, headers: headers)
      #expect(reply.status == status)
      #expect(reached.targets.isEmpty)
    }
  }

  @Test(
    "rejects two Host headers, another form of target, and text that is not HTTP",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: 127.0.0.1:PORT\r\n\r\n", 421),
      ("GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 400),
      ("\u{16}\u{3}\u{1}\r\n\r\n", 400), ("nonsense\r\n\r\n", 400),
    ])
  func refusesOddRequests(request: String, status: Int) async throws {
    try await withListener { port, reached async throws in
      let reply = try await LoopbackClient.send(
        port, request.split(separator: "PORT", omittingEmptySubsequences: false).joined(separator: "\(port)"))
      #expect(reply.status == status)
      #expect(reached.targets.isEmpty)
    }
  }

  @Test("the request line, the headers and the body of a request are bounded")
  func boundsRequests() async throws {
    var bounds = LoopbackLimits()
    bounds.maxRequestBytes = 4096
    try await withListener(bounds: bounds) { port, reached async throws in
      let long = String(repeating: "a", count: 5000)
      for request in [
        "GET /\(long) HTTP/1.1\r\n", "GET / HTTP/1.1\r\nX: \(long)\r\n",
        "GET / HTTP/1.1\r\nContent-Length: 9999\r\n\r\n\(long)",
      ] {
        let reply = try await LoopbackClient.send(port, request)
        #expect(reply.status == 431 || reply.status == 0, "the answer may be lost where bytes were left unread")
      }
      #expect(reached.targets.isEmpty)
      #expect(try await LoopbackClient.get(port, "/").status == 200)
    }
  }

  @Test("a connection without a request, or with a slow one, times out")
  func closesIdleConnections() async throws {
    var bounds = LoopbackLimits()
    bounds.requestTimeout = .milliseconds(50)
    try await withListener(bounds: bounds) { port, reached async throws in
      #expect(try await LoopbackClient.send(port, "").status == 0)
      #expect(try await LoopbackClient.send(port, "GET / HTTP/1.1\r\nHost:").status == 0)
      #expect(reached.targets.isEmpty)
    }
  }

  @Test("connections above the limit are closed, until others have ended")
  func boundsConnections() async throws {
    var bounds = LoopbackLimits()
    bounds.maxConnections = 2
    // The idle connections stay open on a busy machine, too.
    bounds.requestTimeout = .hours(1)
    try await withListener(bounds: bounds) { port, _ async throws in
      let idle = try [LoopbackClient.connect(port), LoopbackClient.connect(port)]
      let refused = try? await LoopbackClient.get(port, "/").status
      #expect(refused != 200)
      for descriptor in idle { close(descriptor) }
      try await eventually("room again") { try await LoopbackClient.get(port, "/").status == 200 }
    }
  }

  @Test(
    "SI-8: another user of this machine is not served", .enabled(if: geteuid() == 0, "only root can be another user"))
  func refusesForeignUsers() async throws {
    try await withListener { port, reached async throws in
      let reply = try await LoopbackClient.get(port, "/callback?code=1", uid: 65_534)
      #expect(reply.status == 0, "closed without an answer")
      #expect(reached.targets.isEmpty)
      #expect(try await LoopbackClient.get(port, "/").status == 200)
    }
  }

  @Test(
    "idle connections of another user do not count against the limit",
    .enabled(if: geteuid() == 0, "only root can be another user"))
  func foreignConnectionsDoNotCount() async throws {
    try await withListener { port, reached async throws in
      var idle: [Int32] = []
      defer { for descriptor in idle { close(descriptor) } }
      for _ in 0..<48 { if let descriptor = try? LoopbackClient.connect(port, uid: 65_534) { idle.append(descriptor) } }
      #expect(idle.count >= 32)
      for _ in 0..<4 { #expect(try await LoopbackClient.get(port, "/").status == 200) }
      // Each connection was closed at once, not after the request timeout.
      for descriptor in idle { #expect(LoopbackClient.readAll(descriptor).isEmpty) }
      #expect(reached.targets.count == 4)
    }
  }

  @Test("rejects a port that is in use")
  func namesATakenPort() async throws {
    try await withListener { port, _ async throws in
      let kind = await errorKind {
        try await LoopbackListener.open(port: port, on: MultiThreadedEventLoopGroup.singleton) { _ in .refused(404) }
      }
      #expect(kind == .invalidParams)
    }
  }
}

/// The targets that reached the handler. Thread-safe.
final class ReachedTargets: Sendable {
  private let list = Mutex<[String]>([])

  var targets: [String] { list.withLock { $0 } }

  func add(_ target: String) { list.withLock { $0.append(target) } }
}
