import Glibc
import Synchronization
import TestKit
import Testing

@testable import AuthSandbox

/// The control API over HTTP, the gateway, the product's API, and the life cycle of a sandbox.
struct ControlTests {
  @Test("changes settings by name; rejects unknown names and wrong types", .stage)
  func settings() async throws {
    let patched = try await stage.api("PATCH", "/sandbox/settings", body: ["tokenLifetime": 7, "sessionTimebox": 5])
    #expect(try patched.json["tokenLifetime"] == 7)
    #expect(stage.sandbox.settings.sessionTimebox == 5)
    _ = try await stage.api("PATCH", "/sandbox/settings", body: ["sessionTimebox": .null])
    #expect(stage.sandbox.settings.sessionTimebox == nil)
    #expect(try await stage.api("PATCH", "/sandbox/settings", body: ["tokenTTL": 7]).status == 400)
    #expect(try await stage.api("PATCH", "/sandbox/settings", body: ["tokenLifetime": "7"]).status == 400)
    #expect(try await stage.session().json["expires_in"] == 7)
  }

  @Test("every fault has a name over HTTP, and an unknown name is answered with the valid ones", .stage)
  func faults() async throws {
    for name in FaultBody.plain.keys.sorted() + [
      "delay-before", "delay-after", "429", "invalid-grant", "error", "answer",
    ] {
      let body: JSON = ["endpoint": "token.refresh", "fault": .string(name), "seconds": 1]
      #expect(try await stage.api("POST", "/sandbox/faults", body: body).status == 200, "\(name)")
    }
    _ = try await stage.api("DELETE", "/sandbox/faults")
    #expect(stage.sandbox.backend.faults.withLock { $0.entries.isEmpty })
    let wrong = try await stage.api("POST", "/sandbox/faults", body: ["endpoint": "user", "fault": "nonsense"])
    #expect(wrong.status == 400)
    #expect(wrong.text.contains("drop-after"))
    let place = try await stage.api("POST", "/sandbox/faults", body: ["endpoint": "usr", "fault": "502"])
    #expect(place.text.contains("token.refresh"))
  }

  @Test("applies a fault placed over HTTP", .stage)
  func faultStrikes() async throws {
    let body: JSON = [
      "endpoint": "user", "fault": "answer", "status": 418, "body": "<p>", "content_type": "text/html", "count": 1,
      "headers": ["retry-after": "3"],
    ]
    _ = try await stage.api("POST", "/sandbox/faults", body: body)
    let answer = try await stage.user("x")
    #expect(answer.status == 418)
    #expect(answer.header("content-type") == "text/html")
    #expect(answer.header("retry-after") == "3")
    #expect(try await stage.user("x").status == 403)
  }

  @Test("counters and request records show what arrived, without its secrets", .stage)
  func counters() async throws {
    let session = try await stage.session()
    _ = try await stage.refresh(session.refresh)
    _ = try await stage.user(session.access)
    let counters = try await stage.api("GET", "/sandbox/counters").json
    #expect(counters["requests"]?["token.refresh"] == 1)
    #expect(counters["total"] == 3)
    #expect(counters["refresh_presentations"]?[Text.sha256Hex(session.refresh)] == 1)
    #expect(counters["oldest_ancestor_presented"] == 0)
    let requests = try await stage.api("GET", "/sandbox/requests")
    let last = try #require(try requests.json.array?.last)
    #expect(last["headers"]?["authorization"]?.string == "sha256:" + Text.sha256Hex(session.access))
    #expect(!requests.text.contains(session.access))
    #expect(!requests.text.contains(stage.sandbox.anonKey))
  }

