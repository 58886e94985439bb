/// What a passphrase's slot stores beside the wrapped key: algorithm, cost, salt.
struct PassphraseParameters {
  static let length = 1 + 4 + 8 + Sodium.saltLength

  let cost: PassphraseCost
  let salt: [UInt8]

  init(cost: PassphraseCost, salt: [UInt8] = Sodium.random(Sodium.saltLength)) {
    self.cost = cost
    self.salt = salt
  }

  /// nil if the bytes are none, or name another algorithm.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard bytes.count == Self.length, (try? reader.number(UInt8.self)) == PassphraseCost.algorithm,
      let passes = try? reader.number(UInt32.self), let memory = try? reader.number(UInt64.self),
      let salt = try? reader.bytes(Sodium.saltLength)
    else { return nil }
    cost = PassphraseCost(passes: passes, memory: memory)
    self.salt = Array(salt)
  }

  var bytes: [UInt8] {
    var bytes = [PassphraseCost.algorithm]
    bytes.append(littleEndian: cost.passes)
    bytes.append(littleEndian: cost.memory)
    return bytes + salt
  }
}
