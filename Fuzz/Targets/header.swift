// The vault's header: any bytes are read or rejected, and a header that was read is written to the
// same bytes.
//
// Compiled into one module with the sources of SessionVault.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHeader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  _ = try? SealedHeader(bytes)
  // The checksum rejects nearly all made-up input, so it is corrected here to reach the fields
  // before it.
  guard bytes.count > Sodium.hashLength else { return 0 }
  let body = Array(bytes.dropLast(Sodium.hashLength))
  guard let header = try? SealedHeader(body + Sodium.hash(body)) else { return 0 }
  precondition(header.slots.count <= VaultFormat.maxSlots, "more slots than there can be")
  guard let machine = header.machine else { return 0 }
  let again = VaultHeader(
    vaultID: header.vaultID, generation: header.generation, machine: machine, slots: header.slots, previousMaster: nil
  ).sealed(under: zeroKey)
  let sealedPart = Sodium.nonceLength + SealedHeader.plainLength + Sodium.tagLength
  // A header of an older version is written in the current one, which has other bytes.
  precondition(
    header.version != VaultFormat.headerVersion
      || again.dropLast(Sodium.hashLength + sealedPart) == body.dropLast(sealedPart), "read otherwise than written")
  precondition((try? SealedHeader(again).open(with: zeroKey)) != nil, "what was written cannot be opened")
  return 0
}

/// Created once, because guarded memory costs system calls.
private let zeroKey = fuzzKey(0)

private func fuzzKey(_ byte: UInt8) -> SecretBytes {
  guard let key = try? SecretBytes(count: Sodium.keyLength, { $0.initializeMemory(as: UInt8.self, repeating: byte) })
  else { fatalError("no guarded memory") }
  return key
}