  @Test("users, clock, mail, tokens and accounts over HTTP", .stage)
  func commands() async throws {
    func post(_ path: String, _ body: JSON) async throws -> HTTPAnswer {
      try await stage.api("POST", "/sandbox/" + path, body: body)
    }
    let new: JSON = ["email": "a@b.test", "password": "correct horse 9", "confirmed": false]
    #expect(try await post("users", new).json["id"] != nil)
    #expect(try await stage.signIn("a@b.test").code != nil)
    #expect(try await post("users/confirm", ["email": "a@b.test"]).status == 200)
    #expect(try await stage.signIn("a@b.test").status == 200)
    #expect(try await post("revoke", ["email": "a@b.test"]).status == 200)
    #expect(stage.sandbox.users.first?.sessions == [])
    #expect(try await post("users/ban", ["email": "a@b.test", "seconds": 60]).status == 200)
    #expect(stage.sandbox.users.first?.isBanned == true)
    let before = stage.sandbox.unixTime
    #expect(try await post("clock", ["advance": 61]).status == 200)
    #expect(stage.sandbox.unixTime - before >= 61)
    #expect(stage.sandbox.users.first?.isBanned == false)
    let minted = try await post("id-token", ["provider": "google", "email": "a@b.test"]).json["id_token"]
    let body: JSON = ["provider": "google", "id_token": minted ?? .null]
    #expect(try await stage.call("POST", "/token?grant_type=id_token", body: body).status == 200)
    #expect(try await post("accounts", ["provider": "apple", "email": "z@b.test"]).json["subject"] != nil)
    #expect(try await post("users/delete", ["email": "a@b.test"]).status == 200)
    #expect(try await post("users/delete", ["email": "a@b.test"]).status == 400)
    #expect(try await post("nonsense", [:]).status == 404)
    #expect(try await stage.api("GET", "/sandbox").text.contains("POST /sandbox/faults"))
  }

  @Test("the gateway requires the key in header or query, except on browser paths", .stage)
  func gateway() async throws {
    let base = stage.origin + "/auth/v1"
    #expect(try await TestHTTP.send("GET", base + "/settings").status == 401)
    #expect(try await TestHTTP.send("GET", base + "/settings", headers: [("apikey", "wrong")]).status == 401)
    #expect(try await TestHTTP.send("GET", base + "/settings?apikey=" + stage.sandbox.anonKey).status == 200)
    #expect(try await TestHTTP.send("GET", base + "/nope").status == 401)
    for path in ["/health", "/.well-known/jwks.json"] {
      #expect(try await TestHTTP.send("GET", base + path).status == 200)
    }
    #expect(try await TestHTTP.send("GET", base + "/authorize?provider=google").status == 302)
    stage.sandbox.configure { $0.requiresAPIKey = false }
    #expect(try await TestHTTP.send("GET", base + "/settings").status == 200)
  }

  @Test("rejects a body over 1 MiB", .stage)
  func bodyLimit() async throws {
    let body = [UInt8](repeating: 32, count: 1 << 20)
    let url = stage.origin + "/auth/v1/signup?apikey=" + stage.sandbox.anonKey
    #expect(try await TestHTTP.send("POST", url, body: body).status == 400)
    let answer = try? await TestHTTP.send("POST", url, body: body + [32])
    // The client may still be sending when the connection closes, and then sees no response.
    #expect(answer == nil || answer?.status == 413)
    #expect(stage.sandbox.requestCount() == 1)
  }

  @Test("sandboxes share nothing, and a port in use is reported")
  func lifecycle() async throws {
    let first = try await AuthSandbox.start()
    let second = try await AuthSandbox.start()
    #expect(first.url != second.url)
    first.addUser(email: "a@b.test", password: "correct horse 9")
    #expect(second.users.isEmpty)
    let port = try #require(first.url.split(separator: ":").last.flatMap { Int($0) })
    await #expect(throws: SandboxError(code: .cannotListen, message: "", cause: nil)) {
      try await AuthSandbox.start(port: port)
    }
    await first.stop()
    await first.stop()
    // This test cannot check that the port is free again: another test's sandbox may have it by
    // now.
    #expect(second.users.isEmpty)
    await second.stop()
  }
}

