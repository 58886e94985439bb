// The vault's header: whatever the bytes are, they are read or refused, and what is read is what is written.
//
// Compiled into one module with the sources of SessionVault.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHeader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  _ = try? SealedHeader(bytes)
  // The check sum stops nearly everything that is made up: so it is mended, and the fields behind it are reached.
  guard bytes.count > Sodium.hashLength else { return 0 }
  let body = Array(bytes.dropLast(Sodium.hashLength))
  guard let header = try? SealedHeader(body + Sodium.hash(body)) else { return 0 }
  precondition(header.slots.count <= VaultFormat.mostSlots, "more slots than there can be")
  guard let machine = header.machine else { return 0 }
  let again = VaultHeader(
    vaultID: header.vaultID, generation: header.generation, machine: machine, slots: header.slots, previousMaster: nil
  ).sealed(under: zeroKey)
  let sealedPart = Sodium.nonceLength + SealedHeader.plainLength + Sodium.tagLength
  // An older version is written anew as the present one, which has other bytes.
  precondition(
    header.version != VaultFormat.headerVersion
      || again.dropLast(Sodium.hashLength + sealedPart) == body.dropLast(sealedPart), "read otherwise than written")
  precondition((try? SealedHeader(again).open(with: zeroKey)) != nil, "what was written cannot be opened")
  return 0
}

/// Made once: guarded memory costs system calls.
private let zeroKey = fuzzKey(0)

private func fuzzKey(_ byte: UInt8) -> SecretBytes {
  guard let key = try? SecretBytes(count: Sodium.keyLength, { $0.initializeMemory(as: UInt8.self, repeating: byte) })
  else { fatalError("no guarded memory") }
  return key
}
