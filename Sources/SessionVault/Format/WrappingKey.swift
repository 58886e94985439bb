/// The key that wraps the master key in one slot, and nothing else.
struct WrappingKey {
  let kind: KeySlotKind
  /// What a slot has to store so that the key can be made again; empty but for passphrases.
  let parameters: [UInt8]
  let key: SecretBytes
}