@Suite(.stage) struct APITests {
  @Test("the profile requires a valid token")
  func profile() async throws {
    let session = try await stage.session()
    #expect(try await stage.api("GET", "/api/v1/profile").status == 401)
    #expect(try await stage.api("GET", "/api/v1/profile", token: "x.y.z").status == 401)
    let empty = try await stage.api("GET", "/api/v1/profile", token: session.access).json
    #expect(empty["onboarding_complete"] == false)
    #expect(empty["email"] == "gina@lab.test")
    let change: JSON = ["onboarding_complete": true, "display_name": "Gina", "email": "x@y.test"]
    let put = try await stage.api("PUT", "/api/v1/profile", token: session.access, body: change)
    #expect(put.status == 200)
    let full = try await stage.api("GET", "/api/v1/profile", token: session.access).json
    #expect(full["onboarding_complete"] == true)
    #expect(full["display_name"] == "Gina")
    #expect(full["email"] == "gina@lab.test")
    let wrong: JSON = ["onboarding_complete": "yes"]
    #expect(try await stage.api("PUT", "/api/v1/profile", token: session.access, body: wrong).status == 422)
  }

  @Test("an expired token is 401 for the API, 403 for Supabase Auth")
  func expired() async throws {
    let session = try await stage.session()
    stage.sandbox.advanceClock(by: .seconds(3601))
    let profile = try await stage.api("GET", "/api/v1/profile", token: session.access)
    #expect(profile.status == 401)
    #expect(profile.header("www-authenticate") == "Bearer error=\"invalid_token\"")
    #expect(try await stage.user(session.access).status == 403)
    let headers = [("apikey", stage.sandbox.anonKey), ("authorization", "Bearer " + session.access)]
    let rest = try await TestHTTP.send("GET", stage.origin + "/rest/v1/whoami", headers: headers)
    #expect(rest.status == 401)
    #expect(try rest.json["message"] == "JWT expired")
  }

  @Test("whoami returns the claims")
  func whoAmI() async throws {
    let session = try await stage.session()
    let headers = [("apikey", stage.sandbox.anonKey), ("authorization", "Bearer " + session.access)]
    let answer = try await TestHTTP.send("GET", stage.origin + "/rest/v1/whoami", headers: headers)
    #expect(try answer.json["sub"] == session.json["user"]?["id"])
    #expect(try answer.json["claims"]?["role"] == "authenticated")
  }

  @Test("echo returns everything except the token")
  func echo() async throws {
    let answer = try await TestHTTP.send(
      "PATCH", stage.origin + "/api/v1/echo?a=1&a=2", headers: [("authorization", "Bearer secret"), ("X-One", "1")],
      body: Array("hello".utf8))
    let json = try answer.json
    #expect(json["method"] == "PATCH")
    #expect(json["query"] == [["a", "1"], ["a", "2"]])
    #expect(json["headers"]?["x-one"] == "1")
    #expect(json["authorization"] == "present")
    #expect(json["token_sha256"]?.string == Text.sha256Hex("secret"))
    #expect(json["body"] == "hello")
    #expect(!answer.text.contains("secret\""))
  }
}

struct StopTests {
  @Test("stopping with connections that are not handled yet ends them")
  func unhandledConnections() async throws {
    for _ in 0..<20 {
      let sandbox = try await AuthSandbox.start()
      let port = try #require(UInt16(sandbox.url.split(separator: ":").last ?? ""))
      let clients = try (0..<32).map { _ in try connectedSocket(loopback: port) }
      await sandbox.stop()
      for client in clients {
        // Only detects a hang.
        limitReads(of: client, to: 10)
        var byte: UInt8 = 0
        // The end of the stream, or a reset.
        let count = read(client, &byte, 1)
        let reason = errno
        #expect(count == 0 || count < 0 && reason == ECONNRESET, "\(count), errno \(reason)")
        close(client)
      }
    }
  }
}
