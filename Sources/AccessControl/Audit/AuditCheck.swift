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

/// Holds one file against what the vault knows of it. Pure: of any bytes, however broken.
///
/// The key of an entry belongs to its place, and its MAC is over the MAC before it: an entry that was changed does not fit,
/// and one that was moved tells so by its number. Behind one that is missing the next one cannot be held against
/// anything; those after it can.
struct AuditFileCheck {
  /// A file with one entry too many is still read.
  static let readLimit = AuditWriter.fileLimit + 2 * AuditLine.longest
  /// Findings of one file that are told.
  static let mostFindings = 20
  /// Entries that may have come since the seal was read, or that were removed before them.
  private static let slack: UInt64 = 10_000

  let file: AuditSeal.File
  /// The last entry that is sealed, of the whole log.
  let sealed: UInt64
  /// The key of the file's first entry.
  let key: ChainKey

  struct Outcome: Sendable {
    var fitting = 0
    var unsealed = 0
    var findings: [AuditVerify.Finding] = []
  }

  func run(_ bytes: [UInt8]) throws -> Outcome {
    let (lines, torn) = AuditLine.split(bytes)
    var places = Places(lines: lines, range: range(lines.count))
    if places.allElsewhere { return Outcome(findings: [finding("exchanged", nil)]) }
    var outcome = try walk(&places)
    outcome.findings += places.reordered.map { finding("reordered", $0) }
    outcome.findings += places.repeated.map { finding("repeated", $0) }
    // In the last file it is an entry that is being written.
    if places.strangers > 0 || (torn > 0 && file.last != nil) { outcome.findings.append(finding("edited", nil)) }
    outcome.findings = Array(outcome.findings.prefix(Self.mostFindings))
    return outcome
  }

  /// The entries that can be in this file.
  private func range(_ lines: Int) -> ClosedRange<UInt64> {
    let last = file.last ?? max(sealed, file.first + UInt64(lines)) + Self.slack
    return file.first...max(file.first, last)
  }

  private func walk(_ places: inout Places) throws -> Outcome {
    var outcome = Outcome()
    var (key, previous) = (self.key, Optional(file.previous))
    var missing: ClosedRange<UInt64>?
    let end = file.last ?? max(sealed, places.greatest, file.first)
    for sequence in file.first...end {
      if let line = places.line(sequence) {
        if let gap = missing { outcome.findings.append(finding("removed", gap)) }
        missing = nil
        if let fits = line.parsed.map({ fits($0, key, previous) }) {
          if fits == false { outcome.findings.append(finding("edited", sequence...sequence)) }
          if fits == true { outcome.fitting += 1 }
          if fits == true, sequence > sealed { outcome.unsealed += 1 }
        } else {
          outcome.findings.append(finding("edited", sequence...sequence))
        }
        previous = line.parsed?.mac
      } else {
        missing = (missing?.lowerBound ?? sequence)...sequence
        previous = nil
      }
      key = try key.next()
    }
    if let gap = missing { outcome.findings.append(finding("cut", gap)) }
    return outcome
  }

  /// Nil where nothing is there to hold it against.
  private func fits(_ line: AuditLine, _ key: ChainKey, _ previous: [UInt8]?) -> Bool? {
    previous.map { key.mac($0 + line.body) == line.mac }
  }

  private func finding(_ kind: String, _ entries: ClosedRange<UInt64>?) -> AuditVerify.Finding {
    AuditVerify.Finding(kind: kind, file: file.name, first: entries?.lowerBound, last: entries?.upperBound)
  }
}

/// The lines of a file by the place that they say is theirs.
private struct Places {
  struct Line { let parsed: AuditLine? }

  private var lines: [UInt64: Line] = [:]
  private(set) var reordered: [ClosedRange<UInt64>] = []
  private(set) var repeated: [ClosedRange<UInt64>] = []
  /// Lines whose place is not in this file.
  private(set) var strangers = 0
  private(set) var greatest: UInt64 = 0
  private var unreadable = 0

