import Foundation
import Synchronization
import TestKit
import Testing

@testable import AuthSandbox
@testable import SessionVault

/// The secrets that an agent learned in a test, collected while they are valid.
struct KnownSecrets {
  private(set) var all: [Secret] = []
  private var keys: [Secret] = []
  private(set) var accessTokens: [String] = []
  private(set) var refreshTokens: [String] = []

  var search: SecretSearch { SecretSearch(all + keys) }

  mutating func add(password: String) { all.append(Secret("password", password)) }

  mutating func add(passphrase: String) { all.append(Secret("passphrase", passphrase)) }

  /// Adds the key as written in the file (hexadecimal digits after a prefix), and as bytes.
  mutating func add(keyFile path: String) throws {
    let line = try String(contentsOfFile: path, encoding: .utf8)
    let digits = Array((line.split(separator: ":").last ?? "").utf8.prefix(64))
    guard digits.count == 64 else { throw ConditionTimeout(what: "a key in \(path)") }
    let bytes = stride(from: 0, to: 64, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
    keys.append(Secret("the key file's digits", String(decoding: digits, as: UTF8.self)))
    keys.append(Secret("the key file's key", bytes: bytes))
  }

  /// Adds the keys that an agent has while its vault is open or being opened.
  mutating func add(keysOf copy: VaultCopy, by source: KeySource) throws { keys += try copy.keys(by: source) }

  /// The secrets without the keys, for an agent whose vault stays open.
  var withoutKeys: KnownSecrets {
    var rest = self
    rest.keys = []
    return rest
  }

  mutating func add(accessToken token: String) {
    guard !accessTokens.contains(token) else { return }
    all += Secret.parts(ofAccessToken: token, "access token \(accessTokens.count)")
    accessTokens.append(token)
  }

  /// Adds all refresh tokens of the sandbox's current sessions, including spent ones.
  mutating func add(refreshTokensOf sandbox: AuthSandbox) {
    for token in sandbox.refreshTokens where !refreshTokens.contains(token) {
      all.append(Secret("refresh token \(refreshTokens.count)", token))
      refreshTokens.append(token)
    }
  }
}

extension AuthSandbox {
  /// All refresh tokens, oldest first. The sandbox forgets the tokens of a deleted session.
  fileprivate var refreshTokens: [String] {
    backend.state.withLock { state in
      state.sessions.all.flatMap { session in
        let counted = session.counter.map { counter in
          (0..<max(counter.value + 1, 0)).map { CounterToken(session: session.id, counter: $0, key: counter.key).text }
        }
        return session.opaqueTokens.map(\.value) + (counted ?? [])
      }
    }
  }
}

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
