import Testing

@testable import AgentConfiguration

/// Which API requests a scope includes.
@Suite struct RequestScopeTests {
  private static let todos = try? RequestScope(paths: ["/rest/v1/todos"])

  private func request(_ path: String, _ method: String = "GET") -> RequestScope.Request {
    RequestScope.Request(method: method, path: path)
  }

  @Test(
    "whole segments, after one decoding",
    arguments: [
      "/rest/v1/todos", "/rest/v1/todos/", "/rest/v1/todos/1", "/rest/v1/todos/1/2", "/rest/v1/%74odos",
      "/re%73t/v1/todos/a%20b", "/rest/v1/todos/100%25", "/rest/v1/todos/%C3%BC",
    ])
  func includes(path: String) throws {
    let scope = try #require(Self.todos)
    #expect(scope.includes(request(path)) && scope.mayInclude(request(path)))
  }

  @Test(arguments: [
    "/rest/v1/todos2", "/rest/v1/todo", "/rest/v1", "/rest/v1/", "/", "/v1/todos", "/rest/v1/other/todos",
    "/rest/v2/todos",
    "/rest/v1/todos%20", "/rest/v1/todo%73x",
  ])
  func excludes(path: String) throws {
    let scope = try #require(Self.todos)
    #expect(!scope.includes(request(path)) && !scope.mayInclude(request(path)))
  }

  @Test(
    "a path that servers read in different ways is in no scope for certain, and may be in any",
    arguments: [
      "", "rest/v1/todos", "//rest/v1/todos", "/rest//v1/todos", "/rest/v1//todos", "/rest/./v1/todos",
      "/rest/v1/x/../todos", "/rest/v1/x/%2e%2e/todos", "/rest/v1/x/.%2E/todos", "/x%2Frest", "/rest/v1%2ftodos",
      "/rest/v1/x%252f", "/rest/v1/%2574odos", "/rest/v1/todos%", "/rest/v1/todos%4", "/rest/v1/todos%zz",
      "/rest/v1/todos;x=1", "/x;/rest", "/rest/v1/todos%3Bx", "/rest\\v1\\todos", "/rest/v1%5Ctodos",
      "/rest/v1/todos%00",
      "/rest/v1/todos%0a", "/rest/v1/%FF", "/rest/v1/todos?x", "/rest/v1/todos%3Fx", "/x#y", "/rest/v1/todos%7F",
    ])
  func isUnclear(path: String) throws {
    let scope = try #require(Self.todos)
    #expect(request(path).segments == nil)
    #expect(!scope.includes(request(path)) && scope.mayInclude(request(path)))
    let everything = try RequestScope(paths: ["/"])
    #expect(!everything.includes(request(path)) && everything.mayInclude(request(path)))
    let methods = try RequestScope(methods: ["GET"])
    #expect(methods.includes(request(path)), "the path does not matter")
  }

  @Test("a server may ignore the case of a path or of a method")
  func knowsCase() throws {
    let scope = try RequestScope(methods: ["GET"], paths: ["/admin/Users"])
    for (path, method) in [("/Admin/users", "GET"), ("/admin/Users", "get"), ("/ADMIN/%75SERS/1", "Get")] {
      #expect(!scope.includes(request(path, method)) && scope.mayInclude(request(path, method)), "\(method) \(path)")
    }
    #expect(scope.includes(request("/admin/Users", "GET")))
    #expect(!scope.mayInclude(request("/admin/Users", "HEAD")), "HEAD is a method of its own")
    let unicode = try RequestScope(paths: ["/Übung"])
    #expect(unicode.includes(request("/%C3%9Cbung")) && !unicode.mayInclude(request("/%C3%BCbung")))
    #expect(!unicode.mayInclude(request("/U\u{308}bung")), "bytes are compared, not characters")
  }

