import AgentProtocol
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import TestKit
import Testing

@testable import SignInFlows

@Suite(.timeLimit(.minutes(10))) struct LoopbackListenerTests {
  private var port: Int { RunningListener.running.current.port }
  private var reached: [String] { RunningListener.running.current.reached.list.withLock { $0 } }

  /// The text with the listener's port in place of `PORT`.
  private func placed(_ text: String) -> String { text.replacing("PORT", with: "\(port)") }

  @Test("SI-8: a navigation is served, also from clients that send no Sec-Fetch headers", .listener)
  func serves() async throws {
    for headers in [[:], ["Sec-Fetch-Mode": "", "Sec-Fetch-Dest": ""]] {
      let reply = try await LoopbackClient.get(port, "/callback?code=1", headers: headers)
      #expect(reply.status == 200 && reply.body == "<p>served</p>")
    }
    #expect(reached == ["/callback?code=1", "/callback?code=1"])
  }

  @Test(
    "SI-8: a request that is no navigation by a person is refused before it reaches the handler", .listener,
    arguments: [
      ("HEAD", [:], 405), ("DELETE", [:], 405), ("OPTIONS", [:], 405), ("PUT", [:], 405),
      ("GET", ["Host": "localhost:PORT"], 421), ("GET", ["Host": "127.0.0.1"], 421),
      ("GET", ["Host": "evil.example:PORT"], 421), ("GET", ["Host": "[::1]:PORT"], 421), ("GET", ["Host": ""], 421),
      ("GET", ["Host": "127.0.0.1:1"], 421),
      ("GET", ["Sec-Fetch-Dest": "iframe"], 403), ("GET", ["Sec-Fetch-Dest": "image"], 403),
      ("GET", ["Sec-Fetch-Dest": "empty"], 403), ("GET", ["Sec-Fetch-Mode": "no-cors"], 403),
      ("GET", ["Sec-Fetch-Mode": "cors"], 403), ("GET", ["Sec-Purpose": "prefetch;prerender"], 403),
    ] as [(String, [String: String], Int)])
  func refuses(method: String, headers: [String: String], status: Int) async throws {
    let reply = try await LoopbackClient.get(
      port, "/callback?code=1", method: method, headers: headers.mapValues(placed))
    #expect(reply.status == status)
    #expect(reached.isEmpty)
  }

  @Test(
    "SI-9: a form is accepted from the listener's own page only, at its own host, and of one type", .listener,
    arguments: [
      (["Host": "localhost:PORT"], 421), (["Host": "evil.example:PORT"], 421), (["Host": ""], 421),
      (["Origin": ""], 403), (["Origin": "null"], 403), (["Origin": "http://127.0.0.1"], 403),
      (["Origin": "http://localhost:PORT"], 403), (["Origin": "https://127.0.0.1:PORT"], 403),
      (["Origin": "http://127.0.0.1:1"], 403), (["Origin": "http://evil.example"], 403),
      (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
      (["Sec-Fetch-Site": "none"], 403), (["Sec-Fetch-Mode": "cors"], 403), (["Sec-Fetch-Mode": "no-cors"], 403),
      (["Sec-Fetch-Dest": "empty"], 403), (["Sec-Fetch-Dest": "iframe"], 403),
      (["Content-Type": "text/plain"], 415), (["Content-Type": "application/json"], 415),
      (["Content-Type": "multipart/form-data"], 415), ([:], 200),
    ] as [([String: String], Int)])
  func refusesForms(headers: [String: String], status: Int) async throws {
    let visitor = PageVisitor(port: port)
    let reply = try await visitor.request(
      "/sign-in/email", method: "POST", headers: headers.mapValues(placed), body: PageVisitor.signInForm)
    #expect(reply.status == status)
    #expect(reached.isEmpty == (status != 200))
  }

  @Test(
    "rejects two Host headers, another form of target, and text that is not HTTP", .listener,
    arguments: [
      ("GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: 127.0.0.1:PORT\r\n\r\n", 421),
      ("GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 400),
      ("\u{16}\u{3}\u{1}\r\n\r\n", 400), ("nonsense\r\n\r\n", 400),
    ])
  func refusesOddRequests(request: String, status: Int) async throws {
    #expect(try await LoopbackClient.send(port, placed(request)).status == status)
    #expect(reached.isEmpty)
  }

  @Test("the request line, the headers and the body of a request are bounded", .listener { $0.maxRequestBytes = 4096 })
  func boundsRequests() async throws {
    let long = String(repeating: "a", count: 5000)
    for request in [
      "GET /\(long) HTTP/1.1\r\n", "GET / HTTP/1.1\r\nX: \(long)\r\n",
      "GET / HTTP/1.1\r\nContent-Length: 9999\r\n\r\n\(long)",
    ] {
      let reply = try await LoopbackClient.send(port, request)
      #expect(reply.status == 431 || reply.status == 0, "the answer may be lost where bytes were left unread")
    }
    #expect(reached.isEmpty)
    #expect(try await LoopbackClient.get(port, "/").status == 200)
  }

  @Test(
    "a connection without a request, or with a slow one, times out",
    .listener { $0.requestTimeout = .milliseconds(50) }, arguments: ["", "GET / HTTP/1.1\r\nHost:"])
  func closesIdleConnections(text: String) async throws {
    #expect(try await LoopbackClient.send(port, text).status == 0)
    #expect(reached.isEmpty)
  }

  // The idle connections stay open on a busy machine, too.
  @Test(
    "connections above the limit are closed, until others have ended",
    .listener { ($0.maxConnections, $0.requestTimeout) = (2, .hours(1)) })
  func boundsConnections() async throws {
    let idle = try [LoopbackClient.connect(port), LoopbackClient.connect(port)]
    let refused = try? await LoopbackClient.get(port, "/").status
    #expect(refused != 200)
    for descriptor in idle { close(descriptor) }
    try await eventually("room again") { try await LoopbackClient.get(port, "/").status == 200 }
  }

  @Test(
    "SI-8: another user of this machine is not served", .enabled(if: geteuid() == 0, "only root can be another user"),
    .listener)
  func refusesForeignUsers() async throws {
    let reply = try await LoopbackClient.get(port, "/callback?code=1", uid: 65_534)
    #expect(reply.status == 0, "closed without an answer")
    #expect(reached.isEmpty)
    #expect(try await LoopbackClient.get(port, "/").status == 200)
  }

  @Test(
    "idle connections of another user do not count against the limit",
    .enabled(if: geteuid() == 0, "only root can be another user"), .listener)
  func foreignConnectionsDoNotCount() async throws {
    var idle: [Int32] = []
    defer { for descriptor in idle { close(descriptor) } }
    for _ in 0..<48 { if let descriptor = try? LoopbackClient.connect(port, uid: 65_534) { idle.append(descriptor) } }
    #expect(idle.count >= 32)
    for _ in 0..<4 { #expect(try await LoopbackClient.get(port, "/").status == 200) }
    // Each connection was closed at once, not after the request timeout.
    for descriptor in idle { #expect(LoopbackClient.readAll(descriptor).isEmpty) }
    #expect(reached.count == 4)
  }

  @Test("rejects a port that is in use", .listener)
  func namesATakenPort() async throws {
    let kind = await errorKind {
      try await LoopbackListener.open(port: port, on: MultiThreadedEventLoopGroup.singleton) { _ in .refused(404) }
    }
    #expect(kind == .invalidParams)
  }
}

/// A listener that answers every target.
private struct RunningListener: Sendable {
  let port: Int
  let reached: ReachedTargets

  static let running = TestFixture<RunningListener>()
}

/// The targets that reached a listener's handler.
private final class ReachedTargets: Sendable {
  let list = Mutex<[String]>([])
}

extension Trait where Self == FixtureTrait {
  fileprivate static var listener: Self { listener { _ in } }

  /// Gives the test a listener with these bounds.
  fileprivate static func listener(_ change: @escaping @Sendable (inout LoopbackLimits) -> Void) -> Self {
    RunningListener.running.trait { body in
      var bounds = LoopbackLimits()
      change(&bounds)
      let reached = ReachedTargets()
      let group = MultiThreadedEventLoopGroup.singleton
      let listener = try await LoopbackListener.open(port: nil, on: group, bounds: bounds) { request in
        reached.list.withLock { $0.append(request.target) }
        return .page("<p>served</p>")
      }
      let result: Result<Void, any Error>
      do { result = .success(try await body(RunningListener(port: listener.port, reached: reached))) } catch {
        result = .failure(error)
      }
      await listener.close()
      try result.get()
    }
  }
}
