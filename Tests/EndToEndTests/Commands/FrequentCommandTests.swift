import Foundation
import TestKit
import Testing

/// The commands that scripts run often do the same in their plain form, which is read without the
/// parser, as with an option that changes nothing and makes the parser read them.
@Suite(.home, .serialized, .timeLimit(.minutes(5))) struct FrequentCommandTests {
  private static let parsed = ["--color", "auto"]

  @Test("a plain command does what the parser makes of it")
  func doesTheSame() async throws {
    try await home.signIn()
    for account in [[], ["--account", "default"], ["--account", "nobody"], ["--account", ""]] {
      try await compare(home, ["token"] + account)
      for format in ["raw", "header", "headers", "env", "curl", "xml"] {
        try await compare(home, ["token", "--format", format] + account)
        try await compare(home, ["token"] + account + ["--format", format])
      }
      try await compare(home, ["status"] + account)
      try await compare(home, ["status", "--short"] + account)
      try await compare(home, ["status"] + account + ["--short"])
      for command in [
        ["printenv", "RITUAL_ACCESS_TOKEN", "SUPABASE_KEY"], ["echo", "--account", "x", "-q"], ["no-such-command"],
      ] {
        try await compare(home, ["exec"] + account, ["--"] + command)
      }
    }
    try await compare(home, ["exec"], ["--", "echo", "--", "x"])
  }

  @Test("words that the plain form does not know are wrong usage, as the parser says")
  func leavesTheRestToTheParser() async throws {
    for words in [
      ["token", "--", "x"], ["status", "--", "x"], ["exec"], ["exec", "--"], ["token", "--account"],
      ["token", "--account", "--quiet"], ["status", "more"], ["status", "--short", "more"],
      ["status", "--account", "--short"], ["token", "--account", "a", "more"], ["token", "--format"],
      ["token", "--format", "raw", "--format"], ["exec", "ls"],
    ] {
      let output = try await home.start(words).end()
      #expect(output.status == 64, "\(words): \(output)")
      #expect(output.stderr.hasPrefix("ritualctl: "), "\(words)")
    }
  }

  private func compare(_ home: TestHome, _ words: [String], _ command: [String] = []) async throws {
    let plain = try await home.start(words + command).end()
    let parsed = try await home.start(words + Self.parsed + command).end()
    #expect(plain.status == parsed.status, "\(words + command)")
    #expect(withoutTimes(plain.stdout) == withoutTimes(parsed.stdout), "\(words + command)")
    #expect(plain.stderr == parsed.stderr, "\(words + command)")
  }

  /// `status` shows how long the agent has been running.
  private func withoutTimes(_ text: String) -> String { text.replacing(#/\d+ (s|min)/#, with: "…") }
}
