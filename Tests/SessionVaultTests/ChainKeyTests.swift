import SystemSupport
import Testing

@testable import SessionVault

@Suite struct ChainKeyTests {
  /// Python: hashlib.blake2b(b"next", key=bytes(range(32)), digest_size=32).hexdigest(), and of b"abc".
  @Test func isKeyedBLAKE2b() throws {
    var bytes = Array(UInt8(0)..<32)
    let key = try ChainKey(taking: &bytes)
    #expect(bytes == [UInt8](repeating: 0, count: 32), "what was given is wiped")
    #expect(
      key.mac(Array("abc".utf8)).hexadecimal == "d63a32d3e44738d7907f964316c241adaba0abfeabc32349677578a15a203f7f")
    #expect(
      try key.next().withBytes { Array($0).hexadecimal }
        == "a0987dcf622af057ee891bbc9feee46bc522f7cce1a3f4efa0337b325faf9a1c")
  }

  @Test func takesKeysOfItsLengthOnly() {
    var bytes = [UInt8](repeating: 1, count: 31)
    #expect(throws: VaultError(.damaged, "")) { try ChainKey(taking: &bytes) }
  }

  @Test("each chain has its own first key, which is constant for a name until a rekey")
  func firstKeys() throws {
    let sealer = try RecordSealer(
      vaultID: [UInt8](repeating: 1, count: 16), master: try SecretBytes(count: 32) { $0.copyBytes(from: 0..<32) })
    func first(_ id: [UInt8]) throws -> [UInt8] { try sealer.firstChainKey(id).withBytes { Array($0) } }
    #expect(try first([1]) == first([1]))
    #expect(try first([1]) != first([2]))
  }
}
