import SystemSupport
import TestKit
import Testing

@testable import SessionVault

/// VA-8: a copy of a vault is detected.
@Suite(.vault) struct MachineTests {
  private var fixture: VaultFixture { .current }

  private let other = MachineID(bytes: Array(101...116))
  private let none = MachineID(bytes: [])

  private func closed(_ fixture: VaultFixture, on machine: MachineID) throws -> MemoryStorage {
    let storage = MemoryStorage()
    let vault = try fixture.attach(storage, machine: machine)
    try vault.create(with: fixture.keySource)
    vault.close()
    return storage
  }

  @Test func anotherMachineIsTold() async throws {
    let here = VaultFixture.thisMachine
    let cases: [(MachineID, MachineID, VaultMachine)] = [
      (here, here, .this), (here, other, .other), (here, none, .other), (none, here, .unknown),
      (none, none, .unknown),
    ]
    for (made, now, expected) in cases {
      let vault = try fixture.attach(closed(fixture, on: made), machine: now)
      #expect(vault.condition.machine == expected)
      try vault.unlock(with: [fixture.keySource])
      #expect(vault.condition.machine == expected)
      vault.close()
    }
  }

  @Test func adoptingIsDurable() async throws {
    let storage = try closed(fixture, on: other)
    let vault = try fixture.attach(storage)
    try vault.unlock(with: [fixture.keySource])
    storage.failNextWrite(with: .diskFull)
    #expect(code { () throws(VaultError) in try vault.adopt() } == .diskFull)
    #expect(vault.condition.machine == .other)
    try vault.adopt()
    #expect(vault.condition.machine == .this)
    vault.close()
    #expect(try fixture.attach(storage).condition.machine == .this)
  }

  /// The machine id is confidential (machine-id(5)), and the headers of two vaults do not reveal
  /// that they belong to one machine.
  @Test func theIDItselfIsNotWritten() async throws {
    let headers = try (1...2).map { _ in try #require(try closed(fixture, on: other).files["header"]) }
    #expect(headers.allSatisfy { !$0.contains(other.bytes) })
    #expect(headers[0][36..<68] != headers[1][36..<68])
  }

  @Test func aForgedMachineDoesNotOpen() async throws {
    let storage = try closed(fixture, on: other)
    var body = try #require(storage.pairs["header"]).dropLast(Sodium.hashLength)
    let vaultID = Array(body[12..<28])
    body.replaceSubrange(36..<68, with: MachineTag(VaultFixture.thisMachine, vaultID: vaultID).bytes)
    storage.pairs["header"] = Array(body) + Sodium.hash(Array(body))
    let vault = try fixture.attach(storage)
    // Not authenticated with a key yet, which the condition shows.
    #expect(vault.condition.machine == .this && !vault.condition.isAuthenticated)
    #expect(code { () throws(VaultError) in try vault.unlock(with: [fixture.keySource]) } == .damaged)
  }

  private static let files: [(String?, Bool)] = [
    ("00112233445566778899aabbccddeeff\n", true), ("00112233445566778899aabbccddeeff", true),
    ("uninitialized\n", false),
    ("", false), ("0011\n", false), (nil, false),
  ]

  @Test(arguments: files)
  func theFileIsReadAsSystemdWritesIt(text: String?, hasID: Bool) async throws {
    let path = fixture.folder + "/machine-id"
    if let text { try writePrivate(text, to: path) }
    let machine = MachineID(file: path)
    #expect(machine.bytes.contains { $0 != 0 } == hasID)
    if hasID { #expect(machine.bytes.hexadecimal == "00112233445566778899aabbccddeeff") }
    let vault = try Vault.attach(storage: MemoryStorage(), machineIDFile: path)
    try vault.create(with: fixture.keySource)
    #expect(vault.condition.machine == (hasID ? .this : .unknown))
  }
}
