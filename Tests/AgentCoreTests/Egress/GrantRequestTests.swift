import NIOCore
import TestKit
import Testing

@testable import Egress

/// The requests of a grant's tool, before its account is looked at.
@Suite struct GrantRequestTests {
  private static let port = 4711
  private static let placeholder = "sb_publishable_ritual_" + String(repeating: "A", count: 43)
  private static let other = "sb_publishable_ritual_" + String(repeating: "B", count: 42) + "A"
  /// The other forms: a JWT, a prefix of choice, and none.
  private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0." + String(repeating: "C", count: 42) + "A"
  private static let forms = [
    placeholder, jwt, "sk-" + String(repeating: "D", count: 42) + "A", String(repeating: "E", count: 43),
  ]
  private static let publicKey = "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9." + String(repeating: "F", count: 42) + "A"
  private static let host = ("Host", "127.0.0.1:4711")
  private static let bearer = ("Authorization", "Bearer \(placeholder)")

  private static func head(
    _ headers: [(String, String)], _ uri: String = "/rest/v1/todos?select=*", _ method: String = "GET"
  ) -> HTTPHead? {
    try? .request(method, uri, headers)
  }

  private static func names(_ name: String) -> Bool { name == "ritual.localhost" }

  private static func found(_ head: HTTPHead?, port: Int? = port) throws -> GrantCredentials {
    try GrantCredentials(of: try #require(head), port: port, isHost: names)
  }

  private static func refusal(_ head: HTTPHead?, port: Int? = port) -> EgressProblem? {
    guard let head else { return nil }
    do throws(EgressProblem) {
      _ = try GrantCredentials(of: head, port: port, isHost: names)
      return nil
    } catch { return error }
  }

  @Test(
    "the placeholder token comes as bearer token, as apikey, or as both",
    arguments: [
      [bearer], [("apikey", placeholder)], [bearer, ("apikey", placeholder)],
      [("authorization", "bearer  \(placeholder)")],
      [("APIKEY", placeholder), ("Authorization", "Basic eA==")],
      // Node's fetch.
      [bearer, ("sec-fetch-mode", "cors"), ("accept-language", "*")],
    ])
  func takesPlaceholderToken(headers: [(String, String)]) throws {
    for host in ["127.0.0.1:4711", "localhost:4711", "LocalHost:4711"] {
      let found = try Self.found(Self.head([("Host", host)] + headers))
      #expect(found.token == Self.placeholder && found.uri == "/rest/v1/todos?select=*")
      #expect(!"\(found)".contains("sb_") && !String(reflecting: found).contains("sb_"))
    }
  }

  @Test(
    "another host is misdirected, also one that leads here",
    arguments: [
      "127.0.0.1", "localhost", "127.0.0.1:4712", "127.0.0.1:04711", "[::1]:4711", "evil.example:4711",
      "127.0.0.1.evil.example:4711", "localhost.:4711", "127.1:4711", "", "127.0.0.1:4711, x",
    ])
  func refusesHosts(host: String) {
    #expect(Self.refusal(Self.head([("Host", host), Self.bearer])) == .misdirected)
  }

  @Test("RC-2: a name that some grant has is found, with the port of the listener")
  func takesNames() throws {
    #expect(try Self.found(Self.head([Self.host, Self.bearer])).host == nil)
    for host in ["ritual.localhost:4711", "RITUAL.localhost:4711"] {
      #expect(try Self.found(Self.head([("Host", host), Self.bearer])).host == "ritual.localhost")
    }
    let own = ("Origin", "http://ritual.localhost:4711")
    #expect(try Self.found(Self.head([("Host", "ritual.localhost:4711"), Self.bearer, own])).host != nil)
    #expect(Self.refusal(Self.head([Self.host, Self.bearer, own])) == .forbidden)
    for host in ["ritual.localhost", "ritual.localhost:4712", "ritual.localhost:", "ritual.localhost.:4711"] {
      #expect(Self.refusal(Self.head([("Host", host), Self.bearer])) == .misdirected, "\(host)")
    }
  }

  @Test("RC-1: on a socket the host is this machine with any port, which a forwarded one has, and pages are refused")
  func takesSockets() throws {
    for host in ["localhost", "LocalHost", "localhost:80", "127.0.0.1:1", "127.0.0.1", ""] {
      #expect(try Self.found(Self.head([("Host", host), Self.bearer]), port: nil).host == nil, "\(host)")
    }
    #expect(
      try Self.found(Self.head([("Host", "ritual.localhost:8080"), Self.bearer]), port: nil).host == "ritual.localhost")
    for host in ["x", "localhost.", "localhost:a", "localhost:1:2", "[::1]", "evil.example", "127.0.0.2"] {
      #expect(Self.refusal(Self.head([("Host", host), Self.bearer]), port: nil) == .misdirected, "\(host)")
    }
    let forwarded = [("Host", "localhost:8080"), Self.bearer]
    #expect(Self.refusal(Self.head(forwarded + [("Origin", "http://localhost:3000")]), port: nil) == .forbidden)
    #expect(Self.refusal(Self.head(forwarded + [("Sec-Fetch-Site", "same-origin")]), port: nil) == .forbidden)
    #expect(try Self.found(Self.head(forwarded + [("Origin", "http://localhost:8080")]), port: nil).host == nil)
  }