  @Test("the base path of a self-hosted project does not count, in whatever spelling a server may read it")
  func knowsTheBasePath() throws {
    let scope = try #require(Self.todos)
    func request(_ path: String, base: String = "/Supa/base") -> RequestScope.Request {
      RequestScope.Request(method: "GET", path: path, base: base)
    }
    for path in ["/Supa/base/rest/v1/todos", "/Supa/base/rest/v1/todos/1", "/%53upa/bas%65/rest/v1/t%6fdos"] {
      #expect(scope.includes(request(path)) && scope.mayInclude(request(path)), "\(path)")
    }
    for path in [
      "/supa/BASE/rest/v1/todos", "/%73upa/base/rest/v1/todos", "/Supa/base/REST/v1/todos",
      "/Supa/base;x/rest/v1/todos",
      "/Supa/base/./rest/v1/todos", "/%2553upa/base/rest/v1/todos", "/Supa%2Fbase/rest/v1/todos",
      "/Supa/base/Supa/base/%2e",
    ] {
      #expect(!scope.includes(request(path)) && scope.mayInclude(request(path)), "\(path)")
    }
    for path in [
      "/Supa/base/rest/v1/other", "/Supa/rest/v1/todos", "/base/rest/v1/todos", "/Supa/bases/rest/v1/todos",
      "/Supa/base",
      "/Supa/base/", "/Supa/base/Supa/base/rest/v1/todos",
    ] {
      #expect(!scope.includes(request(path)) && !scope.mayInclude(request(path)), "\(path)")
    }
    #expect(scope.includes(request("/rest/v1/todos")), "a path beside the base is the API's")
    let unclear = request("/rest/v1/todos", base: "/a;b")
    #expect(!scope.includes(unclear) && scope.mayInclude(unclear), "a base that servers read in different ways")
    let named = try RequestScope(paths: ["/Supa/base/rest"])
    #expect(!named.includes(request("/Supa/base/rest/v1/x")) && named.mayInclude(request("/Supa/base/rest/v1/x")))
  }

  @Test("methods and paths both limit; / includes every path that is clear")
  func limitsBoth() throws {
    let scope = try RequestScope(methods: ["GET", "HEAD"], paths: ["/a", "/b/c"])
    #expect(scope.includes(request("/a/x", "HEAD")) && scope.includes(request("/b/c", "GET")))
    for (path, method) in [("/a", "POST"), ("/b", "GET"), ("/c", "HEAD")] {
      #expect(!scope.includes(request(path, method)) && !scope.mayInclude(request(path, method)))
    }
    let all = try RequestScope(paths: ["/"])
    for path in ["/", "/x", "/x/", "/%20"] { #expect(all.includes(request(path, "ANY")), "\(path)") }
    let posts = try RequestScope(methods: ["POST"])
    #expect(posts.includes(request("/x", "POST")) && !posts.mayInclude(request("/x", "GET")))
  }

  @Test(
    "a path of a rule is plain",
    arguments: [
      "", "x", "//", "/x/", "/x//y", "/./x", "/x/..", "/x%20y", "/x?y", "/x#y", "/x;y", "/x\\y", "/x\n", "/x\u{7F}",
      "/" + String(repeating: "x", count: RequestScope.maxPathLength),
    ])
  func refusesPaths(path: String) {
    let error = #expect(throws: RequestScopeError.self) { try RequestScope(paths: ["/ok", path]) }
    #expect(error?.key == .paths && error?.index == 1, "\(String(describing: error))")
  }

  @Test func takesPaths() throws {
    let longest = "/" + String(repeating: "x", count: RequestScope.maxPathLength - 1)
    for path in ["/", "/a b", "/ü", "/a:b@c,d=e", "/...", "/.well-known", longest] {
      #expect(try RequestScope(paths: [path]).paths == [path])
    }
  }

  @Test(arguments: ["", "get", "Get", "G T", "CONNECT", "TRACE", "*", "GÉT", String(repeating: "A", count: 21)])
  func refusesMethods(method: String) {
    let error = #expect(throws: RequestScopeError.self) { try RequestScope(methods: ["GET", method]) }
    #expect(error?.key == .methods && error?.index == 1)
  }

  @Test("the number of entries is limited, and there is at least one")
  func limitsEntries() throws {
    let most = RequestScope.maxEntries
    #expect(throws: RequestScopeError.self) { try RequestScope() }
    #expect(throws: Never.self) { try RequestScope(methods: Array(repeating: "GET", count: most)) }
    #expect(throws: RequestScopeError.self) { try RequestScope(methods: Array(repeating: "GET", count: most + 1)) }
    #expect(throws: RequestScopeError.self) { try RequestScope(paths: Array(repeating: "/x", count: most + 1)) }
  }
}
