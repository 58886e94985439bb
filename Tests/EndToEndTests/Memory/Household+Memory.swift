import Foundation
import TestKit
import Testing

extension Household {
  /// VA-4 promises 3 s, on a machine that is not as busy as one that tests. What stays for good is found after this as well.
  private static let patience: Duration = .seconds(30)

  nonisolated var keyFile: String { folder.path + "/data/ritual-agent/vault.key" }

  /// What the agent's memory holds of the secrets, now.
  func findings(_ known: KnownSecrets) async throws -> [SecretFinding] {
    let pid = try #require(agentPID)
    let core = try await CoreImage.take(of: pid, in: folder)
    let findings = core.findings(known.search)
    // A fresh agent has some; the rest of a core is the programs' own text, and zeros.
    #expect(core.searched > 1_000_000, "the core holds memory")
    return findings
  }

  /// What is left; looks again for a while, as long as there is something.
  func remaining(_ known: KnownSecrets) async throws -> [SecretFinding] {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      let begun = ContinuousClock.now
      let left = try await findings(known)
      if left.isEmpty || begun > deadline { return left }
    }
  }
}
