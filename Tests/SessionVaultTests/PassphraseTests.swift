import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import SessionVault

/// The cost of a passphrase, and input that is not a key.
struct PassphraseTests {
  private var fixture: VaultFixture { .current }

  /// Each wrong attempt costs a derivation for every slot; the right passphrase stops at its slot.
  @Test(.vault) func aWrongKeyCostsTheFullDerivation() async throws {
    let cheap = CheapDerivation()
    let vault = try fixture.attach(MemoryStorage(), cheap)
    try vault.create(with: passphrase("first"))
    #expect(cheap.count == 1)
    try vault.addKey(passphrase("second"), present: [passphrase("first")])
    // One derivation each for the proof, the check for a known key, and the new slot.
    #expect(cheap.count == 4)
    vault.lock()
    for attempt in 1...3 {
      #expect(code { () throws(VaultError) in try vault.unlock(with: [passphrase("wrong")]) } == .wrongKey)
      #expect(cheap.count == 4 + 2 * attempt)
    }
    try vault.unlock(with: [passphrase("first")])
    #expect(cheap.count == 11)
    #expect(code { () throws(VaultError) in try vault.unlock(with: [passphrase("wrong")]) } == .wrongKey)
    #expect(cheap.count == 13)
  }

  @Test(.vault) func nobodyWaitsForADerivation() async throws {
    let cheap = CheapDerivation()
    let vault = try fixture.make(MemoryStorage(), cheap)
    try vault.save([1], as: "a")
    // `load` takes the vault's lock, which would deadlock if the derivation held it.
    let seen = Recorder()
    cheap.during {
      seen.append(vault.isLocked ? "locked" : "open")
      if !vault.isLocked { seen.append((try? vault.load("a")) == [1] ? "read" : "failed") }
    }
    try vault.addKey(passphrase("words"), present: [fixture.keySource])
    #expect(seen.words == ["open", "read"])
    vault.lock()
    try vault.unlock(with: [passphrase("words")])
    #expect(seen.words == ["open", "read", "locked"])
  }

