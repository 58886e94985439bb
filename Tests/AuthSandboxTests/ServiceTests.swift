import FoundationEssentials
import Testing

@testable import AuthSandbox

/// The look-alikes of PostgREST, Storage, Edge Functions and GraphQL behind the gateway.
struct ServiceTests {
  @Test("rows of todos belong to their user; filters, counts and representations are PostgREST's")
  func todos() async throws {
    try await withStage { stage in
      let (anna, bob) = (try await stage.session().access, try await stage.session("bob@lab.test").access)
      let wanted = [("prefer", "return=representation")]
      let added = try await stage.service(
        "POST", "/rest/v1/todos", anna, body: [["title": "a"], ["title": "b"]], headers: wanted)
      #expect(added.status == 201)
      let id = try #require(try added.json.array?.first?["id"]?.int)
      #expect(try await stage.service("GET", "/rest/v1/todos", bob).text == "[]")
      let one = try await stage.service(
        "GET", "/rest/v1/todos?title=eq.b&select=*", anna, headers: [("prefer", "count=exact")])
      #expect(try one.json.array?.count == 1)
      #expect(one.header("content-range") == "0-0/1")
      let done = try await stage.service(
        "PATCH", "/rest/v1/todos?id=eq.\(id)", anna, body: ["is_done": .bool(true)], headers: wanted)
      #expect(try done.json.array?.first?["is_done"] == .bool(true))
      #expect(try await stage.service("DELETE", "/rest/v1/todos", bob).status == 204)
      #expect(try await stage.service("DELETE", "/rest/v1/todos?is_done=is.true", anna).status == 204)
      #expect(try await stage.service("GET", "/rest/v1/todos?limit=5", anna).json.array?.count == 1)
      #expect(try await stage.service("POST", "/rest/v1/todos", anna, body: ["nope": 1]).code == "PGRST204")
    }
  }

  @Test("each service has its own errors for no token, an expired and an invalid one")
  func tokens() async throws {
    try await withStage { (stage: Stage) async throws in
      let access = try await stage.session().access
      stage.sandbox.expireAccessTokens()
      let rest = try await stage.service("GET", "/rest/v1/todos", access)
      #expect((rest.status, rest.code) == (401, "PGRST303"))
      #expect(try rest.json["message"] == "JWT expired")
      #expect(rest.header("www-authenticate")?.contains("invalid_token") == true)
      #expect(try await stage.service("GET", "/rest/v1/todos", "a.b.c").code == "PGRST301")
      #expect(try await stage.service("GET", "/rest/v1/todos", nil).text == "[]")
      #expect(try await stage.service("GET", "/rest/v1/todos", stage.sandbox.anonKey).text == "[]")
      #expect(try await stage.service("POST", "/rest/v1/todos", nil, body: ["title": "x"]).code == "42501")
      let storage = try await stage.service("GET", "/storage/v1/object/b/x", access)
      #expect(storage.status == 400)
      #expect(try storage.json["message"] == "\"exp\" claim timestamp check failed")
      #expect(try storage.json["statusCode"] == "403")
      let function = try await stage.service("POST", "/functions/v1/echo", access)
      #expect(function.status == 401)
      #expect(function.text == #"{"msg":"Invalid JWT"}"#)
      #expect(try await stage.service("POST", "/functions/v1/echo", nil).status == 401)
      #expect(try await stage.service("POST", "/graphql/v1", access, body: ["query": "{}"]).code == "PGRST303")
    }
  }

  @Test("the gateway asks for apikey, except for functions")
  func apiKey() async throws {
    try await withStage { (stage: Stage) async throws in
      for path in ["/rest/v1/todos", "/storage/v1/object/b/x", "/graphql/v1"] {
        let answer = try await TestHTTP.send(path == "/graphql/v1" ? "POST" : "GET", stage.origin + path)
        #expect(answer.text.contains("No API key found"), "\(path)")
      }
      let token = [("authorization", "Bearer " + stage.sandbox.anonKey)]
      #expect(try await TestHTTP.send("GET", stage.origin + "/functions/v1/echo", headers: token).status == 200)
    }
  }

  @Test("stores an object, gives a range of it, lists and deletes it")
  func objects() async throws {
    try await withStage { stage in
      let (anna, bob) = (try await stage.session().access, try await stage.session("bob@lab.test").access)
      let path = "/storage/v1/object/pictures/a/b.bin"
      let stored = try await stage.service("POST", path, anna, bytes: Array("0123456789".utf8))
      #expect(try stored.json["Key"] == "pictures/a/b.bin")
      #expect(try await stage.service("POST", path, anna, bytes: [1]).text.contains("Duplicate"))
      #expect(try await stage.service("GET", path, bob).text.contains("not_found"))
      let part = try await stage.service("GET", path, anna, headers: [("range", "bytes=2-4")])
      #expect((part.status, part.text, part.header("content-range")) == (206, "234", "bytes 2-4/10"))
      let head = try await stage.service("HEAD", path, anna)
      #expect((head.bytes.count, head.header("content-length")) == (0, "10"))
      let list = try await stage.service("POST", "/storage/v1/object/list/pictures", anna, body: ["prefix": "a"])
      #expect(try list.json.array?.first?["name"] == "a/b.bin")
      let gone = try await stage.service(
        "DELETE", "/storage/v1/object/pictures", anna, body: ["prefixes": ["a/b.bin"]])
      #expect(try gone.json.array?.count == 1)
      #expect(try await stage.service("GET", path, anna).status == 400)
    }
  }

