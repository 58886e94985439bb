import TestKit
import Testing

@testable import SessionVault

/// Parsers report any invalid file as damaged or newer, and do nothing else.
struct ParserPropertyTests {
  private func key() throws -> SecretBytes { try SecretBytes(count: 32) { $0.copyBytes(from: 0..<32) } }

  private func randomSlot(_ numbers: inout SeededGenerator) -> KeySlot {
    let kind = KeySlotKind(rawValue: [1, 3, 4, 200].randomElement(using: &numbers)!)
    let length = Int.random(in: 0...200, using: &numbers)
    return KeySlot(kind: kind, id: bytes(16, &numbers), payload: bytes(length, &numbers))
  }

  private func bytes(_ count: Int, _ numbers: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
  }

  private func randomHeader(_ numbers: inout SeededGenerator) throws -> VaultHeader {
    let slots = (0..<Int.random(in: 0...VaultFormat.maxSlots, using: &numbers)).map { _ in randomSlot(&numbers) }
    let previous = bytes(32, &numbers)
    return VaultHeader(
      vaultID: bytes(16, &numbers), generation: numbers.next(), machine: MachineTag(bytes: bytes(32, &numbers)),
      slots: slots,
      previousMaster: Bool.random(using: &numbers) ? try SecretBytes(count: 32) { $0.copyBytes(from: previous) } : nil)
  }

  @Test func whatIsSealedIsReadBack() throws {
    var numbers = SeededGenerator(seed: 1)
    let key = try key()
    for _ in 0..<200 {
      let header = try randomHeader(&numbers)
      let opened = try #require(try SealedHeader(header.sealed(under: key)).open(with: key))
      #expect(opened.vaultID == header.vaultID && opened.generation == header.generation)
      #expect(opened.machine == header.machine && opened.slots == header.slots)
      #expect(
        opened.previousMaster.map { $0.withBytes(Array.init) } == header.previousMaster.map { $0.withBytes(Array.init) }
      )
    }
  }

  /// A header that is changed anywhere, with a corrected checksum, does not parse or does not open.
  @Test func noChangedHeaderOpens() throws {
    var numbers = SeededGenerator(seed: 2)
    let key = try key()
    for _ in 0..<2000 {
      let whole = try randomHeader(&numbers).sealed(under: key)
      let body = Array(whole.dropLast(Sodium.hashLength))
      let changed = mutated(body, &numbers)
      guard changed != body else { continue }
      guard let sealed = try? SealedHeader(changed + Sodium.hash(changed)) else { continue }
      #expect(try sealed.open(with: key) == nil)
    }
  }

  /// Returns `bytes` with some bytes changed, removed, inserted or repeated.
  private func mutated(_ bytes: [UInt8], _ numbers: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &numbers) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &numbers)
      let end = Int.random(in: place...min(bytes.count, place + 40), using: &numbers)
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: bytes[place] ^= UInt8.random(in: 1...255, using: &numbers)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: self.bytes(end - place, &numbers), at: place)
      default: bytes.insert(contentsOf: bytes[place..<end], at: place)
      }
    }
    return bytes
  }

  @Test func noiseIsDamageOrNewer() throws {
    var numbers = SeededGenerator(seed: 3)
    let sealer = try RecordSealer(vaultID: bytes(16, &numbers), master: key())
    let file = sealer.file(for: "a")
    for round in 0..<5000 {
      let noise = bytes(Int.random(in: 0...300, using: &numbers), &numbers)
      var version: [UInt8] = []
      version.append(littleEndian: UInt32(round % 4))
      let header = VaultFormat.headerMagic + version + noise
      for candidate in [noise, header, header + Sodium.hash(header)] {
        // Noise with a correct checksum may parse as a header by chance, but no key opens it.
        guard let sealed = try? SealedHeader(candidate) else { continue }
        #expect(try sealed.open(with: key()) == nil)
      }
      for candidate in [noise, VaultFormat.recordMagic + version + noise] {
        #expect(throws: FormatFault.self) { try sealer.open(candidate, from: file) }
      }
      #expect(PassphraseParameters(noise) == nil || noise.count == PassphraseParameters.length)
    }
  }

  @Test func noChangedRecordOpens() throws {
    var numbers = SeededGenerator(seed: 4)
    let sealer = try RecordSealer(vaultID: bytes(16, &numbers), master: key())
    for round in 0..<500 {
      let name = "n\(round)"
      let file = sealer.file(for: name)
      let content = bytes(Int.random(in: 0...9000, using: &numbers), &numbers)
      let sealed = sealer.seal(Record(name: name, generation: numbers.next(), content: content), for: file)
      #expect(try sealer.open(sealed, from: file).content == content)
      let changed = mutated(sealed, &numbers)
      if changed != sealed { #expect(throws: FormatFault.self) { try sealer.open(changed, from: file) } }
    }
  }
}
