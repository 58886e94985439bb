// A record: both bytes that were not sealed with the key, and a plaintext that was.
//
// Compiled into one module with the sources of SessionVault.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecord(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  precondition((try? sealer.open(bytes, from: file)) == nil, "a forged record opens")
  let sealed = seal(bytes)
  guard let record = try? sealer.open(sealed, from: file) else { return 0 }
  precondition(record.name == name, "another name than the file's")
  precondition(sealer.seal(record, for: file, nonce: nonce) == sealed, "read otherwise than written")
  return 0
}

/// Seals `plain` unchanged, with padding (docs/vault-format.md, "Records").
private func seal(_ plain: [UInt8]) -> [UInt8] {
  var frame = VaultFormat.recordMagic
  frame.append(littleEndian: VaultFormat.recordVersion)
  let context = frame + vaultID + Array(file.utf8)
  let zeros = VaultFormat.paddingBlock - plain.count % VaultFormat.paddingBlock - 1
  var sealed = plain + [0x80] + [UInt8](repeating: 0, count: zeros + Sodium.tagLength)
  sealed.withUnsafeMutableBytes { Sodium.seal($0, nonce: nonce, context: context, key: recordKey) }
  return frame + nonce + sealed
}

private let name = "account/default"
private let vaultID = [UInt8](repeating: 7, count: VaultFormat.identifierLength)
private let nonce = [UInt8](repeating: 9, count: Sodium.nonceLength)
// Created once, because guarded memory costs system calls.
private let (recordKey, sealer) = makeKeys()
private let file = sealer.file(for: name)

private func makeKeys() -> (SecretBytes, RecordSealer) {
  do {
    let master = try SecretBytes(count: Sodium.keyLength) { $0.initializeMemory(as: UInt8.self, repeating: 1) }
    return (try Sodium.subkey(.records, of: master), try RecordSealer(vaultID: vaultID, master: master))
  } catch {
    fatalError("no guarded memory")
  }
}
