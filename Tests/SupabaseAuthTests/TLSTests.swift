import Foundation
import NIOSSL
import TestKit
import Testing

@testable import SupabaseAuth

/// Certificate and TLS version checks, with real handshakes.
@Suite struct TLSTests {
  private var folder: URL { scratchDirectory }

  /// Returns the result of `GET /user` at a server with `tls`.
  private func outcome(
    _ tls: TLSConfiguration, caFile: String? = nil, onlyThisCA: Bool = false
  ) async throws -> (code: String, requests: Int) {
    let server = try await ScriptedServer.start(tls: tls) { _ in .answer(200, [], Fixture.user) }
    let endpoint = try ProjectEndpoint(
      url: "https://127.0.0.1:\(server.port)", anonKey: "k", caFile: caFile, onlyThisCA: onlyThisCA)
    let client = SupabaseAuthClient(endpoint: endpoint, userAgent: "t", limits: .generous)
    let code: String
    do throws(AuthError) {
      code = try await client.user(Fixture.bearer).email
    } catch {
      code = error.code.rawValue
    }
    await client.shutdown()
    try await server.stop()
    return (code, server.requests.count)
  }

  @Test(.scratchDirectory) func anUnknownAuthorityIsRefused() async throws {
    let authority = try await TestAuthority("a", in: folder)
    let result = try await outcome(try await authority.server(for: "IP:127.0.0.1"))
    #expect(result == ("tls", 0))
  }

  @Test(.scratchDirectory, arguments: [false, true]) func theConfiguredAuthorityIsAccepted(only: Bool) async throws {
    let authority = try await TestAuthority("a", in: folder)
    let result = try await outcome(
      try await authority.server(for: "IP:127.0.0.1"), caFile: authority.file, onlyThisCA: only)
    #expect(result == ("gina@lab.test", 1))
  }

  @Test(.scratchDirectory, arguments: [false, true]) func anotherAuthorityIsRefused(only: Bool) async throws {
    let (mine, other) = (try await TestAuthority("a", in: folder), try await TestAuthority("b", in: folder))
    let result = try await outcome(try await other.server(for: "IP:127.0.0.1"), caFile: mine.file, onlyThisCA: only)
    #expect(result == ("tls", 0))
  }

  @Test(.scratchDirectory) func aCertificateOfAnotherHostIsRefused() async throws {
    let authority = try await TestAuthority("a", in: folder)
    let result = try await outcome(try await authority.server(for: "IP:127.0.0.2"), caFile: authority.file)
    #expect(result == ("tls", 0))
  }

  @Test(arguments: [(TLSVersion.tlsv11, "tls", 0), (.tlsv12, "gina@lab.test", 1), (.tlsv13, "gina@lab.test", 1)])
  func versions(newest: TLSVersion, code: String, requests: Int) async throws {
    try await withScratchDirectory { folder in
      let authority = try await TestAuthority("a", in: folder)
      var tls = try await authority.server(for: "IP:127.0.0.1")
      tls.minimumTLSVersion = .tlsv1
      tls.maximumTLSVersion = newest
      let result = try await outcome(tls, caFile: authority.file)
      #expect(result == (code, requests))
    }
  }

  @Test(arguments: ["missing", "empty", "garbage"]) func unusableAuthorityFile(kind: String) async throws {
    try await withScratchDirectory { folder in
      let file = folder.appending(path: "ca.pem")
      if kind != "missing" { try Data((kind == "empty" ? "" : "-----BEGIN X").utf8).write(to: file) }
      let authority = try await TestAuthority("a", in: folder)
      for only in [false, true] {
        let result = try await outcome(
          try await authority.server(for: "IP:127.0.0.1"), caFile: file.path, onlyThisCA: only)
        #expect(result == ("tls", 0))
      }
    }
  }

  @Test(.scratchDirectory) func theCausesOfARefusalAreForTheJournal() async throws {
    let authority = try await TestAuthority("a", in: folder)
    let server = try await ScriptedServer.start(tls: try await authority.server(for: "IP:127.0.0.1")) { _ in .drop }
    let endpoint = try ProjectEndpoint(url: "https://127.0.0.1:\(server.port)", anonKey: "k")
    let client = SupabaseAuthClient(endpoint: endpoint, userAgent: "t", limits: .generous)
    let error = try await authError { try await client.user(Fixture.bearer) }
    #expect("\(try #require(error.cause))".contains("certificate verify failed"))
    #expect(ClassifyRefreshTests.text(await client.refresh(RefreshToken("t"))) == "transient tls")
    await client.shutdown()
    try await server.stop()
  }

  @Test(.scratchDirectory) func rootsOfTheSystemCountUnlessOnlyThisCA() async throws {
    let file = try await TestAuthority("a", in: folder).file
    let extra = try TrustSettings.configuration(for: ProjectEndpoint(url: "https://a.test", anonKey: "k", caFile: file))
    let only = try TrustSettings.configuration(
      for: ProjectEndpoint(url: "https://a.test", anonKey: "k", caFile: file, onlyThisCA: true))
    #expect(extra.trustRoots == .default && extra.additionalTrustRoots.count == 1)
    #expect(only.trustRoots != .default && only.additionalTrustRoots.isEmpty)
    for tls in [extra, only] {
      #expect(tls.minimumTLSVersion == .tlsv12)
      #expect("\(tls.certificateVerification)" == "fullVerification")
    }
  }

  /// TLS waits 5 s for the peer's close_notify; a server that hangs must not delay the shutdown.
  @Test(.scratchDirectory) func shutdownIsBounded() async throws {
    let authority = try await TestAuthority("a", in: folder)
    let hang = DispatchSemaphore(value: 0)
    let server = try await ScriptedServer.start(tls: try await authority.server(for: "IP:127.0.0.1")) { _ in
      hang.wait()
      return .drop
    }
    let endpoint = try ProjectEndpoint(url: "https://127.0.0.1:\(server.port)", anonKey: "k", caFile: authority.file)
    let limits = RequestLimits(connect: .seconds(240), request: .seconds(240), shutdown: .milliseconds(200))
    let client = SupabaseAuthClient(endpoint: endpoint, userAgent: "t", limits: limits)
    async let call = authError { try await client.user(Fixture.bearer) }
    for await event in server.events { if case .request = event { break } }
    let start = ContinuousClock.now
    await client.shutdown()
    #expect(start.duration(to: .now) < .seconds(60))
    hang.signal()
    _ = try await call
    try await server.stop()
  }

  @Test func plainTextWhereTLSBelongs() async throws {
    let server = try await ScriptedServer.start { _ in .answer(200, [], Fixture.user) }
    let endpoint = try ProjectEndpoint(url: "https://127.0.0.1:\(server.port)", anonKey: "k")
    let client = SupabaseAuthClient(endpoint: endpoint, userAgent: "t", limits: .generous)
    let error = try await authError { try await client.user(Fixture.bearer) }
    #expect([.network, .tls].contains(error.code))
    #expect(server.requests.isEmpty)
    await client.shutdown()
    try await server.stop()
  }
}