  @Test("a request without a host, or with two, is misdirected")
  func needsOneHost() {
    #expect(Self.refusal(Self.head([Self.bearer])) == .misdirected)
    #expect(Self.refusal(Self.head([Self.host, Self.host, Self.bearer])) == .misdirected)
  }

  @Test(
    "a web page is refused, whatever it sends",
    arguments: [
      [("origin", "null")], [("Origin", "")], [("Sec-Fetch-Site", "same-origin")], [("Sec-Fetch-Site", "cross-site")],
      [("Origin", "http://127.0.0.1:4712")], [("Origin", "http://localhost")], [("Origin", "https://127.0.0.1:4711")],
      [("Origin", "https://evil.example")], [("Origin", "file://")], [("Origin", "data:x")], [("Origin", "blob:x://y")],
      [("Origin", "chrome-extension://abc")], [("Origin", "moz-extension://abc")],
      [("Origin", "Safari-Web-Extension://a")],
      [("Origin", "HTTPS://evil.example")], [("Origin", "://x")], [("Origin", "tauri")], [("Origin", "x y://a")],
      [("Origin", "tauri://localhost"), ("Origin", "https://evil.example")],
      [("Origin", "http://127.0.0.1:4711"), ("Sec-Fetch-Site", "same-origin")],
      [("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", "cross-site")],
    ] as [[(String, String)]])
  func refusesPages(headers: [(String, String)]) {
    #expect(Self.refusal(Self.head([Self.host, Self.bearer] + headers)) == .forbidden)
  }

  @Test(
    "a program that contains a browser, or names the URL as its origin, is no page",
    arguments: [
      [("Sec-Fetch-Site", "none")], [("Origin", "http://127.0.0.1:4711")], [("origin", "http://LOCALHOST:4711")],
      [("Origin", "tauri://localhost")], [("Origin", "vscode-webview://abc"), ("Sec-Fetch-Site", "cross-site")],
      [("Origin", "app://-")], [("Origin", "capacitor://localhost"), ("Sec-Fetch-Site", "none")],
    ] as [[(String, String)]])
  func servesPrograms(headers: [(String, String)]) {
    #expect(Self.refusal(Self.head([Self.host, Self.bearer] + headers)) == nil)
    #expect(Self.refusal(Self.head([Self.host] + headers)) == .unauthorized)
  }

  @Test("a preflight is refused; another OPTIONS request is not")
  func refusesPreflights() {
    let preflight = [Self.host, Self.bearer, ("Access-Control-Request-Method", "PUT")]
    #expect(Self.refusal(Self.head(preflight, "/", "OPTIONS")) == .forbidden)
    #expect(Self.refusal(Self.head([Self.host, Self.bearer], "/", "OPTIONS")) == nil)
  }

  @Test(
    "a missing, malformed or second placeholder token is unauthorized",
    arguments: [
      [], [("Authorization", placeholder)], [("Authorization", "Basic \(placeholder)")], [("apikey", "")],
      [("Authorization", "Bearer")], [("Authorization", "Bearer eyJhbGciOiJub25lIn0.e30.")],
      [("apikey", String(placeholder.dropLast()))], [("apikey", placeholder + "A")], [("apikey", "sb_secret_x")],
      [bearer, ("apikey", other)], [("Authorization", "Bearer anon"), ("apikey", placeholder)],
      [bearer, ("Authorization", "Bearer \(other)")],
      [("apikey", placeholder), ("apikey", other)], [("x-api-key", placeholder)], [("Cookie", "apikey=\(placeholder)")],
    ] as [[(String, String)]])
  func refusesOtherTokens(headers: [(String, String)]) {
    #expect(Self.refusal(Self.head([Self.host] + headers)) == .unauthorized)
  }

  @Test("the project's key as apikey beside a bearer placeholder token is no second one")
  func takesThePublicKey() throws {
    for placeholder in Self.forms {
      let bearer = ("Authorization", "Bearer \(placeholder)")
      for key in ["anon", "sb_publishable_abc", Self.publicKey] {
        let found = try Self.found(Self.head([Self.host, bearer, ("apikey", key)]))
        // Only what could be a placeholder token of another form has to be looked up.
        #expect(found.token == placeholder && found.otherKeys == (key == Self.publicKey ? [key] : []))
      }
      #expect(Self.refusal(Self.head([Self.host, bearer, ("apikey", Self.other)])) == .unauthorized)
    }
  }

  // MARK: - The query

  private static let upgrade = [host, ("Connection", "Upgrade"), ("Upgrade", "websocket")]

