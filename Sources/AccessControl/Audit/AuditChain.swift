import AgentProtocol
import SessionVault

/// Where the chain stands: the last entry, and the key of the next.
struct AuditChain: Sendable {
  /// Before the first entry of a chain.
  static let noMAC = [UInt8](repeating: 0, count: ChainKey.macLength)

  private(set) var sequence: UInt64
  private(set) var mac: [UInt8]
  /// For the entry behind `sequence`. The one before it is gone.
  private(set) var key: ChainKey

  init(sequence: UInt64, mac: [UInt8], key: ChainKey) {
    (self.sequence, self.mac, self.key) = (sequence, mac, key)
  }

  /// Adds an entry, and gives its line with the newline.
  mutating func append(_ facts: AuditFacts) throws -> [UInt8] {
    let body = try AuditLine.body(sequence + 1, facts)
    let next = try key.next()
    mac = key.mac(mac + body)
    sequence += 1
    key = next
    return AuditLine.line(body, mac)
  }

  /// Goes over a line that was written before; false, and nothing changes, if it is not the next one.
  mutating func follow(_ line: AuditLine) throws -> Bool {
    guard line.sequence == sequence + 1, key.mac(mac + line.body) == line.mac else { return false }
    let next = try key.next()
    (sequence, mac, key) = (line.sequence, line.mac, next)
    return true
  }
}