  @Test("takes the file out of a form")
  func form() async throws {
    try await withStage { stage in
      let token = try await stage.session().access
      let lines = [
        "--x", "Content-Disposition: form-data; name=\"cacheControl\"", "", "3600", "--x",
        "Content-Disposition: form-data; name=\"file\"; filename=\"a\"", "Content-Type: image/png", "", "a\r\nb",
        "--x--",
        "",
      ]
      let body = Array(lines.joined(separator: "\r\n").utf8)
      let type = [("content-type", "multipart/form-data; boundary=x")]
      _ = try await stage.service("POST", "/storage/v1/object/b/f", token, bytes: body, headers: type)
      let object = try await stage.service("GET", "/storage/v1/object/b/f", token)
      #expect((object.text, object.header("content-type")) == ("a\r\nb", "image/png"))
    }
  }

  @Test("continues an upload at its absolute Location")
  func resumable() async throws {
    try await withStage { stage in
      let token = try await stage.session().access
      let begin = try await stage.service(
        "POST", "/storage/v1/upload/resumable", token,
        headers: [("upload-length", "6"), ("upload-metadata", "bucketName Yg==,objectName bmFtZQ==")])
      #expect(begin.status == 201)
      let location = try #require(begin.header("location"))
      #expect(location.hasPrefix(stage.origin + "/storage/v1/upload/resumable/"))
      let path = String(location.dropFirst(stage.origin.count))
      for (offset, part) in [(0, "abc"), (3, "def")] {
        let state = try await stage.service("HEAD", path, token)
        #expect(state.header("upload-offset") == "\(offset)")
        let headers = [("upload-offset", "\(offset)"), ("content-type", "application/offset+octet-stream")]
        #expect(try await stage.service("PATCH", path, token, bytes: Array(part.utf8), headers: headers).status == 204)
        #expect(try await stage.service("PATCH", path, token, bytes: [1], headers: headers).status == 409)
      }
      #expect(try await stage.service("GET", "/storage/v1/object/b/name", token).text == "abcdef")
    }
  }

  @Test("functions: what arrived, events, bytes, a refusal, and the counter of a path")
  func functions() async throws {
    try await withStage { stage in
      let token = try await stage.session().access
      let echo = try await stage.service(
        "PUT", "/functions/v1/echo?a=%2F", token, bytes: Array("hi".utf8), headers: [("x-a", "1"), ("x-a", "2")])
      #expect(try echo.json["target"] == "/functions/v1/echo?a=%2F")
      #expect(try echo.json["body"] == "hi")
      #expect(try echo.json["headers"]?.array?.filter { $0.array?.first == "x-a" }.count == 2)
      #expect(echo.text.contains("sha256:" + Text.sha256Hex(token)))
      #expect(!echo.text.contains(token))
      let events = try await stage.service("GET", "/functions/v1/sse?events=3&interval=0", token)
      #expect(events.header("content-type") == "text/event-stream")
      #expect(events.text.split(separator: "\n\n").count == 3)
      let bytes = try await stage.service("GET", "/functions/v1/bytes?count=200000", token).bytes
      #expect(bytes.count == 200_000)
      #expect(bytes.indices.allSatisfy { bytes[$0] == UInt8($0 % 251) })
      #expect(try await stage.service("GET", "/functions/v1/unauthorized", token).status == 401)
      #expect(try await stage.service("GET", "/functions/v1/nope", token).status == 404)
      let counters = try await stage.api("GET", "/sandbox/counters").json
      #expect(counters["paths"]?["/functions/v1/unauthorized"] == 1)
      #expect(counters["requests"]?["functions"] == 5)
    }
  }

  @Test("the function mcp answers as an MCP server")
  func modelContext() async throws {
    try await withStage { stage in
      let token = try await stage.session().access
      func ask(_ message: JSON) async throws -> HTTPAnswer {
        try await stage.service("POST", "/functions/v1/mcp", token, body: message)
      }
      let begin = try await ask(["id": 1, "method": "initialize", "params": ["protocolVersion": "2025-03-26"]])
      #expect(try begin.json["result"]?["protocolVersion"] == "2025-03-26")
      #expect(try await ask(["method": "notifications/initialized"]).status == 202)
      #expect(try await ask(["id": 2, "method": "tools/call"]).text.contains("gina@lab.test"))
      #expect(try await ask(["id": 3, "method": "nope"]).json["error"]?["code"] == -32601)
      #expect(try await stage.service("GET", "/functions/v1/mcp", token).status == 405)
    }
  }

  @Test("GraphQL answers with the number of the caller's rows")
  func graphQL() async throws {
    try await withStage { stage in
      let token = try await stage.session().access
      _ = try await stage.service("POST", "/rest/v1/todos", token, body: ["title": "a"])
      let answer = try await stage.service("POST", "/graphql/v1", token, body: ["query": "{ todosCollection }"])
      #expect(try answer.json["data"]?["todosCollection"]?["totalCount"] == 1)
    }
  }
}

extension Stage {
  /// Sends a request to a service, with the anon key.
  func service(
    _ method: String, _ path: String, _ token: String?, body: JSON? = nil, bytes: [UInt8]? = nil,
    headers: [(String, String)] = []
  ) async throws -> HTTPAnswer {
    var fields = headers + [("apikey", sandbox.anonKey)]
    if let token { fields.append(("authorization", "Bearer " + token)) }
    if body != nil { fields.append(("content-type", "application/json")) }
    return try await TestHTTP.send(method, origin + path, headers: fields, body: body?.bytes ?? bytes)
  }
}
