import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentServer
@testable import SessionEngine

/// The accounts of directories (`session.use`).
@Suite(.timeLimit(.minutes(5))) struct DirectoryTests {
  private var home: AccountsHome { .current }
  private var fixture: AccountsFixture { .current }

  private func bind(_ account: String, _ directory: String) async throws {
    _ = try await fixture.accounts.use(.init(account: account, directory: directory))
  }

  @Test("only resolved paths are accepted")
  func forms() {
    for path in ["/", "/a", "/a/b", "/.a", "/a.", "/...", "/ä/ /~", "/" + String(repeating: "a", count: 4095)] {
      #expect(DirectoryAccount.isResolved(path), "\(path)")
    }
    for path in [
      "", "a", "a/b", "./a", "//", "/a/", "/a//b", "//a", "/.", "/..", "/a/.", "/a/..", "/../a", "/a/./b", "/a\u{0}b",
      "/\u{0}", "~", "/" + String(repeating: "a", count: 4096),
    ] {
      #expect(!DirectoryAccount.isResolved(path), "\(path)")
    }
  }

  @Test("the longest path decides, by whole segments, whatever the paths")
  func matches() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    // Segments of which some are the start of others, and some equal as texts but not as bytes.
    let segments = ["a", "ab", "b", "a.b", "\u{E9}", "e\u{301}", " "]
    func path(_ most: Int) -> [String] {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in segments.randomElement(using: &random) ?? "a" }
    }
    func text(_ path: [String]) -> String { "/" + path.joined(separator: "/") }
    func bytes(_ path: [String]) -> [[UInt8]] { path.map { Array($0.utf8) } }
    for _ in 0..<2000 {
      let bound = (0..<Int.random(in: 0...6, using: &random)).map { _ in path(4) }
      let tokens = TokenSnapshot(clock: ManualClock())
      tokens.setDirectories(bound.enumerated().map { .init(directory: text($0.element), account: "\($0.offset)") })
      let place = path(5)
      let expected = bound.filter { bytes(place).starts(with: bytes($0)) }.map(\.count).max()
      let found = tokens.account(in: text(place))
      #expect(
        found.map { $0.value.directory.utf8.count { $0 == UInt8(ascii: "/") } - ($0.value.directory == "/" ? 1 : 0) }
          == expected, "seed \(seed): \(place) in \(bound)")
      if let found { #expect(text(place).utf8.starts(with: found.value.directory.utf8), "seed \(seed)") }
      #expect(DirectoryAccount.isResolved(text(place)))
    }
  }

  @Test("a directory is set, replaced, listed and forgotten, and at most 64 are kept", .accounts)
  func setsAndForgets() async throws {
    try await fixture.signIn("work")
    try await fixture.signIn("home", user: "user-2", token: "2")
    try await bind("home", "/b")
    try await bind("work", "/a")
    try await bind("work", "/b")
    let tokens = fixture.accounts.tokens
    #expect(tokens.directories.map(\.directory) == ["/a", "/b"] && tokens.account(in: "/b/c")?.value.account == "work")
    #expect(try await fixture.accounts.use(.init(directory: "/b", forget: true)).name == "work")
    #expect(tokens.account(in: "/b") == nil)
    #expect(await errorKind { try await fixture.accounts.use(.init(directory: "/b", forget: true)) } == .invalidParams)
    #expect(await errorKind { try await fixture.accounts.use(.init(forget: true)) } == .invalidParams)
    #expect(await errorKind { try await bind("nobody", "/c") } == .unknownAccount)
    for path in ["", "c", "/c/", "/c/../d", "/c\u{0}"] {
      #expect(await errorKind { try await bind("work", path) } == .invalidParams, "\(path)")
      #expect(
        await errorKind { try await fixture.accounts.use(.init(directory: path, forget: true)) } == .invalidParams)
    }
    for number in 1..<StoredSettings.maxDirectories { try await bind("home", "/\(number)") }
    #expect(await errorKind { try await bind("home", "/c") } == .invalidParams)
    try await bind("work", "/1")
    #expect(
      tokens.directories.count == StoredSettings.maxDirectories && tokens.account(in: "/1")?.value.account == "work")
    #expect(try await fixture.token().account == "work", "the default account stays")
  }

  @Test(
    "a rename takes the directories along, a removal leaves them without an account, also after a restart", .restarts)
  func followsRenames() async throws {
    try await home.start { fixture async throws in
      try await fixture.signIn("work")
      try await fixture.signIn("home", user: "user-2", token: "2")
      for (account, directory) in [("work", "/w"), ("home", "/h")] {
        _ = try await fixture.accounts.use(.init(account: account, directory: directory))
      }
      _ = try await fixture.accounts.rename("work", to: "job")
      _ = try await fixture.accounts.remove("home")
    }
    try await home.start { fixture async throws in
      let tokens = fixture.accounts.tokens
      #expect(tokens.directories.map(\.account) == ["home", "job"])
      // Not the default account's.
      #expect(await errorKind { try await fixture.token(tokens.account(in: "/h")?.value.account) } == .unknownAccount)
      await fixture.accounts.forgetSessions()
      #expect(tokens.directories.count == 2, "a lock keeps them")
    }
  }

  @Test("a rename that a crash interrupted leaves the directory with the account that exists", .restarts)
  func undoesRenames() async throws {
    try await home.start { fixture async throws in
      try await fixture.signIn("old")
      _ = try await fixture.accounts.use(.init(account: "old", directory: "/w"))
      let old = try await fixture.store.load("old")
      _ = try await fixture.accounts.rename("old", to: "new")
      // As if the deletion of the old record had not happened.
      var new = try await fixture.store.load("new")
      new.renamedFrom = "old"
      try await fixture.store.save(new)
      try await fixture.store.save(old)
    }
    try await home.start { fixture async throws in
      #expect(await fixture.accounts.list().map(\.name) == ["old"])
      #expect(fixture.accounts.tokens.account(in: "/w")?.value.account == "old")
      #expect(try await fixture.token().account == "old")
    }
  }

  @Test("every method takes the account of the directory, and a named account comes first", .policy([]))
  func everyMethod() async throws {
    let home = PolicyFixture.ruled
    let call = await home.connect(1, unit: "tool.service")
    _ = try await home.answer("session.use", #"{"account":"home","directory":"/p"}"#, call)
    func account(_ method: String, _ params: String) async throws -> [String?] {
      let answer = try await home.answer(method, params, call)
      return [(answer["account"] ?? answer["name"])?.text, answer["directory"]?.text]
    }
    for method in ["session.token", "session.status"] {
      #expect(try await account(method, #"{"directory":"/p/q"}"#) == ["home", "/p"], "\(method)")
      #expect(try await account(method, #"{"directory":"/pq"}"#) == ["work", nil], "\(method)")
      #expect(try await account(method, #"{"directory":"/p","account":"work"}"#) == ["work", nil], "\(method)")
      #expect(
        try await account(method, #"{"directory":"/p","account":null,"flow":null}"#) == ["home", "/p"], "\(method)")
      for path in ["p", "/p/", "/x/../p", "/p\\u0000"] {
        #expect(await home.refusal(method, #"{"directory":"\#(path)"}"#, call)?.kind == .invalidParams, "\(path)")
      }
    }
    #expect(try await home.answer("session.list", "{}", call)["directories"] != nil)
    _ = try await home.answer("session.remove", #"{"account":"home"}"#, call)
    let gone = await home.refusal("session.token", #"{"directory":"/p"}"#, call)
    #expect(gone?.kind == .unknownAccount && gone?.message == "There is no account named home, which is set for /p.")
    let out = try await home.answer("session.signOut", #"{"directory":"/p","all":true}"#, call)
    #expect(out["accounts"] == .array([.string("work")]))
  }

  @Test(
    "the rules judge the account of the directory, also its end", .policy([PolicyRule(account: "home", action: .deny)]))
  func judges() async throws {
    let home = PolicyFixture.ruled
    let call = await home.connect(1, unit: "tool.service")
    #expect(await home.refusal("session.use", #"{"account":"home","directory":"/p"}"#, call)?.kind == .denied)
    _ = try await home.agent.accounts.use(.init(account: "home", directory: "/p"))
    #expect(await home.refusal("session.token", #"{"directory":"/p"}"#, call)?.kind == .denied)
    #expect(await home.refusal("session.token", #"{"directory":"/q"}"#, call) == nil)
    #expect(await home.refusal("session.use", #"{"directory":"/p","forget":true}"#, call)?.kind == .denied)
  }
}
