import Synchronization
import TestKit
import Testing

@testable import SupabaseAuth

/// Network failures during an exchange.
@Suite(.timeLimit(.minutes(5))) struct TransportTests {
  private static let short = RequestLimits(connect: .seconds(60), request: .milliseconds(300))
  private static let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n"

  private func refresh(_ client: SupabaseAuthClient) async -> String {
    ClassifyRefreshTests.text(await client.refresh(RefreshToken("t")))
  }

  @Test(.server { _ in .drop }) func droppedConnection() async throws {
    #expect(await refresh(client) == "transient network")
    #expect(server.requests.count == 1, "nothing is sent twice")
  }

  @Test func truncatedBody() async throws {
    try await withServer({ _ in .bytesThenClose(Self.head + "{\"access_token\":") }) { client, server in
      #expect(["transient network", "transient unreadable"].contains(await refresh(client)))
      #expect(server.requests.count == 1)
    }
  }

  @Test func truncatedChunks() async throws {
    let text = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"acc"
    try await withServer({ _ in .bytesThenClose(text) }) { client, server in
      #expect(["transient network", "transient unreadable"].contains(await refresh(client)))
      #expect(server.requests.count == 1)
    }
  }

  @Test(.server { _ in .bytesThenClose("SSH-2.0-OpenSSH_9.2\r\n") }) func noHTTPAtAll() async throws {
    #expect(await refresh(client) == "transient unreadable")
  }

  @Test(arguments: [Reply.silence, .bytesThenSilence("HTTP/1.1 200 OK\r\n"), .bytesThenSilence(head + "{")])
  func silence(reply: Reply) async throws {
    try await withServer(limits: Self.short, { _ in reply }) { client, server in
      #expect(await refresh(client) == "transient timeout")
      // Zero requests if the machine is so busy that the time limit passes first.
      #expect(server.requests.count <= 1, "nothing is sent twice")
    }
  }

  @Test func refusedConnection() async throws {
    let port = DeadPort()
    let endpoint = try ProjectEndpoint(url: "http://127.0.0.1:\(port.number)", anonKey: "k")
    // These limits are never reached: the response is immediate, or the test does not end.
    let limits = RequestLimits(connect: .seconds(3600), request: .seconds(3600))
    let client = SupabaseAuthClient(endpoint: endpoint, userAgent: "t", limits: limits)
    #expect(await refresh(client) == "transient network")
    await client.shutdown()
    port.release()
  }

  @Test func aNameThatDoesNotExist() async throws {
    let endpoint = try ProjectEndpoint(url: "https://project.invalid", anonKey: "k")
    let client = SupabaseAuthClient(endpoint: endpoint, userAgent: "t", limits: RequestLimits(request: .seconds(3)))
    // A resolver that does not answer is equivalent to one that reports an unknown name.
    #expect(["transient network", "transient timeout"].contains(await refresh(client)))
    await client.shutdown()
  }

  @Test func redirectsAreNotFollowed() async throws {
    let script: @Sendable (SeenRequest) -> Reply = { _ in .answer(307, [("location", "/auth/v1/elsewhere")]) }
    try await withServer(script) { client, server in
      #expect(await refresh(client) == "misconfigured gatewayRefused")
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: [true, false]) func bodyOverTheLimit(announced: Bool) async throws {
    let body = String(repeating: "x", count: 2000)
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n7d0\r\n\(body)\r\n0\r\n\r\n"
    let limits = RequestLimits(connect: .seconds(240), request: .seconds(240), body: 1000)
    try await withServer(limits: limits, { _ in announced ? .answer(200, [], body) : .bytesThenSilence(chunked) }) {
      client, _ in
      #expect(await refresh(client) == "transient tooLarge")
    }
  }

  @Test func aRefusalCountsHoweverLongItsPage() async throws {
    let page = String(repeating: "x", count: 2000)
    try await withServer(
      limits: RequestLimits(connect: .seconds(240), request: .seconds(240), body: 1000), { _ in .answer(404, [], page) }
    ) { client, _ in
      #expect(await refresh(client) == "misconfigured notFound")
    }
  }

  @Test func connectionsAreKeptForTheNextCall() async throws {
    try await withServer(
      limits: RequestLimits(connect: .seconds(240), request: .seconds(240), idle: .seconds(60)),
      { _ in .answer(200, [], Fixture.user) }
    ) {
      client, server in
      for _ in 0..<5 { _ = try await client.user(Fixture.bearer) }
      #expect(server.requests.count == 5)
      #expect(server.connections == 1)
    }
  }

  @Test func idleConnectionsEndWhenTheNetworkChanges() async throws {
    let isHeld = Mutex(false)
    try await withServer(
      limits: RequestLimits(connect: .seconds(240), request: .seconds(240), idle: .seconds(3600)),
      { _ in isHeld.withLock { $0 } ? .silence : .answer(200, [], Fixture.user) }
    ) { client, server in
      _ = try await client.user(Fixture.bearer)
      client.dropIdleConnections()
      for await event in server.events { if case .closed = event { break } }
      _ = try await client.user(Fixture.bearer)
      #expect(server.connections == 2)
      // A request in flight keeps its connection.
      isHeld.withLock { $0 = true }
      let task = Task { try await client.user(Fixture.bearer) }
      for await event in server.events {
        if case .request = event, server.requests.count == 3 { break }
      }
      client.dropIdleConnections()
      isHeld.withLock { $0 = false }
      _ = try await client.user(Fixture.bearer)
      #expect(server.connections == 3)
      task.cancel()
      for await event in server.events { if case .closed = event { break } }
      #expect(try await authError { try await task.value }.code == .cancelled)
    }
  }

  /// A client cannot close after its thread has ended: its last promise is then never kept.
  @Test(.server { _ in .answer(200, [], Fixture.user) }) func shutdownWaitsForConnectionsThatEnd() async throws {
    for _ in 0..<200 {
      let client = SupabaseAuthClient(endpoint: client.endpoint, userAgent: "t", limits: client.limits)
      _ = try await client.user(Fixture.bearer)
      client.dropIdleConnections()
      await client.shutdown()
    }
  }

  @Test(.server { _ in .silence }) func aCancelledTaskCancelsItsRequest() async throws {
    let task = Task { await refresh(client) }
    for await event in server.events {
      if case .request = event { task.cancel() }
      if case .closed = event { break }
    }
    #expect(await task.value == "transient cancelled")
  }

  @Test(.server { _ in .answer(200, [], Fixture.user) }) func afterShutdownNothingIsSent() async throws {
    _ = try await client.user(Fixture.bearer)
    await client.shutdown()
    await client.shutdown()
    let error = try await authError { try await client.user(Fixture.bearer) }
    #expect(error.code == .shutDown)
    #expect(server.requests.count == 1)
  }

  @Test(.server { _ in .silence }) func shutdownEndsWhatRuns() async throws {
    async let call = authError { try await client.user(Fixture.bearer) }
    for await event in server.events { if case .request = event { break } }
    let start = ContinuousClock.now
    await client.shutdown()
    #expect(start.duration(to: .now) < .seconds(60))
    let code = try await call.code
    #expect(code != .timeout)
  }

  @Test func clientsThatNobodyShutsDown() async throws {
    let server = try await ScriptedServer.start { _ in .answer(200, [], Fixture.user) }
    do {
      let endpoint = try ProjectEndpoint(url: server.url, anonKey: "k")
      _ = try await SupabaseAuthClient(endpoint: endpoint, userAgent: "t", limits: .generous).user(Fixture.bearer)
    }
    for await event in server.events { if case .closed = event { break } }
    #expect(server.requests.count == 1)
    try await server.stop()
  }

  @Test(.server { _ in .answer(200, [], Fixture.user) }) func manyAtOnce() async throws {
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 { group.addTask { try await client.user(Fixture.bearer).email } }
      for try await email in group { #expect(email == "gina@lab.test") }
    }
    #expect(server.requests.count == 50)
  }
}
