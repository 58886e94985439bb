import Foundation
import TestKit
import Testing

extension TestHome {
  /// VA-4 promises 3 s, on a machine less busy than one that runs tests. A secret that is never
  /// wiped is found after this time as well.
  private static let searchTimeout: Duration = .seconds(30)

  nonisolated var keyFile: String { folder.path + "/data/ritual-agent/vault.key" }

  /// The secrets in the agent's memory now.
  func findings(_ known: KnownSecrets) async throws -> [SecretFinding] {
    let pid = try #require(agentPID)
    let core = try await CoreImage.take(of: pid, in: folder)
    let findings = core.findings(known.search)
    // A new agent has this much; the rest of a core is program text and zeros.
    #expect(core.searched > 1_000_000, "the core holds memory")
    return findings
  }

  /// The secrets that remain in memory. Searches repeatedly for a while, as long as there are any.
  func remaining(_ known: KnownSecrets) async throws -> [SecretFinding] {
    let deadline = ContinuousClock.now + Self.searchTimeout
    while true {
      let begun = ContinuousClock.now
      let left = try await findings(known)
      if left.isEmpty || begun > deadline { return left }
    }
  }
}
