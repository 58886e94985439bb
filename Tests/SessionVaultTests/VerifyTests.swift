import Synchronization
import TestKit
import Testing

@testable import SessionVault

/// What `verify` reports for each file, and that it changes no file.
@Suite(.vault) struct VerifyTests {
  private var fixture: VaultFixture { .current }

  @Test func eachFileIsNamedAndNoneIsTouched() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.make(storage)
    var files: [String: String] = [:]
    for name in ["good", "flipped", "newer", "gone", "older"] {
      let before = Set(storage.pairs.keys)
      try vault.save([1], as: name)
      files[name] = Set(storage.pairs.keys).subtracting(before).first
    }
    let older = storage.pairs[files["older"]!]
    try vault.save([2], as: "older")
    #expect(try vault.verify().map(\.state) == Array(repeating: .ok, count: 12))
    storage.pairs[files["flipped"]!]?[100] ^= 1
    storage.pairs[files["newer"]!]?[8] = 7
    storage.pairs[files["gone"]!] = nil
    storage.pairs[files["older"]!] = older
    storage.pairs[files["good"]! + ".damaged-1"] = [1]
    storage.pairs["notes.txt"] = [1]
    let before = storage.pairs
    let found = Dictionary(uniqueKeysWithValues: try vault.verify().map { ($0.file, $0.state) })
    #expect(storage.pairs == before && vault.damaged.isEmpty)
    #expect(found[files["good"]!] == .ok && found["header"] == .ok)
    #expect(found[files["newer"]!] == .newer(7))
    #expect(found[files["gone"]!] == .missing && found[files["gone"]! + ".2"] == .missing)
    #expect(found[files["good"]! + ".damaged-1"] == .setAside)
    #expect(found["notes.txt"] == .foreign)
    for name in ["flipped", "older"] {
      guard case .damaged = found[files[name]!] else {
        Issue.record("\(name): \(String(describing: found[files[name]!]))")
        continue
      }
    }
  }

  @Test func anExchangedHeaderIsNamed() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.make(storage)
    storage.pairs["header"]?[100] ^= 1
    guard case .damaged = try vault.verify().first?.state else {
      Issue.record("not noticed")
      return
    }
  }

  @Test func whatCannotBeReadIsNamed() async throws {
    let storage = FaultyStorage(MemoryStorage())
    let vault = try fixture.make(storage)
    try vault.save([1], as: "a")
    storage.failsReadingRecords.store(true, ordering: .relaxed)
    guard case .unreadable = try vault.verify().first?.state else {
      Issue.record("not noticed")
      return
    }
  }
}
