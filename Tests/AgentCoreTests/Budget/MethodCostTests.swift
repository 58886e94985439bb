import AgentProtocol
import FoundationEssentials
import SessionVault
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentCore
@testable import AgentServer
@testable import SessionEngine

/// The measured cost of each method against its registration (PR-4).
@Suite struct MethodCostTests {
  /// The number of runs of each method. The fastest run counts, because other tests share the CPU
  /// caches.
  private static let runs = 5
  /// The factor by which a call may exceed its registered cost: builds and machines differ.
  private static let margin = 5
  /// The lowest cost that is compared, in µs. Cheaper calls cannot be distinguished.
  private static let minComparedCost = 200

  private static let params: [String: String] = [
    "agent.hello": #"{"client":"test","protocol":1}"#,
    "approval.answer": #"{"id":"1","allow":true}"#,
    "session.token": #"{"minTTL":1}"#,
  ]

  private func cost(of name: String, in table: MethodTable) async throws -> Int {
    let method = try #require(table[name])
    let params = Self.params[name].map { Data($0.utf8) }
    var least = Int.max
    for _ in 0..<Self.runs {
      let meter = CallMeter()
      let handle = ConnectionHandle(id: 1, send: { _ in }, cut: { _ in })
      let call = Call(peer: Peer(pid: 1, uid: 0, gid: 0), connection: handle)
      await CallMeter.$current.withValue(meter) {
        // A refused call has a cost as well.
        _ = try? await table.threads.run(meter) { _ = try await method(params, call) }
      }
      least = min(least, meter.microseconds)
    }
    return least
  }

  @Test func noMethodCostsMoreThanItsRegistrationSays() async throws {
    try await withScratchDirectory { folder in
      let configuration = folder.appending(path: "config.toml")
      try Data().write(to: configuration)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: configuration.path)
      let places = VaultPaths(keyFile: folder.path + "/key/vault.key", credential: nil, state: folder.path)
      let vault = try AttachedVault(Vault.attach(storage: DirectoryStorage(path: folder.path + "/vault")), places)
      let table = AgentMethodTable.make(configuration: configuration.path, vault: .success(vault))
      // The first call of each method fills caches of the runtime. `vault.lock` is left out: after
      // a lock the vault's other methods would have nothing to do.
      let names = table.names.filter { $0 != "vault.lock" }
      for name in names { _ = try await cost(of: name, in: table) }
      for name in names {
        let used = try await cost(of: name, in: table) / CallBudget.slowness
        let most = max(try #require(table[name]).cost.microseconds, Self.minComparedCost) * Self.margin
        #expect(used <= most, "\(name) takes \(used) µs")
      }
      await table.threads.end()
    }
  }
}