  @Test(
    "a realtime socket has the placeholder token in its query, which goes on without it",
    arguments: [
      ("?apikey=KEY&vsn=1.0.0", "?vsn=1.0.0"), ("?vsn=1.0.0&apikey=KEY", "?vsn=1.0.0"), ("?apikey=KEY", ""),
      ("?a=%2F+b&&apikey=KEY&c", "?a=%2F+b&&c"), ("?%61pikey=KEY&x=1", "?x=1"), ("?apikey=KEY&apikey=KEY", ""),
      ("?apikey=%73b_publishable_ritual_\(placeholder.suffix(43))", ""),
    ])
  func takesQuery(query: String, rest: String) throws {
    let path = "/realtime/v1/websocket"
    let uri = path + query.replacing("KEY", with: Self.placeholder)
    let found = try Self.found(Self.head(Self.upgrade, uri))
    #expect(found.token == Self.placeholder && found.uri == path + rest)
    #expect(try Self.found(Self.head(Self.upgrade + [Self.bearer], uri)) == found)
    #expect(Self.refusal(Self.head(Self.upgrade + [("apikey", Self.other)], uri)) == .unauthorized)
  }

  @Test(
    "a placeholder token anywhere else in a URL is refused, and never sent on",
    arguments: [
      "/rest/v1/todos?apikey=KEY", "/realtimes/v1?apikey=KEY", "/realtime/v1/websocket?token=KEY&apikey=KEY",
      "/realtime/v1/websocket?apikey=KEY&x=KEY", "/rest/v1/todos?x=sb%5Fpublishable_ritual_A",
      "/functions/v1/KEY",
    ])
  func refusesQueries(uri: String) {
    let uri = uri.replacing("KEY", with: Self.placeholder)
    #expect(Self.refusal(Self.head(Self.upgrade + [Self.bearer], uri)) == .unauthorized)
    // Without an upgrade, a realtime path is none.
    #expect(Self.refusal(Self.head([Self.host, Self.bearer], uri)) == .unauthorized)
  }

  @Test("a placeholder token of any form is found in a URL, also a part of it", arguments: forms)
  func findsEveryForm(placeholder: String) throws {
    let bearer = ("Authorization", "Bearer \(placeholder)")
    #expect(try Self.found(Self.head([Self.host, bearer])).token == placeholder)
    #expect(try Self.found(Self.head([Self.host, ("apikey", placeholder)])).token == placeholder)
    let escaped = placeholder.replacing("A", with: "%41")
    for uri in ["/x?a=\(placeholder)", "/x/\(placeholder)/y", "/x?a=\(escaped)", "/x?a=\(placeholder.suffix(43))z"] {
      #expect(Self.refusal(Self.head([Self.host, bearer], uri)) == .unauthorized, "\(uri)")
    }
    let found = try Self.found(Self.head(Self.upgrade, "/realtime/v1/websocket?apikey=\(placeholder)&a"))
    #expect(found.token == placeholder && found.uri == "/realtime/v1/websocket?a")
  }

  @Test("a parameter apikey of another request that is no placeholder token stays")
  func keepsOtherQueries() throws {
    let uri = "/rest/v1/keys?apikey=eq.1&select=%2a"
    #expect(try Self.found(Self.head([Self.host, Self.bearer], uri)).uri == uri)
  }

  // MARK: - Properties

  private static let pieces = [
    "apikey", "=", "&", "?", "/", "%", "%61", "%3D", "%26", "#", "+", ";", "sb_", "sb_publishable_ritual_", placeholder,
    other, "x",
    "ü", "%C3%BC", "%ff", "e\u{301}", "=\u{301}", "&\u{301}", "%2573b_publishable_ritual_", "realtime", "/realtime/v1",
    "",
  ]

  @Test("whatever a URL contains, an accepted request goes on without a placeholder token", arguments: 0..<40)
  func neverSendsPlaceholders(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let count = Int.random(in: 0...12, using: &random)
      let text = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
      let uri = (Bool.random(using: &random) ? "/realtime/v1/websocket?" : "/") + text
      let upgrade = Bool.random(using: &random) ? Self.upgrade : [Self.host]
      let key = Bool.random(using: &random) ? [Self.bearer] : []
      guard let head = Self.head(upgrade + key, uri), let found = try? Self.found(head)
      else { continue }
      #expect(PlaceholderToken.hasForm(found.token))
      #expect(found.uri.utf8.firstRange(of: Array("sb_publishable_ritual_".utf8)) == nil, "\(uri)")
      // What is left is the original text, with whole parameters removed.
      let left = found.uri.utf8.split(separator: UInt8(ascii: "&")).map { String(decoding: $0, as: UTF8.self) }
      #expect(left.last.map { uri.utf8.count >= $0.utf8.count } ?? true)
      // Clients make two slashes of a URL that ends with one.
      let path = uri.hasPrefix("//") ? String(uri.dropFirst()) : uri
      if path == found.uri { continue }
      #expect(path.hasPrefix("/realtime") && found.uri.utf8.count < path.utf8.count)
    }
  }
}
