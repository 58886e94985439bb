import AccessControl
import AgentProtocol
import AgentServer
import FoundationEssentials
import Glibc
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import SessionEngine
import SystemSupport
import TestKit
import Testing

@testable import Egress

/// The pure parts of the egress proxy.
@Suite struct EgressPartsTests {
  @Test(
    "EG-3: URLs of the project and the API become the client's",
    arguments: [
      ("https://p.supabase.co/storage/v1/upload/7?a=b", "http://office/storage/v1/upload/7?a=b"),
      ("https://P.supabase.co:443/x", "http://office/x"), ("https://api.example.org", "http://office"),
      ("https://p.supabase.co/base/rest/v1/x#f", "http://office/rest/v1/x#f"),
      ("/relative", "/relative"), ("https://other.example/x", "https://other.example/x"),
      ("http://p.supabase.co/x", "http://p.supabase.co/x"),
      ("https://p.supabase.co.evil.example/x", "https://p.supabase.co.evil.example/x"),
      ("https://p.supabase.co@evil.example/x", "https://p.supabase.co@evil.example/x"), ("", ""), ("://", "://"),
    ])
  func rewritesURLs(url: String, expected: String) {
    let origins = ["https://p.supabase.co", "https://api.example.org"]
    #expect(ClientURL.rewritten(url, origins: origins, basePath: "/base", host: "office") == expected)
  }

  @Test("EG-5: a refusal that is dropped, for a retry or at the end, keeps no server waiting")
  func letsTheServerGoOn() {
    let more = EmbeddedEventLoop().makePromise(of: Void.self)
    var isCompleted = false
    more.futureResult.assumeIsolated().whenComplete { _ in isCompleted = true }
    var held: EgressExchange.Held? = EgressExchange.Held(head: .init(version: .http1_1, status: .unauthorized))
    held?.more = more
    #expect(!isCompleted)
    held = nil
    #expect(isCompleted)
  }

