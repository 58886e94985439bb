import AgentProtocol
import FoundationEssentials
import SessionVault

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

    var name: String { Self.name(number) }

    static func name(_ number: Int) -> String {
      let digits = String(number)
      return "audit-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".log"
    }

    static func number(of name: String) -> Int? {
      guard name.hasPrefix("audit-"), name.hasSuffix(".log"), let number = Int(name.dropFirst(6).dropLast(4)),
        number > 0, self.name(number) == name
      else { return nil }
      return number
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
