import SystemSupport
import Testing

@testable import SessionVault

@Suite struct ChainKeyTests {
  /// Python: hashlib.blake2b(b"abc", key=bytes(range(32)), digest_size=32).hexdigest().
  @Test func isKeyedBLAKE2b() throws {
    var bytes = Array(UInt8(0)..<32)
    let key = try ChainKey(taking: &bytes)
    #expect(bytes == [UInt8](repeating: 0, count: 32), "what was given is wiped")
    #expect(
      key.mac(Array("abc".utf8)).hexadecimal == "d63a32d3e44738d7907f964316c241adaba0abfeabc32349677578a15a203f7f")
  }

  @Test func takesKeysOfItsLengthOnly() {
    var bytes = [UInt8](repeating: 1, count: 31)
    #expect(throws: VaultError(.damaged, "")) { try ChainKey(taking: &bytes) }
  }
}
