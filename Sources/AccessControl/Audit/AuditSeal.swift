import AgentProtocol
import FoundationEssentials
import SessionEngine
import SessionVault
import SystemSupport

/// The state of the chain: the last entry, and the key of the next one.
struct AuditChain: Sendable {
  /// Stands for the MAC before the first entry of a chain.
  static let noMAC = [UInt8](repeating: 0, count: ChainKey.macLength)

  private(set) var sequence: UInt64
  private(set) var mac: [UInt8]
  /// The key of the entry after `sequence`. Earlier keys are gone.
  private(set) var key: ChainKey

  init(sequence: UInt64, mac: [UInt8], key: ChainKey) {
    (self.sequence, self.mac, self.key) = (sequence, mac, key)
  }

  /// Appends an entry and returns its line, with the newline.
  mutating func append(_ facts: AuditFacts) throws -> [UInt8] {
    let body = try AuditLine.body(sequence + 1, facts)
    let next = try key.next()
    mac = key.mac(mac + body)
    sequence += 1
    key = next
    return AuditLine.line(body, mac)
  }

  /// Advances over an existing line. Returns false, and changes nothing, if the line is not the
  /// next entry.
  mutating func follow(_ line: AuditLine) throws -> Bool {
    guard line.sequence == sequence + 1, key.mac(mac + line.body) == line.mac else { return false }
    let next = try key.next()
    (sequence, mac, key) = (line.sequence, line.mac, next)
    return true
  }
}

/// The vault's sealed record of the audit log: the chain's state, where each file begins and ends,
/// and the token counts still in progress.
///
/// The key of each file's first entry is a separate record, read only for a check, so that no
/// earlier key is in memory.
struct AuditSeal: Sendable {
  /// The record's name in the vault.
  static let record = "audit"

  struct File: Sendable {
    let number: Int
    /// The file's first entry, the MAC before that entry, and when the file was started.
    let first: UInt64
    let previous: [UInt8]
    let begun: Timestamp
    /// The file's last entry, its MAC, and when the file ended. Nil for the current file.
    var last: UInt64?
    var lastMAC: [UInt8]?
    var ended: Timestamp?

    /// The name of the vault record that holds the key of the first entry.
    var keyRecord: String { AuditSeal.record + "/\(number)" }

    /// Parses the file number from the name of a key record.
    static func numberOfKeyRecord(_ record: String) -> Int? {
      let prefix = AuditSeal.record + "/"
      guard record.utf8.starts(with: prefix.utf8), let number = Int(record.dropFirst(prefix.count)),
        (1...maxNumber).contains(number), record == prefix + String(number)
      else { return nil }
      return number
    }

    var name: String { Self.name(number) }

    static func name(_ number: Int) -> String {
      let digits = String(number)
      return "audit-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".log"
    }

    /// Maximum file number. Nine digits outlast any machine.
    static let maxNumber = 999_999_999

    /// Parses the file number from a file name, compared as bytes; nil for every other name.
    static func number(of name: String) -> Int? {
      let bytes = Array(name.utf8)
      let digits = bytes.dropFirst(6).dropLast(4)
      guard (6...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(String(decoding: digits, as: UTF8.self)), number > 0, Array(self.name(number).utf8) == bytes
      else { return nil }
      return number
    }

    /// More entries than fit into a file of 1 MiB.
    private static let maxEntries: UInt64 = 1 << 20
    /// More entries than any agent writes. The sum of two sequence numbers fits 64 bits.
    static let maxSequence: UInt64 = 1 << 62

    /// True if the numbers are in range, so that arithmetic on them cannot overflow.
    var isPossible: Bool {
      (1...Self.maxNumber).contains(number) && (1...Self.maxSequence).contains(first)
        && last.map { $0 >= first && $0 <= Self.maxSequence && $0 - first <= Self.maxEntries } ?? true
    }
  }

  /// Maximum number of interruptions kept.
  static let maxInterruptions = 100

  var chain: AuditChain
  /// Ascending by number. The last file is written to.
  var files: [File]
  /// True if the agent stopped, or the vault was locked, after the last entry was sealed.
  var isClosed = false
  /// The sequence numbers after which the agent ended without a clean stop.
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

  /// Encodes the record: a line of JSON, then the raw bytes of the chain's key.
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
    // Capacity is reserved first, so that appending leaves no copy of the key in freed memory.
    bytes.reserveCapacity(text.count + 1 + ChainKey.length)
    bytes += text
    bytes.append(UInt8(ascii: "\n"))
    chain.key.withBytes { bytes += $0 }
    return bytes
  }

  /// Reads the record. An unreadable record is set aside, or left unchanged if a later
  /// version wrote it.
  static func load(from vault: Vault) throws(VaultError) -> AuditSeal {
    try vault.load(record, as: decoded)
  }

  private static func decoded(_ bytes: [UInt8]) throws(FormatFault) -> AuditSeal {
    do {
      return try AuditSeal(bytes)
    } catch {
      throw RecordFormat.fault(of: bytes.prefix { $0 != UInt8(ascii: "\n") })
    }
  }

  /// - Throws: If the bytes are not a valid record of this version.
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
      chain.sequence <= File.maxSequence, (files.last?.first ?? 0) <= chain.sequence + 1
    else { throw AuditSealError.unreadable }
  }

  private static func mac(_ text: String) throws -> [UInt8] {
    guard let bytes = Hexadecimal.bytes(of: text.utf8), bytes.count == ChainKey.macLength else {
      throw AuditSealError.unreadable
    }
    return bytes
  }
}

/// The sealed record is not a valid record of this version.
enum AuditSealError: Error { case unreadable }
