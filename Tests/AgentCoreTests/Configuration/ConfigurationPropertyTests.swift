import TestKit
import Testing

@testable import AgentConfiguration
@testable import SessionEngine

/// Parsing any file content returns a configuration, or throws an error with a position in the
/// text.
@Suite struct ConfigurationPropertyTests {
  private static let valid = """
    # ünïcode
    [projects.a]
    url = "https://x.co"
    anon_key = 'k'
    [projects."b"]
    url = \"\"\"https://y.co\"\"\"
    anon_key = "\\u006b"
    projects.c = { url = "https://z.co", anon_key = "k" }
    [sign_in]
    timeout = 9
    [[policy.rules]]
    account = "a"
    action = "deny"
    [[policy.rules]]
    unit = "a.service"
    action = "ask"
    methods = ["GET"]
    paths = [
      "/rest/v1/x", # ü
    ]
    """

  /// Pieces that have a meaning in TOML, complete or malformed.
  private static let pieces = [
    "[", "]", "[[", "]]", "{", "}", "\"", "'", "\"\"\"", "'''", "=", ".", ",", "#", "\n", "\r\n", "\\", "\\u0000",
    "\\ud800", "\\U0010FFFF", "é", "\u{FEFF}", "\0", "0x", "1979-05-27", "-05-27 1", "07:32:00", "Z", "+", "-", "_",
    "1", "e5", "inf", "true", "nan", "a.b.c", " ",
  ].map { Array($0.utf8) }

  private func check(_ bytes: [UInt8], _ seed: UInt64) {
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      let configuration = try Configuration.parse(text, file: "c.toml")
      for (name, project) in configuration.projects {
        #expect((try? project.endpoint()) != nil, "\(name), seed \(seed)")
      }
    } catch {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      #expect((0...lines.count).contains(error.line), "\(error), seed \(seed)")
      if lines.indices.contains(error.line - 1) {
        let line = String(decoding: lines[error.line - 1], as: UTF8.self).unicodeScalars
        // A missing character is reported one column past the end of the line.
        #expect((1...line.count + 1).contains(error.column), "\(error), seed \(seed)")
      }
      #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "seed \(seed)")
    }
  }

  @Test("a valid file with bytes changed, removed or inserted", arguments: 0..<20 as Range<UInt64>)
  func survivesMutations(block: UInt64) {
    for seed in (block * 100)..<(block * 100 + 100) {
      var random = SeededGenerator(seed: seed)
      var bytes = Array(Self.valid.utf8)
      for _ in 0...Int.random(in: 0...4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...8, using: &random)))
        case 2: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
        default: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: index)
        }
      }
      check(bytes, seed)
    }
  }

  @Test("random bytes, and random pieces of TOML", arguments: 0..<20 as Range<UInt64>)
  func survivesNoise(block: UInt64) {
    for seed in (block * 50)..<(block * 50 + 50) {
      var random = SeededGenerator(seed: seed)
      check((0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }, seed)
      check(
        (0..<Int.random(in: 0...60, using: &random)).flatMap { _ in Self.pieces.randomElement(using: &random) ?? [] },
        seed)
    }
  }

  @Test(
    "deeply nested and long texts, complete and truncated",
    arguments: [
      "[", "{", "a.", "a={", "[[", "[a.", "\"", "'''", "a=[", "a=1\n", "\\", "x=\"\\u0000\"\n", "\"\\u0000\".",
    ])
  func survivesDepth(piece: String) {
    for ending in ["", "a = 1", "\n=", "]", "a]\n="] {
      check(Array((String(repeating: piece, count: 60_000) + ending).utf8), 0)
      check(Array(("a = " + String(repeating: piece, count: 60_000) + ending).utf8), 0)
    }
  }
}
