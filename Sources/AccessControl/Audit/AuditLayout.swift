import AgentProtocol
import SessionVault

/// Which files are the agent's own, without any key: what a listing reads, and how unknown files are told.
struct AuditLayout: Sendable {
  let files: [AuditSeal.File]
  /// The last entry that was written.
  let sequence: UInt64

  /// Names that are reported at most; their number is not bounded.
  static let mostNames = 20

  init(_ seal: AuditSeal) { (files, sequence) = (seal.files, seal.chain.sequence) }

  /// The names in the log's directory that the agent did not make, sorted.
  func unknown(of names: [String]) -> [String] {
    let known = Set(files.map(\.number))
    return names.filter { AuditSeal.File.number(of: $0).map { !known.contains($0) } ?? true }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Names of files, as people see them.
  static func shown(_ names: [String]) -> String {
    let rest = names.count > mostNames ? " and \(names.count - mostNames) more" : ""
    return names.prefix(mostNames).map { ForeignText.shown($0) }.joined(separator: ", ") + rest
  }
}

/// The entries of one file that fit the chain. Pure: of any bytes.
struct AuditFileEntries {
  let file: AuditSeal.File
  /// The last entry that the file can have.
  let end: UInt64
  /// The key of the file's first entry; nil while the vault is locked: then nothing but the numbers is looked at.
  let key: ChainKey?

  /// Lines that claim one place and are tried, so that a file full of copies costs no more than another.
  private static let mostClaims = 4

  struct Outcome {
    /// In the order of their numbers.
    var lines: [AuditLine] = []
    /// Lines that do not fit, or cannot be read.
    var leftOut = 0
  }

  func run(_ bytes: [UInt8]) throws -> Outcome {
    let lines = AuditLine.split(bytes).lines
    var claims: [UInt64: [AuditLine]] = [:]
    for line in lines {
      guard let line = AuditLine(line), line.sequence >= file.first, line.sequence <= end,
        claims[line.sequence, default: []].count < Self.mostClaims
      else { continue }
      claims[line.sequence, default: []].append(line)
    }
    var outcome = Outcome()
    outcome.lines = try key.map { try fitting(claims, $0) } ?? claims.sorted { $0.key < $1.key }.map { $0.value[0] }
    outcome.leftOut = lines.count - outcome.lines.count
    return outcome
  }

  private func fitting(_ claims: [UInt64: [AuditLine]], _ first: ChainKey) throws -> [AuditLine] {
    var (key, previous, found) = (first, [file.previous], [AuditLine]())
    guard file.first <= end else { return [] }
    for sequence in file.first...end {
      let lines = claims[sequence] ?? []
      if let line = lines.first(where: { line in previous.contains { key.mac($0 + line.body) == line.mac } }) {
        found.append(line)
      }
      // Also of a line that was changed: the one behind it is held against the MAC that stands there.
      previous = lines.map(\.mac)
      key = try key.next()
    }
    return found
  }
}
