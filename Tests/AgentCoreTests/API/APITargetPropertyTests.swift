import AgentConfiguration
import AgentProtocol
import NIOHTTP1
import TestKit
import Testing

@testable import Egress
@testable import SessionEngine

/// Whatever a caller passes, a token stays on its two origins and away from the auth server.
/// The tests judge each resulting URL with a parser of their own, which decodes repeatedly and
/// resolves dot segments as servers do.
@Suite struct APITargetPropertyTests {
  private static let pieces = [
    "/", "//", "auth", "AUTH", "v1", "/auth/v1/", "rest", "/rest/v1", "..", ".", "/../", "/./", "%2e", "%2E%2e",
    "%252e",
    "%2f", "%2F", "%252f", "%5c", "\\", ";", ";x=1", "%3b", "@", "user:pw@", ":443", ":80", "?", "#", "&x=/../",
    "%61uth",
    "%2561uth", "a%75th", "%00", "%0d%0aHost:%20evil", "\r\n", "\t", " ", "evil.test", "https://", "http://",
    "https://abc.supabase.co", "https://api.example.org", "HTTPS://ABC.supabase.co", "https:\\\\", "api.example.org",
    "x", "users", "storage", "functions", "%c0%af", "%ff", "ü", "%", "%4", "[", "]", "%2525", "V1", "%56%31",
    "%CC%81", "%cc%81", "%25CC%2581", "%E2%83%9D", "%E2%80%8D", "%EF%B8%8F", "%3B%CC%81", "%3b%E2%83%9D", "..%3B%CC%81",
    ".%3B%CC%81", "/auth%3B%CC%81/v1", "v1%3B%CC%81", "%c0%ae%c0%ae", "%e0%80%af", "%2E%2E", "%2f%CC%81", "%5C%CC%81",
  ]

  private func project(_ url: String, _ apiURL: String?) throws -> Project {
    var settings = ProjectConfiguration(url: url, anonKey: "key")
    settings.apiURL = apiURL
    return Project(name: "p", settings: settings, endpoint: try settings.endpoint(), server: ScriptedAuthServer())
  }

  private func decoded(_ text: String) -> String {
    var (result, rest) = ([UInt8](), Array(text.utf8)[...])
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        result.append(value)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The segments of a path in lower case and without their parameters, byte by byte, as a server
  /// without Unicode support sees them.
  private func segments(_ path: String) -> [[UInt8]] {
    path.utf8.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }.split(separator: UInt8(ascii: "/"))
      .map { segment in
        segment.prefix { $0 != UInt8(ascii: ";") }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      }
  }

  /// The segments as a lenient server resolves them: backslashes are slashes, empty segments are
  /// ignored, dot segments are resolved.
  private func walked(_ path: String) -> [[UInt8]] {
    var walked: [[UInt8]] = []
    for segment in segments(path) {
      if segment == Array("..".utf8) {
        _ = walked.popLast()
      } else if segment != Array(".".utf8) {
        walked.append(segment)
      }
    }
    return walked
  }

  private func check(_ text: String, _ project: Project, _ seed: UInt64) -> Bool {
    guard let address = try? APIRequestURL(text, project: project) else { return false }
    let origin = [project.origin, project.apiOrigin].first { address.url.hasPrefix($0 + "/") }
    guard let origin else {
      Issue.record("\(address.url) of \(text), seed \(seed)")
      return true
    }
    let target = address.url.dropFirst(origin.count)
    #expect(target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }, "\(text), seed \(seed)")
    #expect(!address.isProject || origin == project.origin, "the project's key goes to the project: seed \(seed)")
    var path = String(target.prefix { $0 != "?" })
    for _ in 0..<8 {
      #expect(
        Array(path.utf8).firstRange(of: Array("//".utf8)) == nil && !path.utf8.contains(UInt8(ascii: "\\"))
          && path.utf8.allSatisfy { $0 >= 0x20 }, "\(text), seed \(seed)")
      let segments = segments(path)
      #expect(!segments.contains(Array("..".utf8)) && !segments.contains(Array(".".utf8)), "\(text), seed \(seed)")
      let walked = walked(path)
      #expect(
        !zip(walked, walked.dropFirst()).contains { $0 == Array("auth".utf8) && $1 == Array("v1".utf8) },
        "\(address.url), seed \(seed)")
      path = decoded(path)
    }
    return true
  }

  @Test("paths made of random pieces stay on the allowed origins", arguments: 0..<20 as Range<UInt64>)
  func staysWhereItMay(block: UInt64) throws {
    let projects = [
      try project("https://abc.supabase.co", "https://api.example.org"), try project("https://abc.supabase.co", nil),
      try project("https://abc.supabase.co/base", "https://api.example.org"),
    ]
    var passed = 0
    for seed in (block * 400)..<(block * 400 + 400) {
      var random = SeededGenerator(seed: seed)
      var text = "/"
      if Int.random(in: 0..<8, using: &random) == 0 { text = "" }
      for _ in 0...Int.random(in: 0...5, using: &random) { text += Self.pieces.randomElement(using: &random) ?? "" }
      for project in projects where check(text, project, seed) { passed += 1 }
    }
    // Guards against a run in which hardly any URL is accepted.
    #expect(passed > 50)
  }

  @Test(
    "drops every random spelling of a header that is reserved for authentication or message framing",
    arguments: 0..<4 as Range<UInt64>)
  func refusesHeaders(block: UInt64) {
    let refused = ["host", "authorization", "apikey", "cookie", "transfer-encoding", "content-length"]
    var passed = 0
    for seed in (block * 1000)..<(block * 1000 + 1000) {
      var random = SeededGenerator(seed: seed)
      var name = Array((refused.randomElement(using: &random) ?? "").utf8)
      for index in name.indices where Bool.random(using: &random) {
        switch name[index] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): name[index] -= 32
        case UInt8(ascii: "-"): name[index] = UInt8(ascii: "_")
        default: break
        }
      }
      let mutation = Int.random(in: 0..<4, using: &random)
      if mutation == 0 {
        name.insert(UInt8.random(in: 0...127, using: &random), at: Int.random(in: 0...name.count, using: &random))
      }
      let text = String(decoding: name, as: UTF8.self)
      // The parser refuses other names.
      guard let head = try? HTTPHead.request("GET", "/", [(text, "x")]) else { continue }
      let sent = head.fields.filter { !$0.isReserved }.map { head.text($0.name) }
      passed += sent.count
      // The name as a lenient server reads it: underscores become hyphens, white space and control
      // characters are dropped.
      let read = sent.map { header in
        String(
          decoding: header.lowercased().replacing("_", with: "-").utf8.filter { $0 > 0x20 && $0 < 0x7F },
          as: UTF8.self)
      }
      for name in read { #expect(!refused.contains(name), "\(text), seed \(seed)") }
    }
    #expect(passed > 10)
  }
}
