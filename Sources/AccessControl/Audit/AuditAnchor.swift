import AgentProtocol
import FoundationEssentials
import SessionEngine
import SessionVault
import SystemSupport

/// A file of the log. It ends where the next one begins.
struct AuditFile: Codable, Sendable, Equatable {
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
}

/// The vault's record of where the log ends, against truncation: the last entry with its MAC, the
/// files, and the counts that are not yet in the log.
///
/// It is saved after the entries that it covers, so a crash leaves entries after it, which the chain
/// verifies. It lists a file before the file exists, so that every file that it does not list is
/// another program's.
struct AuditAnchor: Codable, Sendable, Equatable {
  static let record = "audit/anchor"
  /// The name of the record with the chain's key: random bytes, written when the chain begins.
  static let keyRecord = "audit/key"
  /// Stands for the MAC before the first entry of a chain.
  static let noMAC = String(repeating: "0", count: 2 * ChainKey.macLength)
  static let maxInterruptions = 100
  /// Maximum number of file names that are reported. The number of unknown files has no bound.
  static let maxNames = 20

  private var format = RecordFormat.known
  private(set) var sequence: UInt64 = 0
  private(set) var mac = noMAC
  /// Ascending by number. The last file is written to.
  var files: [AuditFile] = []
  /// True if the agent stopped, or the vault was locked, after the last entry.
  var isClosed = false
  /// The entries after which the agent ended without a clean stop.
  var interruptions: [UInt64] = []
  /// The counts as of the last entry.
  var counts: [IssuedTokenCount] = []

  // MARK: - The chain

  /// Appends an entry and returns its line, with the newline.
  mutating func append(_ facts: AuditFacts, _ key: ChainKey) throws -> [UInt8] {
    let body = try AuditLine.body(sequence + 1, facts)
    (sequence, mac) = (sequence + 1, AuditLine.mac(of: body, after: mac, key))
    counts.wrote(facts)
    return AuditLine.line(body, mac)
  }

  /// Advances over an existing line, which was checked against the chain.
  mutating func follow(_ line: AuditLine) {
    (sequence, mac) = (line.sequence, line.mac)
    if let entry = line.entry { counts.wrote(entry.facts) }
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
    let known = Set(files.map(\.name))
    return names.filter { !known.contains($0) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  // MARK: - The record

  static func decoded(_ bytes: [UInt8]) throws(FormatFault) -> AuditAnchor {
    guard let anchor = try? WireCoding.decode(AuditAnchor.self, from: Data(bytes)), anchor.format == RecordFormat.known
    else { throw RecordFormat.fault(of: bytes) }
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
}
