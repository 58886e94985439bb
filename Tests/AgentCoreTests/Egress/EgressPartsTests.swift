import AccessControl
import AgentProtocol
import AgentServer
import FoundationEssentials
import Glibc
import Logging
import NIOCore
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
    "how long a request waits for a person's answer",
    arguments: [
      ("wait=60", 60), ("return=minimal, WAIT=5", 5), ("wait=\"7\"; x=y", 7), ("wait=9999999999", 600), ("wait=0", nil),
      ("wait=-1", nil), ("wait", nil), ("wait=99999999999999999999", nil), ("respond-async", nil), ("await=3", nil),
    ] as [(String, Int?)])
  func prefersToWait(value: String, seconds: Int?) throws {
    let head = try HTTPHead.request("POST", "/x", [("Host", "localhost"), ("Prefer", value)])
    #expect(try EgressRequest(head).preferredWait == seconds.map { .seconds($0) })
  }

  private static let project = "https://p.supabase.co"
  private static let api = "https://api.example.org"

  /// - Parameter target: the target of the request at its server.
  private static func urls(api: String = api, base: String = "", _ origin: String, _ target: String) -> ClientURL {
    ClientURL(project: project, api: api, basePath: base, request: (origin, target), host: "office")
  }

  @Test(
    "EG-3: URLs of the project and the API become the client's, where its request arrives there",
    arguments: [
      ("https://p.supabase.co/base/storage/v1/upload/7?a=b", "http://office/storage/v1/upload/7?a=b"),
      ("https://p.supabase.co/storage/v1/upload/7", "http://office/storage/v1/upload/7"),
      ("https://P.supabase.co:443/rest/v1/x", "http://office/rest/v1/x"), ("https://api.example.org", "http://office"),
      ("https://p.supabase.co/base/rest/v1/x#f", "http://office/rest/v1/x#f"),
      ("https://api.example.org/x?y", "http://office/x?y"), ("//api.example.org/x", "http://office/x"),
      // These would arrive at the other server.
      ("https://p.supabase.co/x", "https://p.supabase.co/x"),
      ("https://p.supabase.co/base/x", "https://p.supabase.co/base/x"),
      ("https://p.supabase.co/rest/../x", "https://p.supabase.co/rest/../x"),
      ("https://p.supabase.co/rest/%2E./x", "https://p.supabase.co/rest/%2E./x"),
      ("https://api.example.org/rest/v1/x", "https://api.example.org/rest/v1/x"),
      ("https://p.supabase.co", "https://p.supabase.co"),
      // An upload's URL by the server's own socket.
      ("http://p.supabase.co/storage/v1/upload/7", "http://office/storage/v1/upload/7"),
      ("http://p.supabase.co:5000/base/storage/v1/upload/7", "http://office/storage/v1/upload/7"),
      ("http://p.supabase.co:5000/rest/v1/x", "http://p.supabase.co:5000/rest/v1/x"),
      ("ftp://p.supabase.co/storage/v1/upload/7", "ftp://p.supabase.co/storage/v1/upload/7"),
      ("http://storage:5000/storage/v1/upload/7", "http://storage:5000/storage/v1/upload/7"),
      ("https://other.example/x", "https://other.example/x"), ("//other.example/x", "//other.example/x"),
      ("http://p.supabase.co/x", "http://p.supabase.co/x"),
      ("https://p.supabase.co.evil.example/rest/v1/x", "https://p.supabase.co.evil.example/rest/v1/x"),
      ("https://p.supabase.co@evil.example/rest/v1/x", "https://p.supabase.co@evil.example/rest/v1/x"), ("", ""),
      ("://", "://"), ("?x", "?x"), ("x", "x"),
    ])
  func rewritesURLs(url: String, expected: String) {
    for (origin, target) in [(Self.project, "/base/rest/v1/a"), (Self.api, "/a")] {
      #expect(Self.urls(base: "/base", origin, target).rewritten(url) == expected, "\(origin)")
    }
  }

  @Test(
    "EG-3: a relative URL leads to the server that sent it",
    arguments: [
      (project, "/rest/v1/x", "/rest/v1/x"), (project, "/base/rest/v1/x", "/rest/v1/x"),
      (project, "/x", "https://p.supabase.co/x"), (project, "../../../x", "https://p.supabase.co/x"),
      (project, "../v1/x", "http://office/rest/v1/x"), (project, "/rest/../x", "https://p.supabase.co/rest/../x"),
      (project, "/base/rest/v1/x?u=https://x.test/", "/rest/v1/x?u=https://x.test/"), (api, "/x?y", "/x?y"),
      (api, "/rest/v1/x", "https://api.example.org/rest/v1/x"), (api, "/base/x", "/base/x"),
    ])
  func rewritesRelativeURLs(origin: String, url: String, expected: String) {
    #expect(Self.urls(base: "/base", origin, "/base/rest/v1/a").rewritten(url) == expected)
  }

  @Test("EG-3: with one server for both, no path is doubled, or loses its base")
  func rewritesForOneServer() {
    let urls = Self.urls(api: Self.project, base: "/base", Self.project, "/base/rest/v1/a")
    for (url, expected) in [
      ("https://p.supabase.co/base/rest/v1/x", "http://office/rest/v1/x"), ("/base/rest/v1/x", "/rest/v1/x"),
      ("https://p.supabase.co/base/x", "http://office/base/x"), ("/base/x", "/base/x"), ("/x", "/x"),
    ] {
      #expect(urls.rewritten(url) == expected)
    }
  }

  @Test(
    "EG-3: the targets of Link become the client's, and nothing else in it",
    arguments: [
      ("<https://api.example.org/a?page=2>; rel=\"next\"", "<http://office/a?page=2>; rel=\"next\""),
      (
        "<https://api.example.org/a?x=<>; rel=prev, </a>; title=\"<https://api.example.org/b>\", <https://x.test/>; rel=last",
        "<http://office/a?x=<>; rel=prev, </a>; title=\"<https://api.example.org/b>\", <https://x.test/>; rel=last"
      ),
      ("</a>; title=\"\\\"\", <https://api.example.org/b>", "</a>; title=\"\\\"\", <http://office/b>"),
      ("", ""), ("<", "<"), ("<>", "<>"), ("<https://api.example.org/b", "<https://api.example.org/b"),
      ("\"\\", "\"\\"),
    ])
  func rewritesLinks(value: String, expected: String) throws {
    let urls = Self.urls(Self.api, "/a")
    #expect(urls.rewrittenLinks(value) == expected)
    #expect(try Self.answered([("link", value)], urls).values(.link) == [expected])
  }

  /// The fields that a client gets.
  private static func answered(_ fields: [(String, String)], _ urls: ClientURL) throws -> HTTPHead {
    var out = ByteBuffer(string: "HTTP/1.1 200 OK\r\n")
    try APIHeaders.writeAnswer(.answer(fields), to: &out) { urls }
    out.writeLineEnd()
    return try #require(try HTTPHead.take(.answer, from: &out))
  }

  @Test("EG-3: no upload continues at another server, which would get the placeholder token")
  func keepsUploads() throws {
    let urls = Self.urls(Self.project, "/storage/v1/upload/resumable")
    for (location, expected) in [
      ("https://p.supabase.co/storage/v1/upload/resumable/7", ["http://office/storage/v1/upload/resumable/7"]),
      ("http://p.supabase.co:5000/storage/v1/upload/resumable/7", ["http://office/storage/v1/upload/resumable/7"]),
      ("resumable/7", ["resumable/7"]), ("/storage/v1/upload/resumable/7", ["/storage/v1/upload/resumable/7"]),
      ("http://storage:5000/upload/resumable/7", []), ("//other.example/7", []), ("https://p.supabase.co/7", []),
    ] {
      let answer = try Self.answered([("tus-resumable", "1.0.0"), ("location", location)], urls)
      #expect(answer.values(.location) == expected, "\(location)")
    }
    #expect(try Self.answered([("location", "https://x.test/")], urls).values(.location) == ["https://x.test/"])
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
  func knowsMessagesOfStorage(message: String) throws { #expect(try Self.ofStorage(message) == .token) }

  @Test(
    "EG-5: Storage's other messages",
    arguments: [
      "new row violates row-level security policy", "Bucket not found", "Object not found", "Invalid key: jwt.txt",
      "Invalid key: a/my-jwt",
      "The resource already exists", "mime type text/plain is not supported",
    ])
  func knowsOtherMessagesOfStorage(message: String) throws { #expect(try Self.ofStorage(message) == .none) }

  private static func ofStorage(_ message: String) throws -> TokenRejection {
    let body = try JSONEncoder().encode(["statusCode": "403", "error": "Unauthorized", "message": message])
    return TokenRejection(status: 400, path: "/storage/v1/object/a", challenge: [], body: Array(body))
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

  private static func problem(_ fields: [(String, String)]) throws -> EgressProblem? {
    let head = try HTTPHead.request("GET", "/x", fields)
    do throws(EgressProblem) {
      _ = try EgressRequest(checked: head)
      return nil
    } catch { return error }
  }

  @Test("EG-1: an empty host is the default account, and the path of a socket is told from other hosts")
  func takesHosts() throws {
    let request = try EgressRequest(checked: .request("GET", "/x", [("host", "")]))
    #expect(request.account == nil && request.host == "localhost")
    for host in ["/run/user/1000/ritual-agent/egress.sock", "%2Frun%2fegress.sock", "unix:%2Frun"] {
      let problem = try Self.problem([("host", host)])
      #expect(problem?.status == .badRequest && problem?.hint?.contains("http://localhost") == true, "\(host)")
    }
    for host in ["a b", "é", "a,b"] { #expect(try Self.problem([("host", host)])?.hint == nil, "\(host)") }
  }

  @Test("EG-2: a signature for S3 is refused, with what works instead; other schemes are replaced")
  func refusesSignatures() throws {
    for value in ["AWS4-HMAC-SHA256 Credential=a/b, Signature=c", "aws4-ecdsa-p256-sha256 x"] {
      let problem = try Self.problem([("host", "localhost"), ("authorization", value)])
      #expect(problem?.status == .badRequest && problem?.hint?.contains("/storage/v1/object") == true)
      // A request with a grant has no placeholder then.
      #expect(throws: EgressProblem.self) {
        try EgressRequest.refuseSignature(.request("GET", "/x", [("Authorization", value)]))
      }
    }
    for value in ["Basic eA==", "Bearer AWS4-HMAC-SHA256", "AWS a:b"] {
      #expect(try Self.problem([("host", "localhost"), ("authorization", value)]) == nil)
    }
  }

  @Test("EG-7: every error of the agent has a status that starts no sign-in, and a temporary one says when to retry")
  func mapsErrors() {
    for kind in ErrorKind.known {
      let problem = EgressProblem(AgentError(kind))
      #expect(problem.status != .unauthorized && problem.status.code >= 400, "\(kind)")
      let headers = problem.headers(length: problem.body.count)
      #expect(headers.count { $0.name == "proxy-status" } == 1)
      #expect((problem.status == .serviceUnavailable) == headers.contains { $0.name == "retry-after" }, "\(kind)")
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
  func readsKeepAlive(values: [String], seconds: Int64) throws {
    #expect(try HTTPHead.answer(values.map { ("Keep-Alive", $0) }).keptFor == .seconds(seconds))
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
