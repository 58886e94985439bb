import FoundationEssentials
import Testing

@testable import AuthSandbox

/// The look-alike of PostgREST behind the gateway.
@Suite(.stage) struct ServiceTests {
  @Test("rows of todos belong to their user; filters, counts and representations are PostgREST's")
  func todos() async throws {
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

  @Test("a GET route answers HEAD with the same head and no body, except Supabase Auth's")
  func head() async throws {
    let token = try await stage.session().access
    for path in ["/", "/sandbox/settings", "/api/v1/profile", "/rest/v1/whoami", "/rest/v1/todos"] {
      let get = try await stage.service("GET", path, token)
      let head = try await stage.service("HEAD", path, token)
      #expect(head.status == 200 && head.text.isEmpty, "\(path): \(head.status)")
      #expect(head.header("content-type") == get.header("content-type"), "\(path)")
    }
    #expect(try await stage.call("HEAD", "/settings").status == 405)
  }

  @Test("the gateway asks for apikey")
  func apiKey() async throws {
    let answer = try await TestHTTP.send("GET", stage.origin + "/rest/v1/todos")
    #expect(answer.text.contains("No API key found"))
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
