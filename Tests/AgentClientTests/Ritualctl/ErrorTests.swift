import AgentProtocol
import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct ErrorTests {
  @Test(
    "the exit status follows the error's kind",
    arguments: [
      ("cancelled", 2), ("signInNeeded", 4), ("vaultLocked", 5), ("denied", 6), ("approvalNeeded", 6),
      ("unknownAccount", 64), ("offline", 7), ("serviceUnavailable", 7), ("rateLimited", 7), ("timedOut", 7),
      ("flowTimedOut", 7), ("tooMany", 7), ("notReady", 7), ("vaultDamaged", 1), ("fromTheFuture", 1),
    ] as [(String, Int32)])
  func exitsByKind(kind: String, status: Int32) async throws {
    try await withBench { _, _ in
      Reply.error(kind, "Words of the agent.", hint: "do this")
    } _: { bench in
      let output = try await bench.run("refresh")
      #expect(output.status == status)
      #expect(output.stdout == "")
      // SI-10: cancelling is silent.
      #expect(output.stderr == (kind == "cancelled" ? "" : "ritualctl: Words of the agent.\n  do this\n"))
      let json = try await bench.run("refresh", "--json")
      #expect(json.status == status)
      #expect(json.stdout == "")
      #expect(
        json.stderr
          == #"{"error":{"hint":"do this","kind":"\#(kind)","message":"Words of the agent.","retryable":false},"#
          + #""exitStatus":\#(status),"formatVersion":1}"# + "\n")
    }
  }

  @Test("without an agent and without systemd: 3, and the command that helps; --socket names another socket")
  func saysHowToStart() async throws {
    try await withScratchDirectory { folder in
      let output = try await Ritualctl(["token"], in: folder).end()
      #expect(output.status == 3)
      #expect(
        output.stderr == """
          ritualctl: cannot connect to the agent at \(folder.path)/ritual-agent/agent.sock (No such file or directory)
            ritual-agentd

          """)
      let named = try await Ritualctl(["token", "--socket", "/nowhere", "--json"], in: folder).end()
      #expect(named.status == 3)
      #expect(named.stderr.contains(#""kind":"unreachable""#))
    }
  }

  @Test(
    "wrong usage exits with 64, as text or as JSON",
    arguments: [
      ["nonsense"], ["token", "eyJhbGciOi"], ["token", "--rejected", "eyJhbGciOi"], ["token", "--min-ttl", "-1"],
      ["token", "--timeout", "0"], ["sign-in", "phone"], ["sign-in", "google", "--email", "a@b"],
      ["sign-in", "email", "--password", "hunter2"], ["sign-in", "email", "--password=hunter2"],
      ["sign-in", "--nonce", "n"], ["sign-in", "email", "--id-token-stdin"],
      ["sign-in", "--session-stdin", "--sign-up"],
      ["sign-out", "--all", "--account", "a"], ["api", "-H", "bad", "/"], ["api", "-d", "a", "-F", "b", "/"], ["use"],
      ["sign-in"], ["complete-sign-in"], ["init", "--project-url", "http://example.org", "--anon-key", "k"],
    ])
  func refusesWrongUsage(arguments: [String]) async throws {
    try await withScratchDirectory { folder in
      let output = try await Ritualctl(arguments, in: folder).end()
      #expect(output.status == 64, "\(output.stderr)")
      #expect(output.stdout == "")
      #expect(output.stderr.hasPrefix("ritualctl: "))
      #expect(!output.stderr.contains("hunter2"), "a secret is not repeated")
      let json = try await Ritualctl(arguments + ["--json"], in: folder).end()
      #expect(json.status == 64)
      let document = try JSONSerialization.jsonObject(with: Data(json.stderr.utf8)) as? [String: Any]
      #expect(document?["exitStatus"] as? Int == 64)
    }
  }

  @Test(
    "help and version succeed", arguments: [[], ["--help"], ["token", "--help"], ["help", "exec"], ["--version"]])
  func helps(arguments: [String]) async throws {
    try await withScratchDirectory { folder in
      let output = try await Ritualctl(arguments, in: folder).end()
      #expect(output.status == 0)
      #expect(!output.stdout.isEmpty)
      #expect(output.stderr == "")
    }
  }
}