  @Test(
    "EG-5: which refusals are about the token",
    arguments: [
      (401, "/rest/v1/a", "", #"{"code":"PGRST301","message":"JWSError"}"#, TokenRejection.token),
      (401, "/rest/v1/a", "", #"{"code":"PGRST303","message":"JWT expired"}"#, .token),
      (401, "/functions/v1/a", "", #"{"code":401,"message":"Invalid JWT"}"#, .token),
      (401, "/functions/v1/a", "", #"{"msg":"Invalid JWT"}"#, .token),
      (401, "/x", #"Bearer error="invalid_token""#, "", .token),
      (401, "/x", "", "<html>", .unauthorized), (401, "/x", "", #"{"message":"no"}"#, .unauthorized),
      (400, "/storage/v1/object/a", "", #"{"statusCode":"400","error":"InvalidJWT","message":"x"}"#, .token),
      (
        400, "/storage/v1/object/a", "",
        #"{"statusCode":"403","error":"Unauthorized","message":"\"exp\" claim timestamp check failed"}"#, .token
      ),
      (400, "/storage/v1/object/a", "", #"{"statusCode":"400","error":"InvalidKey"}"#, .none),
      (
        400, "/storage/v1/object/sign/a?token=x", "",
        #"{"statusCode":"400","error":"InvalidJWT","message":"jwt expired"}"#, .none
      ),
      (
        400, "/storage/v1/object/sign/a", "", #"{"statusCode":"400","error":"InvalidJWT","message":"jwt expired"}"#,
        .token
      ),
      (400, "/storage/v1/upload/resumable/a", "", "", .unauthorized), (400, "/rest/v1/a", "", "", .none),
      (400, "/rest/v1/a", "", #"{"error":"InvalidJWT"}"#, .none), (403, "/x", "", #"{"code":"PGRST301"}"#, .none),
      (200, "/x", "", #"{"code":"PGRST301"}"#, .none),
    ])
  func classifiesRefusals(status: Int, path: String, challenge: String, body: String, expected: TokenRejection) {
    #expect(
      TokenRejection(
        status: status, path: path, challenge: challenge.isEmpty ? [] : [challenge], body: Array(body.utf8))
        == expected)
  }

  @Test(
    "EG-5: Storage's messages about a token",
    arguments: [
      "signature verification failed", "Invalid Compact JWS", "jwt malformed", "jwt expired", "invalid signature",
      "\"exp\" claim timestamp check failed", "\"nbf\" claim timestamp check failed", "invalid algorithm",
      "jwt not active",
      "jwt signature is required", "JWS Protected Header is invalid", "invalid token", "Invalid JWT",
      "unexpected \"iss\" claim value", "\"alg\" (Algorithm) Header Parameter value not allowed",
      "no applicable key found in the JSON Web Key Set", "JWT Claims Set must be a top-level JSON object",
      "Unable to verify JWT: wrong key", "JsonWebTokenError",
    ])
  func knowsMessagesOfStorage(message: String) throws {
    let body = try JSONEncoder().encode(["statusCode": "403", "error": "Unauthorized", "message": message])
    #expect(
      TokenRejection(status: 400, path: "/storage/v1/object/a", challenge: [], body: Array(body)) == .token)
  }

  @Test(
    "EG-5: Storage's other messages",
    arguments: [
      "new row violates row-level security policy", "Bucket not found", "Object not found", "Invalid key: jwt.txt",
      "Invalid key: a/my-jwt",
      "The resource already exists", "mime type text/plain is not supported",
    ])
  func knowsOtherMessagesOfStorage(message: String) throws {
    let body = try JSONEncoder().encode(["statusCode": "403", "error": "Unauthorized", "message": message])
    #expect(TokenRejection(status: 400, path: "/storage/v1/object/a", challenge: [], body: Array(body)) == .none)
  }

  @Test("EG-4: Realtime gets the project's key in its query, once")
  func replacesTheRealtimeKey() {
    #expect(RealtimeKey.replaced(in: "/realtime/v1/websocket", with: "k+") == "/realtime/v1/websocket?apikey=k%2B")
    #expect(RealtimeKey.replaced(in: "/r?apikey=a&vsn=1.0.0&apikey=b", with: "k") == "/r?apikey=k&vsn=1.0.0")
  }

  @Test("EG-5: a token that was refused is remembered for its account, the last ones only")
  func remembersRefusals() {
    let refused = RefusedTokens()
    for number in 0..<6 { refused.note("\(number)", of: "a") }
    #expect(refused.contains("5", of: "a") && !refused.contains("0", of: "a") && !refused.contains("5", of: "b"))
  }

  @Test("EG-7: every error of the agent has a status that starts no sign-in, and a temporary one says when to retry")
  func mapsErrors() {
    for kind in ErrorKind.known {
      let problem = EgressProblem(AgentError(kind))
      #expect(problem.status != .unauthorized && problem.status.code >= 400, "\(kind)")
      let headers = problem.headers(length: problem.body.count)
      #expect(headers["proxy-status"].count == 1)
      #expect((problem.status == .serviceUnavailable) == headers.contains(name: "retry-after"), "\(kind)")
    }
    for kind in [ErrorKind.signInNeeded, .vaultLocked, .mfaNeeded, .denied, .approvalNeeded] {
      #expect(EgressProblem(AgentError(kind)).status == .forbidden, "\(kind)")
    }
    #expect(EgressProblem(AgentError(.offline)).status == .badGateway)
    #expect(EgressProblem(AgentError(.timedOut)).status == .gatewayTimeout)
  }

  @Test("EG-7: the text of an error names its cause")
  func namesTheCause() {
    var error = AgentError(.offline)
    error.data.detail = "api.example.org: connection refused"
    #expect(EgressProblem(error).detail == "\(AgentError(.offline).message) (api.example.org: connection refused)")
    #expect(EgressProblem(AgentError(.offline)).detail == AgentError(.offline).message)
  }

  @Test(
    "EG-4: a connection is kept a second less than its server says, and 10 s at most",
    arguments: [
      ([], 10), (["timeout=5"], 4), (["timeout=5, max=100"], 4), (["max=100,Timeout = 3"], 2), (["timeout=1"], 0),
      (["timeout=0"], 0), (["timeout=-9223372036854775808"], 0), (["timeout=9223372036854775807"], 10),
      (["timeout=99999999999999999999"], 10), (["timeout=x"], 10), (["max=1"], 10), (["timeout=7", "timeout=4"], 3),
    ] as [([String], Int64)])
  func readsKeepAlive(values: [String], seconds: Int64) {
    let headers = HTTPHeaders(values.map { ("Keep-Alive", $0) })
    #expect(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers).keptFor == .seconds(seconds))
  }

  @Test("EG-4: a resume that outlasted the time of an idle connection ends it at once", .accounts)
  func endsAfterASuspend() async throws {
    let fixture = AccountsFixture.current
    let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    let lookUp = CallerLookup()
    let records = Records(clock: fixture.clock, lookUp: lookUp)
    let access = EgressAccess(
      accounts: fixture.accounts, projects: fixture.projects, tokens: fixture.accounts.tokens,
      policy: Policy([], records: records, lookUp: lookUp, clock: fixture.clock, logger: logger), records: records,
      clock: fixture.clock)
    try await withScratchDirectory { folder in
      let socket = try ListeningSocket.bind(folder.path + "/s")
      let server = EgressServer(
        access, on: socket.descriptor, eventLoop: MultiThreadedEventLoopGroup.singleton.next(), logger: logger)
      let group = ServiceGroup(services: [server], logger: logger)
      async let served: Void = group.run()
      let client = try connectedSocket(unix: folder.path + "/s")
      defer { close(client) }
      let question = "GET /auth/v1/x HTTP/1.1\r\nHost: localhost\r\n\r\n"
      #expect(send(client, question, question.utf8.count, Int32(MSG_NOSIGNAL)) == question.utf8.count)
      var buffer = [UInt8](repeating: 0, count: 65_536)
      try await eventually("an answer") { recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 }
      fixture.clock.advance(by: .seconds(299))
      server.networkChanged()
      #expect(send(client, question, question.utf8.count, Int32(MSG_NOSIGNAL)) == question.utf8.count)
      try await eventually("an answer") { recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 }
      fixture.clock.advance(by: .seconds(301))
      server.networkChanged()
      try await eventually("the end") { recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT)) == 0 }
      await group.triggerGracefulShutdown()
      try await served
    }
    await lookUp.close()
  }

  @Test("EG-4: the share of one process is a quarter, and never nothing")
  func computesShares() {
    #expect([1024, 232, 7, 4, 1].map(EgressLimits.share) == [256, 58, 1, 1, 1])
  }

  @Test("EG-4: a body can be repeated up to 1 MiB, and as long as nothing was taken")
  func keepsBodies() {
    var small = UploadBody()
    small.append(ByteBuffer(string: "ab"))
    small.append(ByteBuffer(string: "cd"))
    #expect(small.take().map { String(buffer: $0) } == "abcd")
    small.append(ByteBuffer(string: "ef"))
    small.rewind()
    #expect(small.canReplay && small.take().map { String(buffer: $0) } == "abcdef")
    // Pieces of one byte are joined, those that are kept as well.
    var tiny = UploadBody()
    for _ in 0..<EgressLimits.joinedPiece { tiny.append(ByteBuffer(string: "x")) }
    for _ in 0..<2 {
      #expect(tiny.take()?.readableBytes == EgressLimits.joinedPiece && tiny.take() == nil)
      tiny.rewind()
    }
    var large = UploadBody()
    large.append(ByteBuffer(repeating: 0, count: EgressLimits.maxKeptBytes + 1))
    #expect(large.canReplay && !large.hasRoom)
    _ = large.take()
    #expect(!large.canReplay && large.hasRoom)
  }
}
