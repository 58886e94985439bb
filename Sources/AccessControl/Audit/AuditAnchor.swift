import AgentProtocol
import FoundationEssentials
import SessionEngine
import SessionVault
import SystemSupport

/// A file of the log. It ends where the next one begins.
struct AuditFile: Codable, Sendable, Equatable {
  /// Maximum file number. Nine digits outlast any machine.
  static let maxNumber = 999_999_999

  let number: Int
  /// The file's first entry, and the MAC before that entry.
  let first: UInt64
  let previous: String
  let begun: Timestamp

  var name: String { Self.name(number) }

  static func name(_ number: Int) -> String {
    let digits = String(number)
    return "audit-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".log"
  }

  /// Parses the file number from a file name, compared as bytes; nil for every other name.
  static func number(of name: String) -> Int? {
    let bytes = Array(name.utf8)
    let digits = bytes.dropFirst(6).dropLast(4)
    guard (6...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(String(decoding: digits, as: UTF8.self)), number > 0, Array(self.name(number).utf8) == bytes
    else { return nil }
    return number
  }
}

/// The vault's record of where the log ends, against truncation: the last entry with its MAC, the
/// files, and the counts that are not yet in the log.
///
/// It is saved after the entries that it covers, so a crash leaves entries after it, which the chain
/// verifies. It lists a file before the file exists, so that every file that it does not list is
/// another program's.
struct AuditAnchor: Codable, Sendable, Equatable {
  /// The name of the vault's record.
  static let record = "audit/anchor"
  /// The name of the record with the chain's key: random bytes, written when the chain begins.
  static let keyRecord = "audit/key"
  /// Stands for the MAC before the first entry of a chain.
  static let noMAC = String(repeating: "0", count: 2 * ChainKey.macLength)
  /// Maximum number of interruptions kept.
  static let maxInterruptions = 100
  /// Maximum number of file names that are reported. The number of unknown files has no bound.
  static let maxNames = 20
  /// More entries than any agent writes. The sum of two sequence numbers fits 64 bits.
  private static let maxSequence: UInt64 = 1 << 62
  /// More entries than fit into a file of 1 MiB.
  private static let maxEntries: UInt64 = 1 << 20

  private var format = RecordFormat.known
  private(set) var sequence: UInt64 = 0
  private(set) var mac = noMAC
  /// Ascending by number. The last file is written to.
  var files: [AuditFile] = []
  /// The numbers of files whose time is over, which are being removed.
  var expired: [Int] = []
  /// True if the agent stopped, or the vault was locked, after the last entry.
  var isClosed = false
  /// The entries after which the agent ended without a clean stop.
  var interruptions: [UInt64] = []
  /// The counts as of the last entry.
  var ledger = HandOutLedger()

  // MARK: - The chain

  /// Appends an entry and returns its line, with the newline.
  mutating func append(_ facts: AuditFacts, _ key: ChainKey) throws -> [UInt8] {
    let body = try AuditLine.body(sequence + 1, facts)
    (sequence, mac) = (sequence + 1, AuditLine.mac(of: body, after: mac, key))
    ledger.wrote(facts)
    return AuditLine.line(body, mac)
  }

  /// Advances over an existing line. Returns false, and changes nothing, if the line is not the next
  /// entry.
  mutating func follow(_ line: AuditLine, _ key: ChainKey) -> Bool {
    guard line.sequence == sequence + 1, AuditLine.mac(of: line.body, after: mac, key) == line.mac else { return false }
    (sequence, mac) = (line.sequence, line.mac)
    if let entry = line.entry { ledger.wrote(entry.facts) }
    return true
  }

  // MARK: - Files

  /// Returns the last entry of the file at `index`, and its MAC. For a file without an entry, this is
  /// the entry before it.
  func end(ofFile index: Int) -> (sequence: UInt64, mac: String) {
    guard index + 1 < files.count else { return (sequence, mac) }
    return (files[index + 1].first - 1, files[index + 1].previous)
  }

  /// Returns the names in the log directory that the agent did not create, in byte order.
  func unknown(of names: [String]) -> [String] {
    let known = Set(files.map(\.number) + expired)
    return names.filter { AuditFile.number(of: $0).map { !known.contains($0) } ?? true }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns up to `maxNames` file names, escaped for display.
  static func shown(_ names: [String]) -> String {
    let rest = names.count > maxNames ? " and \(names.count - maxNames) more" : ""
    return names.prefix(maxNames).map { ForeignText.shown($0) }.joined(separator: ", ") + rest
  }

  // MARK: - The record

  static func decoded(_ bytes: [UInt8]) throws(FormatFault) -> AuditAnchor {
    guard let anchor = try? WireCoding.decode(AuditAnchor.self, from: Data(bytes)), anchor.isPossible else {
      throw RecordFormat.fault(of: bytes)
    }
    return anchor
  }

  static func decodedKey(_ bytes: [UInt8]) throws(FormatFault) -> ChainKey {
    var bytes = bytes
    do {
      return try ChainKey(taking: &bytes)
    } catch {
      throw .damaged("it is not a key of the audit log")
    }
  }

  /// True if arithmetic on the numbers cannot overflow, and a check of a file ends.
  private var isPossible: Bool {
    guard format == RecordFormat.known, sequence <= Self.maxSequence else { return false }
    let next = files.dropFirst().map(\.first) + [sequence + 1]
    return files.allSatisfy { (1...AuditFile.maxNumber).contains($0.number) && $0.first > 0 }
      && zip(files, files.dropFirst()).allSatisfy { $0.number < $1.number && $0.first < $1.first }
      && zip(files, next).allSatisfy { $0.first <= $1 && $1 - $0.first <= Self.maxEntries }
  }
}