  @Test(.vault) func keysThatChangeDuringADerivationAreNoticed() async throws {
    try fixture.writeCredential()
    let cheap = CheapDerivation()
    let vault = try fixture.make(MemoryStorage(), cheap)
    cheap.during {
      cheap.during(nil)
      _ = try? vault.addKey(fixture.credential, present: [fixture.keySource])
    }
    #expect(throws: VaultError(.changedMeanwhile, "")) {
      try vault.addKey(passphrase("words"), present: [fixture.keySource])
    }
    #expect(vault.condition.keys.map(\.kind) == [.keyFile, .credential])
  }

  @Test(.vault) func costsBeyondTheBoundsAreRefusedBeforeAnythingIsAllocated() async throws {
    let refused = [(11, 8192), (UInt32.max, 8192), (1, (1 << 30) + 1), (1, UInt64.max)] as [(UInt32, UInt64)]
    for (passes, memory) in refused {
      let cheap = CheapDerivation()
      let storage = MemoryStorage()
      try forge(PassphraseCost(passes: passes, memory: memory), in: storage, fixture)
      let vault = try fixture.attach(storage, cheap)
      let before = storage.pairs
      #expect(code { () throws(VaultError) in try vault.unlock(with: [passphrase("words")]) } == .costRefused)
      #expect(cheap.count == 0)
      #expect(storage.pairs == before)
      vault.close()
    }
  }

  /// Creates a vault whose only slot demands `cost`.
  private func forge(_ cost: PassphraseCost, in storage: MemoryStorage, _ fixture: VaultFixture) throws {
    let slot = KeySlot(
      kind: .passphrase, id: Sodium.random(16),
      payload: PassphraseParameters(cost: cost).bytes + [UInt8](repeating: 0, count: KeySlot.wrappedLength))
    let machine = MachineTag(MachineID(bytes: []), vaultID: Sodium.random(16))
    let header = VaultHeader(vaultID: Sodium.random(16), generation: 1, machine: machine, slots: [slot])
    storage.pairs["header"] = header.sealed(under: try SecretBytes.random(count: 32))
  }

  @Test(.vault) func aCostThatLibsodiumDoesNotTakeIsRefused() async throws {
    for cost in [PassphraseCost(passes: 0, memory: 8192), PassphraseCost(passes: 1, memory: 8191)] {
      let storage = MemoryStorage()
      try forge(cost, in: storage, fixture)
      let vault = try fixture.attach(storage)
      #expect(code { () throws(VaultError) in try vault.unlock(with: [passphrase("words")]) } == .costRefused)
      vault.close()
    }
  }

  /// Half a second, memory before passes, within the bounds for new slots.
  @Test(arguments: [
    (1, 10, 256), (10, 10, 256), (51, 5, 256), (100, 3, 256), (200, 3, 128), (250, 2, 128), (400, 3, 64), (9000, 2, 64),
  ])
  func theCostFitsTheMachine(milliseconds: Int, passes: UInt32, mebibytes: UInt64) {
    let cost = PassphraseCost.fitting(.milliseconds(milliseconds))
    #expect(cost == PassphraseCost(passes: passes, memory: mebibytes << 20))
    #expect(cost.isWithinBounds && cost.isPossible)
  }

  @Test(.vault) func aNewSlotHasTheMeasuredCost() async throws {
    let vault = try Vault.open(storage: MemoryStorage(), key: passphrase("words"))
    let cost = try #require(vault.condition.keys.first?.cost)
    #expect((2...10).contains(cost.passes))
    #expect([64, 128, 256].contains(cost.memory >> 20) && cost.memory.isMultiple(of: 64 << 20))
  }

  @Test func whatIsNoPassphraseIsRefused() throws {
    #expect(code { () throws(VaultError) in _ = try Passphrase("") } == .invalidKey)
    let longest = String(repeating: "é", count: Passphrase.maxBytes / 2)
    #expect(code { () throws(VaultError) in _ = try Passphrase(longest) } == nil)
    #expect(code { () throws(VaultError) in _ = try Passphrase(longest + "x") } == .invalidKey)
    #expect("\(try Passphrase("sesame")) \([try passphrase("sesame")])".contains("sesame") == false)
  }

  /// Nothing is trimmed or normalized: é as one scalar or as two.
  @Test(.vault) func otherBytesAreAnotherPassphrase() async throws {
    let vault = try fixture.attach(MemoryStorage())
    try vault.create(with: passphrase("caf\u{e9}"))
    vault.lock()
    for other in ["cafe\u{301}", "caf\u{e9} ", "caf\u{e9}\n", "Caf\u{e9}"] {
      #expect(code { () throws(VaultError) in try vault.unlock(with: [passphrase(other)]) } == .wrongKey)
    }
    try vault.unlock(with: [passphrase("caf\u{e9}")])
  }

  private static let credentials: [(Int, VaultError.Code?)] = [
    (0, .invalidKey), (31, .invalidKey), (32, nil), (4096, nil), (4097, .invalidKey),
  ]

  @Test(.vault, arguments: credentials)
  func aCredentialHasItsBounds(length: Int, expected: VaultError.Code?) async throws {
    try fixture.writeCredential([UInt8](repeating: 5, count: length))
    #expect(
      code { () throws(VaultError) in
        try fixture.attach(MemoryStorage()).create(with: fixture.credential)
      } == expected)
  }

  @Test(.vault) func aCredentialIsTheUsersOrSystemds() async throws {
    try fixture.writeCredential()
    let path = fixture.credentialFile
    // As in a system service: owned by root, with the user in the access control list, which
    // shows as the group permissions.
    for (mode, expected) in [(0o400, nil), (0o600, nil), (0o440, .unsafe), (0o444, .unsafe)]
      as [(mode_t, VaultError.Code?)]
    {
      chmod(path, mode)
      #expect(code { () throws(VaultError) in _ = try Credential.read(path) } == expected, "\(mode)")
    }
    let mine = geteuid()
    for (owner, mode, expected) in [
      (0, 0o440, nil), (0, 0o444, .unsafe), (0, 0o460, .unsafe), (4711, 0o400, .unsafe),
    ]
      as [(uid_t, mode_t, VaultError.Code?)] where owner != mine
    {
      var status = stat()
      status.st_mode = S_IFREG | mode
      status.st_uid = owner
      #expect(code { () throws(VaultError) in try FileRules.requireCredential(status, "c") } == expected)
    }
    unlink(path)
    #expect(try Credential.read(path) === nil)
  }
}
