import AccessControl
import AgentConfiguration
import AgentProtocol
import SupabaseAuth
import Testing

@testable import Egress
@testable import SessionEngine

/// Where a token may be sent, for every spelling of a path.
@Suite struct APIRequestURLTests {
  private static let supabase = "https://abc.supabase.co"
  private static let api = "https://api.example.org"

  private func project(url: String = supabase, apiURL: String? = api) throws -> Project {
    var settings = ProjectConfiguration(url: url, anonKey: "key")
    settings.apiURL = apiURL
    return Project(name: "p", settings: settings, endpoint: try settings.endpoint(), server: ScriptedAuthServer())
  }

  private func kind(_ text: String, _ project: Project) -> ErrorKind? {
    do throws(AgentError) {
      _ = try APIRequestURL(text, project: project)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test(
    "a path resolves to the API origin, a Supabase path to the project",
    arguments: [
      ("/api/v1/profile", "\(api)/api/v1/profile", false),
      ("/", "\(api)/", false),
      ("/rest", "\(supabase)/rest", true),
      ("/rest?select=*", "\(supabase)/rest?select=*", true),
      ("/rest/v1/things?select=*&id=in.(1,2)", "\(supabase)/rest/v1/things?select=*&id=in.(1,2)", true),
      ("/storage/v1/object/b/a%20b.png", "\(supabase)/storage/v1/object/b/a%20b.png", true),
      ("/storage/v1/object/b/100%25.png", "\(supabase)/storage/v1/object/b/100%25.png", true),
      ("/storage/v1/object/b/%C3%BC.png", "\(supabase)/storage/v1/object/b/%C3%BC.png", true),
      ("/functions/v1/f/", "\(supabase)/functions/v1/f/", true),
      ("/functions/v2/f", "\(api)/functions/v2/f", false),
      ("/restaurant", "\(api)/restaurant", false),
      ("/REST/v1/x", "\(api)/REST/v1/x", false),
      ("/authors", "\(api)/authors", false),
      ("/auth/login", "\(api)/auth/login", false),
      ("/v1/auth", "\(api)/v1/auth", false),
      ("/a?next=/auth/v1/../b//c", "\(api)/a?next=/auth/v1/../b//c", false),
      ("/a?b[]=1&c=x|y&d=data->>k", "\(api)/a?b[]=1&c=x|y&d=data->>k", false),
      ("/a;v=1/b", "\(api)/a;v=1/b", false),
    ])
  func resolvesPaths(text: String, url: String, isProject: Bool) throws {
    let address = try APIRequestURL(text, project: try project())
    #expect(address.url == url)
    #expect(address.isProject == isProject)
  }

  @Test("rules judge the path that is sent, without the query, and know the base path of its server")
  func namesPathsForRules() throws {
    let plain = try project()
    let deep = try project(url: "https://example.org/supabase/", apiURL: nil)
    for (text, project, path) in [
      ("/rest/v1/x?select=*", plain, "/rest/v1/x"), ("/rest/v1/x?a=/b", plain, "/rest/v1/x"),
      ("/api/v1/profile", plain, "/api/v1/profile"), ("/", plain, "/"), ("/rest/v1/a%20b", plain, "/rest/v1/a%20b"),
      ("/rest/v1/x", deep, "/supabase/rest/v1/x"), ("/supabase/rest/v1/x", deep, "/supabase/rest/v1/x"),
      ("/rest/v1/x?y", deep, "/supabase/rest/v1/x"), ("/supabases/x", deep, "/supabases/x"),
      ("/supabase", deep, "/supabase"),
    ] as [(String, Project, String)] {
      let target = try APIRequestURL(text, project: project).judged(as: "GET")
      #expect(target.path == path && target.base == project.basePath, "\(text)")
    }
    let apart = try project(url: "https://example.org/supabase", apiURL: Self.api)
    #expect(try APIRequestURL("/supabase/rest/v1/x", project: apart).judged(as: "GET").base.isEmpty)
    #expect(try APIRequestURL("/rest/v1/x", project: apart).judged(as: "GET").base == "/supabase")
  }

  @Test("the base path of a project, and a project that is its own API with its key")
  func usesTheProject() throws {
    let deep = "https://example.org/supabase/"
    for (url, apiURL, path, target, isProject) in [
      (Self.supabase, nil, "/api/v1/profile", "\(Self.supabase)/api/v1/profile", true),
      (Self.supabase, "HTTPS://ABC.supabase.co:443/", "/x", "\(Self.supabase)/x", true),
      (deep, Self.api, "/rest/v1/x", "https://example.org/supabase/rest/v1/x", true),
      (deep, Self.api, "/x", "\(Self.api)/x", false),
    ] {
      let address = try APIRequestURL(path, project: try project(url: url, apiURL: apiURL))
      #expect(address.url == target && address.isProject == isProject)
    }
  }

  @Test(
    "what is not a path, and an ambiguous path, is refused",
    arguments: [
      "https://evil.test/x", "\(api)/x", "\(supabase)/rest/v1/x", "//evil.test/x", "///evil.test/x", "/\\evil.test/x",
      "\\\\evil.test\\x", "https:/api.example.org/x", "https:///api.example.org/x", "file:///etc/passwd", "x", "",
      "api/v1/profile", "?q", ".", "..", "*", "#@evil.test/", " /x",
      "/a//b", "//", "/a/../b", "/a/./b", "/a/..", "/a/.", "/..", "/a/..;x=1/b", "/a/.;/b", "/a/%2e%2e/b", "/a/.%2E/b",
      "/a/%2e/b", "/a/%252e%252e/b", "/a/%25252e%25252e/b", "/a/%2Fb", "/a/%2fb", "/a/%252fb", "/a/%25252fb", "/a/%5cb",
      "/a/%255cb", "/a\\b", "/a/%00", "/a/%2500", "/a/%0d%0aX:y", "/a/%7f", "/a/%c0%ae%c0%ae/b", "/a/%c0%af", "/a/%ff",
      "/a/%2525252525252541", "/%", "/%4", "/%zz", "/%u002e", "/a?b=%", "/a?b=%x1", "/a b", "/a\tb", "/a\r\nHost: evil",
      "/a\0", "/ä", "/a#b", "/\u{2025}/b", "/rest/..%3B%CC%81/b", "/a/.%3b%e2%83%9d/b",
      "/a/%2e%2E%3B%CC%81", "/a/..%253B%25CC%2581/b", "/" + String(repeating: "a", count: 8192),
    ])
  func refusesTricks(text: String) throws {
    #expect(kind(text, try project()) == .invalidParams)
  }

  @Test("EG-1: an encoded slash passes to an API that opts in, and nothing that it could stand for")
  func takesEncodedSlashes() throws {
    var settings = ProjectConfiguration(url: Self.supabase, anonKey: "key")
    (settings.apiURL, settings.apiEncodedSlashes) = (Self.api, true)
    func project() throws -> Project {
      Project(name: "p", settings: settings, endpoint: try settings.endpoint(), server: ScriptedAuthServer())
    }
    let (scope, other) = (try RequestScope(paths: ["/a"]), try RequestScope(paths: ["/q"]))
    for path in ["/a%2Fb", "/projects/group%2frepo/files/a%2Fb.txt?ref=x", "/a%252Fb"] {
      #expect(try APIRequestURL(path, project: try project()).url == Self.api + path)
      // To rules, such a path is unclear.
      let judged = try APIRequestURL(path, project: try project()).judged(as: "GET").compared
      #expect(!scope.includes(judged) && other.mayInclude(judged))
    }
    for path in ["/a%2F..%2Fb", "/a%2f%2e%2e%2fb", "/a%2F.", "/a/%2Fb", "/a%252F..%252Fb", "/rest/v1/a%2Fb"] {
      #expect(kind(path, try project()) == .invalidParams, "\(path)")
    }
    for path in ["/x/auth%2Fv1/user", "/%61uth%2Fv1%2Fuser", "/auth%252Fv1"] {
      #expect(kind(path, try project()) == .denied, "\(path)")
    }
    settings.apiURL = nil
    #expect(kind("/a%2Fb", try project()) == .invalidParams, "the project's own server")
  }

  @Test(
    "no spelling of a path reaches the auth server",
    arguments: [
      "/auth/v1", "/auth/v1/", "/auth/v1/user", "/auth/v1?x=1", "/AUTH/v1/token", "/Auth/V1/token", "/%61uth/v1/user",
      "/a%75th/v%31/user?x=1", "/%2561uth/v1/user", "/auth%3bx/v1/user", "/auth;x=1/v1;y/user", "/auth/v1;x/user",
      "/rest/v1/auth/v1/user", "/supabase/auth/v1/user", "/%41%55%54%48/%56%31/user", "/auth%3B%CC%81/v1/user",
      "/auth;%CC%81x/v1;%E2%83%9D/user", "/rest/auth%253B%25CC%2581/v1%3b%cc%81", "/%61uth%3b%e2%83%9d/v1",
    ])
  func keepsAwayFromTheAuthServer(text: String) throws {
    for project in [try project(), try project(apiURL: nil), try project(url: "https://abc.supabase.co/base")] {
      #expect(kind(text, project) == .denied, "\(text)")
    }
  }

  @Test(
    "rejects every path under /auth on the project's origin",
    arguments: [
      "/auth", "/auth/", "/AUTH/admin", "/auth;x", "/auth%20/v1/user", "/auth./v1/user", "/auth?x=1",
      "/auth%CC%81/v1/user", "/auth%3B%CC%81/admin", "/auth%E2%80%8D/v1",
    ])
  func keepsAwayFromAuth(text: String) throws {
    #expect(kind(text, try project(apiURL: nil)) == .denied)
  }
}