  init(lines: [ArraySlice<UInt8>], range: ClosedRange<UInt64>) {
    let parsed = lines.map { AuditLine($0) }
    let known = Set(parsed.compactMap { $0?.sequence })
    var before = range.lowerBound - 1
    for line in parsed {
      // A line that cannot be read has the place that is free behind the one before it.
      let sequence = line?.sequence ?? before + 1
      if line == nil { unreadable += 1 }
      guard range.contains(sequence), line != nil || !known.contains(sequence) else {
        strangers += 1
        continue
      }
      guard self.lines[sequence] == nil else {
        repeated.append(sequence...sequence)
        continue
      }
      if sequence < greatest { reordered.append(sequence...sequence) }
      self.lines[sequence] = Line(parsed: line)
      greatest = max(greatest, sequence)
      before = sequence
    }
  }

  /// Nothing in it belongs here: the content of another file, or something else altogether.
  var allElsewhere: Bool { lines.isEmpty && strangers > 0 || !lines.isEmpty && lines.count == unreadable }

  func line(_ sequence: UInt64) -> Line? { lines[sequence] }
}

/// Holds the whole log against the seal. Blocks while it reads the files.
struct AuditCheck {
  let seal: AuditSeal
  /// Files that were begun since the seal was read.
  let begun: [Int]
  let folder: PrivateFolder
  let vault: Vault
  /// How many files are read, from the newest on; of the others it is only seen whether they are there.
  var newest = Int.max

  /// The kind of a finding about a file of another program.
  static let unknownFile = "unknownFile"

  /// Findings that are told: more say nothing new.
  private static let mostFindings = 200

  func run() throws -> AuditVerify.Result {
    var total = AuditFileCheck.Outcome()
    total.findings += try missing(seal.files.dropLast(newest))
    for file in seal.files.suffix(newest) {
      let outcome = try check(file)
      total.fitting += outcome.fitting
      total.unsealed += outcome.unsealed
      total.findings += outcome.findings
    }
    total.findings += try unknownFiles()
    return AuditVerify.Result(
      first: seal.files.first?.first ?? 1, sealed: seal.chain.sequence, fitting: total.fitting,
      unsealed: total.unsealed, interruptions: seal.interruptions,
      findings: Array(total.findings.prefix(Self.mostFindings)), limits: limits)
  }

  private func missing(_ files: ArraySlice<AuditSeal.File>) throws -> [AuditVerify.Finding] {
    let names = Set(try folder.names())
    return files.filter { !names.contains($0.name) }
      .map { .init(kind: "missingFile", file: $0.name, first: $0.first, last: $0.last) }
  }

  private func check(_ file: AuditSeal.File) throws -> AuditFileCheck.Outcome {
    let bytes: [UInt8]
    do {
      bytes = try folder.read(file.name, upTo: AuditFileCheck.readLimit)
    } catch let error where error.code == .notFound {
      return .init(findings: [.init(kind: "missingFile", file: file.name, first: file.first, last: file.last)])
    } catch let error where [.tooLarge, .unsafe].contains(error.code) {
      return .init(findings: [.init(kind: "exchanged", file: file.name, first: file.first, last: file.last)])
    }
    guard let key = try Self.key(of: file, vault) else {
      return .init(findings: [.init(kind: "noKey", file: file.name, first: file.first, last: file.last)])
    }
    return try AuditFileCheck(file: file, sealed: seal.chain.sequence, key: key).run(bytes)
  }

  /// Nil where the vault has lost it.
  static func key(of file: AuditSeal.File, _ vault: Vault) throws -> ChainKey? {
    let sealed = Result { () throws(VaultError) in try vault.load(file.keyRecord) }
    if case .failure(let error) = sealed, [.notFound, .damaged].contains(error.code) { return nil }
    var bytes = try sealed.get()
    return try ChainKey(taking: &bytes)
  }

  /// Whatever else is in the directory.
  private func unknownFiles() throws -> [AuditVerify.Finding] {
    AuditLayout(seal).unknown(of: try folder.names())
      .filter { AuditSeal.File.number(of: $0).map { !begun.contains($0) } ?? true }
      .map { AuditVerify.Finding(kind: Self.unknownFile, file: ForeignText.shown($0)) }
  }

  private var limits: [String] {
    let cuts =
      seal.interruptions.isEmpty
      ? "no interruption since the log began"
      : "after \(seal.interruptions.count) interruptions, each time"
    return [
      "entries of up to one second before an agent that was killed may never have been written (\(cuts))",
      "entries behind the sealed ones could be cut off unnoticed until the next second's seal",
      "who has a key of the vault can write another log that fits",
      "a log and a vault that were both put back from one older copy fit each other",
      "what the agent was not asked for is not in it",
    ]
  }
}
