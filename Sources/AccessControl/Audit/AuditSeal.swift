import AgentProtocol
import FoundationEssentials
import SessionVault
import SystemSupport

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

/// What the vault keeps of the audit log, sealed: where the chain stands, where each kept file begins and ends, and the
/// hand-outs that are still counted. The key of each file's first entry is a record of its own, read only for a check, so
/// that no earlier key is in memory.
struct AuditSeal: Sendable {
  /// The record's name in the vault.
  static let record = "audit"

  /// A file of the log.
  struct File: Sendable {
    let number: Int
    /// Its first entry, the MAC before that, and when it was written.
    let first: UInt64
    let previous: [UInt8]
    let begun: Timestamp
    /// Its last entry and that one's MAC, once there is a file behind it.
    var last: UInt64?
    var lastMAC: [UInt8]?
    var ended: Timestamp?

    /// The record with the key of its first entry.
    var keyRecord: String { AuditSeal.record + "/\(number)" }

    /// The number in the name of such a record.
    static func numberOfKeyRecord(_ record: String) -> Int? {
      let prefix = AuditSeal.record + "/"
      guard record.utf8.starts(with: prefix.utf8), let number = Int(record.dropFirst(prefix.count)),
        (1...greatestNumber).contains(number), record == prefix + String(number)
      else { return nil }
      return number
    }

    var name: String { Self.name(number) }

    static func name(_ number: Int) -> String {
      let digits = String(number)
      return "audit-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".log"
    }

    /// The largest number of a file: nine digits last longer than any machine.
    static let greatestNumber = 999_999_999

    /// The number in a file's name; nil for every other name. Compared as bytes.
    static func number(of name: String) -> Int? {
      let bytes = Array(name.utf8)
      let digits = bytes.dropFirst(6).dropLast(4)
      guard (6...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(String(decoding: digits, as: UTF8.self)), number > 0, Array(self.name(number).utf8) == bytes
      else { return nil }
      return number
    }

    /// More entries than fit a file of 1 MiB.
    private static let mostEntries: UInt64 = 1 << 20
    /// More entries than any agent writes; sums of two still fit 64 bits.
    static let greatestSequence: UInt64 = 1 << 62

    /// Whether the numbers are possible, so that arithmetic on them cannot overflow.
    var isPossible: Bool {
      (1...Self.greatestNumber).contains(number) && (1...Self.greatestSequence).contains(first)
        && last.map { $0 >= first && $0 <= Self.greatestSequence && $0 - first <= Self.mostEntries } ?? true
    }
  }

  /// Interruptions that are remembered.
  static let mostInterruptions = 100

  var chain: AuditChain
  /// Ascending; the last one is written to.
  var files: [File]
  /// The agent stopped, or the vault was locked, after the last entry was sealed.
  var isClosed = false
  /// After these entries the agent ended without a stop.
  var interruptions: [UInt64] = []
  var ledger = HandOutLedger()
}

extension AuditSeal {
  private struct Head: Codable {
    struct File: Codable {
      var number: Int
      var first: UInt64
      var previous: String
      var begun: Timestamp
      var last: UInt64?
      var lastMAC: String?
      var ended: Timestamp?
    }

    var format = 1
    var sequence: UInt64
    var mac: String
    var files: [File]
    var isClosed: Bool
    var interruptions: [UInt64]
    var ledger: HandOutLedger
  }

  /// The record: a line of JSON, then the chain's key as it is.
  func encoded() throws -> [UInt8] {
    let head = Head(
      sequence: chain.sequence, mac: chain.mac.hexadecimal,
      files: files.map { file in
        Head.File(
          number: file.number, first: file.first, previous: file.previous.hexadecimal, begun: file.begun,
          last: file.last, lastMAC: file.lastMAC?.hexadecimal, ended: file.ended)
      }, isClosed: isClosed, interruptions: interruptions, ledger: ledger)
    let text = try WireCoding.encode(head)
    var bytes: [UInt8] = []
    // Reserved first, so that appending leaves no copy of the key in freed memory.
    bytes.reserveCapacity(text.count + 1 + ChainKey.length)
    bytes += text
    bytes.append(UInt8(ascii: "\n"))
    chain.key.withBytes { bytes += $0 }
    return bytes
  }

  /// - Throws: where the record is none of this version.
  init(_ bytes: [UInt8]) throws {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { throw AuditSealError.unreadable }
    let head = try WireCoding.decode(Head.self, from: Data(bytes[..<end]))
    guard head.format == 1, !head.files.isEmpty,
      bytes.count == end + 1 + ChainKey.length
    else { throw AuditSealError.unreadable }
    var key = Array(bytes[(end + 1)...])
    chain = AuditChain(sequence: head.sequence, mac: try Self.mac(head.mac), key: try ChainKey(taking: &key))
    files = try head.files.map { file in
      File(
        number: file.number, first: file.first, previous: try Self.mac(file.previous), begun: file.begun,
        last: file.last, lastMAC: try file.lastMAC.map(Self.mac), ended: file.ended)
    }
    (isClosed, interruptions, ledger) = (head.isClosed, head.interruptions, head.ledger)
    let numbers = files.map(\.number)
    guard files.allSatisfy(\.isPossible), zip(numbers, numbers.dropFirst()).allSatisfy(<),
      chain.sequence <= File.greatestSequence, (files.last?.first ?? 0) <= chain.sequence + 1
    else { throw AuditSealError.unreadable }
  }

  private static func mac(_ text: String) throws -> [UInt8] {
    guard let bytes = Hexadecimal.bytes(of: text.utf8), bytes.count == ChainKey.macLength else {
      throw AuditSealError.unreadable
    }
    return bytes
  }
}

/// The sealed record is none that this version wrote.
enum AuditSealError: Error { case unreadable }
