import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct VaultTests {
  static let fileKey = #"{"id":"\#(String(repeating: "a1", count: 16))","kind":"keyFile"}"#
  static let wordKey =
    #"{"id":"\#(String(repeating: "b2", count: 16))","kind":"passphrase","memory":268435456,"passes":3}"#

  static func status(_ keys: String, state: String = "open", more: String = #","openedBy":"keyFile""#) -> String {
    Reply.result(
      #"{"state":"\#(state)","keys":[\#(keys)],"generation":2,"machine":"this","isAuthenticated":true,"#
        + #""isRekeying":false,"damaged":[],"protection":["It protects."],"isMemoryLocked":true\#(more)}"#)
  }

  /// The requests for a method that the agent received.
  private func sent(_ bench: Bench, _ method: String) -> [String] {
    bench.server.lines.filter { $0.contains(#""method":"\#(method)""#) }
  }

  @Test("status prints the state, the keys and what they protect, and exits with 5 while locked")
  func printsStatus() async throws {
    try await withBench(Self.status(Self.fileKey + "," + Self.wordKey)) { bench in
      let output = try await bench.run("vault", "status")
      #expect(
        output.stdout == """
          vault unlocked (key file)
            a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1  key file
            b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2  passphrase  Argon2id, 256 MiB, 3 passes
          It protects.

          """)
      #expect(output.status == 0)
    }
    try await withBench(Self.status(Self.wordKey, state: "locked", more: #","lockedBy":"hand""#)) { bench in
      let output = try await bench.run("vault", "status")
      #expect(output.stdout.hasPrefix("vault locked (manually; run ritualctl unlock)\n"))
      #expect(output.status == 5)
      #expect(try await bench.run("vault", "status", "--json").stdout.contains(#""formatVersion":1"#))
    }
  }

  @Test("lock says how to require the passphrase: a vault that has one needs the other keys removed")
  func advisesAfterALock() async throws {
    for (keys, advice) in [
      (Self.fileKey, "\n  ritualctl vault add-key --passphrase\n"),
      (Self.fileKey + "," + Self.wordKey, "\n  ritualctl vault remove-key a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1\n"),
    ] {
      try await withBench { method, _ in
        method == "vault.lock" ? Reply.result(#"{"opensByFile":true}"#) : Self.status(keys, state: "locked")
      } _: { bench in
        let output = try await bench.run("lock")
        #expect(output.status == 0 && output.stderr.hasSuffix(advice), "\(output.stderr)")
        #expect(output.stderr.contains("add-key") == advice.contains("add-key"))
      }
    }
  }

  @Test("unlock tries the files first, then the passphrase")
  func unlocks() async throws {
    let wrong = Reply.error("wrongKey")
    let opened = Reply.result(#"{"key":\#(Self.wordKey)}"#)
    try await withBench { method, line in
      guard method == "vault.unlock" else { return Self.status(Self.fileKey + "," + Self.wordKey, state: "locked") }
      return line.contains("passphrase") ? opened : wrong
    } _: { bench in
      let output = try await bench.runInTerminal(
        """
        expect('Vault passphrase: ')
        await_echo(False)
        say('correct horse\\n')
        finish()
        """, "unlock")
      #expect(output.status == 0, "\(output.stdout)")
      #expect(output.stdout.hasSuffix("the vault is unlocked (passphrase)\n"))
      #expect(!output.stdout.contains("horse"))
      #expect(sent(bench, "vault.unlock").count == 2)
      #expect(sent(bench, "vault.unlock").last?.contains(#""passphrase":"correct horse""#) == true)
    }
  }

  @Test("add-key --passphrase asks twice, and removes the key file unless declined", arguments: [false, true])
  func addsPassphrase(keeps: Bool) async throws {
    try await withBench { method, _ in
      method == "vault.status" ? Self.status(Self.fileKey) : Reply.result(#"{"key":\#(Self.wordKey),"removed":[]}"#)
    } _: { bench in
      let output = try await bench.runInTerminal(
        """
        expect('only the passphrase unlocks the vault? [Y/n] ')
        say('dont\\n')
        expect('Enter yes or no.')
        expect('only the passphrase unlocks the vault? [Y/n] ')
        say('\(keeps ? " No" : "")\\n')
        expect('New passphrase: ')
        await_echo(False)
        say('correct horse\\n')
        expect('Confirm passphrase: ')
        await_echo(False)
        say('correct horse\\n')
        finish()
        """, "vault", "add-key", "--passphrase")
      #expect(output.status == 0, "\(output.stdout)")
      #expect(output.stdout.contains("added: b2b2"))
      let request = try #require(sent(bench, "vault.addKey").first)
      #expect(request.contains(#""keepKeyFile":\#(keeps)"#))
      #expect(request.contains(#""present":{"keyFile":true}"#))
      #expect(request.contains(#""passphrase":"correct horse""#))
    }
  }

  @Test("detects a typing error in a new passphrase")
  func comparesPassphrases() async throws {
    try await withBench(Self.status(Self.fileKey)) { bench in
      let output = try await bench.runInTerminal(
        """
        expect('New passphrase: ')
        await_echo(False)
        say('correct horse\\n')
        expect('Confirm passphrase: ')
        await_echo(False)
        say('correct house\\n')
        finish()
        """, "vault", "add-key", "--passphrase", "--drop-key-file")
      #expect(output.status == 1)
      #expect(output.stdout.contains("the passphrases do not match"))
      #expect(sent(bench, "vault.addKey").isEmpty)
    }
  }

  @Test("remove-key takes the first digits, and warns that an old copy still opens")
  func removesKeys() async throws {
    try await withBench { method, _ in
      method == "vault.status" ? Self.status(Self.fileKey + "," + Self.wordKey) : Reply.result("{}")
    } _: { bench in
      let output = try await bench.run("vault", "remove-key", "b2b2")
      #expect(output.status == 0, "\(output.stderr)")
      #expect(output.stdout == "removed: b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2 (passphrase)\n")
      #expect(output.stderr.contains("the removed key still unlocks older copies of the vault"))
      for unknown in ["b2", "cccc"] { #expect(try await bench.run("vault", "remove-key", unknown).status == 64) }
      #expect(sent(bench, "vault.removeKey").count == 1)
    }
  }

  @Test("a wrong passphrase can be entered three times; a script has one attempt", arguments: [1, 2, 3])
  func allowsThreeAttempts(right: Int) async throws {
    try await withBench { method, line in
      if method == "vault.status" { return Self.status(Self.wordKey, state: "locked", more: "") }
      return line.contains("right") ? Reply.result(#"{"key":\#(Self.wordKey)}"#) : Reply.error("wrongKey")
    } _: { bench in
      let wrong = "expect('Vault passphrase: ')\nshown = ''\nawait_echo(False)\nsay('wrong\\n')\n"
      let script = String(repeating: wrong, count: right == 3 ? 3 : right)
      let last = right == 3 ? "" : "expect('Vault passphrase: ')\nawait_echo(False)\nsay('right\\n')\n"
      let output = try await bench.runInTerminal(script + last + "finish()", "unlock")
      #expect(output.status == (right == 3 ? 1 : 0), "\(output.stdout)")
      #expect(sent(bench, "vault.unlock").count == (right == 3 ? 3 : right + 1))
      #expect(try await bench.run("unlock", "--passphrase-stdin", input: "wrong\n").status == 1)
      #expect(sent(bench, "vault.unlock").count == (right == 3 ? 4 : right + 2))
    }
  }

  @Test("rekey names the key whose passphrase it asks for, and asks again after a wrong one")
  func namesTheKey() async throws {
    try await withBench { method, line in
      if method == "vault.status" { return Self.status(Self.wordKey) }
      return line.contains("right") ? Reply.result(#"{"generation":9}"#) : Reply.error("wrongKey")
    } _: { bench in
      let question = "expect('Passphrase of the key b2b2b2b2 (ritualctl vault status): ')\nawait_echo(False)\n"
      let output = try await bench.runInTerminal(
        question + "shown = ''\nsay('wrong\\n')\n" + question + "say('right\\n')\nfinish()", "vault", "rekey")
      #expect(output.status == 0, "\(output.stdout)")
    }
  }

  @Test("rekey presents every key; verify reports a damaged file with 1")
  func rekeysAndVerifies() async throws {
    try await withBench { method, _ in
      switch method {
      case "vault.status": Self.status(Self.fileKey + "," + Self.wordKey)
      case "vault.rekey": Reply.result(#"{"generation":9}"#)
      default:
        Reply.result(
          #"{"isWhole":false,"files":[{"file":"header","state":"ok"},{"file":"r1","state":"damaged","detail":"cut off"}]}"#
        )
      }
    } _: { bench in
      let rekey = try await bench.run("vault", "rekey", "--passphrase-stdin", input: "one\n")
      #expect(rekey.stdout == "the vault has a new master key (generation 9)\n", "\(rekey.stderr)")
      #expect(rekey.stderr == "ritualctl: the old keys still unlock older copies of the vault\n")
      #expect(sent(bench, "vault.rekey")[0].contains(#""present":{"keyFile":true,"passphrases":["one"]}"#))
      let verify = try await bench.run("vault", "verify")
      #expect(verify.status == 1)
      #expect(verify.stdout == "1 of 2 files are intact\nr1: damaged, cut off\n")
    }
  }

  @Test(
    "wrong usage exits with 64, and a passphrase is never repeated",
    arguments: [
      ["vault", "add-key"], ["vault", "add-key", "--passphrase", "hunter2"],
      ["unlock", "--passphrase-stdin", "hunter2"],
      ["vault", "add-key", "--passphrase=hunter2"], ["vault", "add-key", "--passphrase", "--credential"],
      ["vault", "add-key", "--credential", "--keep-key-file"], ["vault", "add-key", "--key-file", "relative"],
      ["vault", "add-key", "--passphrase", "--keep-key-file", "--drop-key-file"], ["vault", "remove-key"],
      ["vault", "nonsense"],
    ])
  func refusesWrongUsage(arguments: [String]) async throws {
    try await withScratchDirectory { folder in
      let output = try await Ritualctl(arguments, in: folder).end()
      #expect(output.status == 64, "\(output.stderr)")
      #expect(output.stdout == "")
      #expect(!output.stderr.contains("hunter2"))
    }
  }
}
