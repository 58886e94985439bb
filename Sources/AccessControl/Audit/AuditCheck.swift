import AgentProtocol
import SessionVault

/// The agent's own log files. Needs no key, so a locked log can be listed and unknown files can be
/// reported.
struct AuditLayout: Sendable {
  let files: [AuditSeal.File]
  /// The sequence number of the last entry written.
  let sequence: UInt64

  /// Maximum number of file names that are reported. The number of unknown files has no bound.
  static let maxNames = 20

  init(_ seal: AuditSeal) { (files, sequence) = (seal.files, seal.chain.sequence) }

  /// Returns the names in the log directory that the agent did not create, in byte order.
  func unknown(of names: [String]) -> [String] {
    let known = Set(files.map(\.number))
    return names.filter { AuditSeal.File.number(of: $0).map { !known.contains($0) } ?? true }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns up to `maxNames` file names, escaped for display.
  static func shown(_ names: [String]) -> String {
    let rest = names.count > maxNames ? " and \(names.count - maxNames) more" : ""
    return names.prefix(maxNames).map { ForeignText.shown($0) }.joined(separator: ", ") + rest
  }
}

/// Finds the entries of one file that fit the chain. Pure. Accepts any bytes.
struct AuditFileEntries {
  let file: AuditSeal.File
  /// The highest sequence number that the file can contain.
  let end: UInt64
  /// The key of the file's first entry. Nil while the vault is locked; then only sequence numbers
  /// are checked.
  let key: ChainKey?

  /// Maximum number of lines tried for one sequence number, so that a file full of copies costs no
  /// more than another file.
  private static let maxClaims = 4

  struct Outcome {
    /// In ascending order of sequence number.
    var lines: [AuditLine] = []
    /// The number of lines that do not fit the chain or cannot be parsed.
    var leftOut = 0
  }

  func run(_ bytes: [UInt8]) throws -> Outcome {
    let lines = AuditLine.split(bytes).lines
    var claims: [UInt64: [AuditLine]] = [:]
    for line in lines {
      guard let line = AuditLine(line), line.sequence >= file.first, line.sequence <= end,
        claims[line.sequence, default: []].count < Self.maxClaims
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
      // Includes lines that were modified: the next line is checked against the MAC found in the
      // file.
      previous = lines.map(\.mac)
      key = try key.next()
    }
    return found
  }
}

/// Checks one file against the sealed record. Pure. Accepts any bytes.
///
/// Each sequence number has its own key, and the MAC of an entry covers the MAC of the previous
/// entry. A modified entry fails its MAC, and a moved entry is found by its sequence number. After
/// a missing entry the next entry cannot be checked, but later entries can.
struct AuditFileCheck {
  /// Allows a file to exceed its limit by one entry.
  static let readLimit = AuditWriter.fileLimit + 2 * AuditLine.maxLength
  /// Maximum number of findings reported for one file.
  static let maxFindings = 20
  /// Maximum number of entries of the last file that are unknown to the seal: entries written after
  /// the seal was read, and missing entries before them.
  private static let slack: UInt64 = 10_000

  let file: AuditSeal.File
  /// The last sealed sequence number of the whole log.
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
    // An incomplete line at the end of the last file is an entry being written.
    if places.foreignLineCount > 0 || (torn > 0 && file.last != nil) { outcome.findings.append(finding("edited", nil)) }
    outcome.findings = Array(outcome.findings.prefix(Self.maxFindings))
    return outcome
  }

  /// The sequence numbers that this file can contain.
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

  /// Whether the MAC fits. Nil if there is no previous MAC to check against.
  private func fits(_ line: AuditLine, _ key: ChainKey, _ previous: [UInt8]?) -> Bool? {
    previous.map { key.mac($0 + line.body) == line.mac }
  }

  private func finding(_ kind: String, _ entries: ClosedRange<UInt64>?) -> AuditVerify.Finding {
    AuditVerify.Finding(kind: kind, file: file.name, first: entries?.lowerBound, last: entries?.upperBound)
  }
}

/// The lines of a file by the sequence number that they claim.
private struct Places {
  struct Line { let parsed: AuditLine? }

  private var lines: [UInt64: Line] = [:]
  private(set) var reordered: [ClosedRange<UInt64>] = []
  private(set) var repeated: [ClosedRange<UInt64>] = []
  /// Lines whose sequence number is outside the file's range, and unparsable lines whose place is
  /// taken.
  private(set) var foreignLineCount = 0
  private(set) var greatest: UInt64 = 0
  private var unreadable = 0

  init(lines: [ArraySlice<UInt8>], range: ClosedRange<UInt64>) {
    let parsed = lines.map { AuditLine($0) }
    let known = Set(parsed.compactMap { $0?.sequence })
    var before = range.lowerBound - 1
    for line in parsed {
      // An unparsable line takes the sequence number after the previous line, unless another line
      // claims that number.
      let sequence = line?.sequence ?? before + 1
      if line == nil { unreadable += 1 }
      guard range.contains(sequence), line != nil || !known.contains(sequence) else {
        foreignLineCount += 1
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

  /// True if no line belongs to this file, as when its content was exchanged.
  var allElsewhere: Bool { lines.isEmpty && foreignLineCount > 0 || !lines.isEmpty && lines.count == unreadable }

  func line(_ sequence: UInt64) -> Line? { lines[sequence] }
}

/// Checks the whole log against the seal. Blocks on file reads.
struct AuditCheck {
  let seal: AuditSeal
  /// Numbers of the files in the writer's current list; a file that was started after the seal was
  /// read is not unknown.
  let begun: [Int]
  let folder: PrivateDirectory
  let vault: Vault
  /// The number of newest files that are read. Older files are only checked for existence.
  var newest = Int.max

  /// The finding kind for a file that the agent did not create.
  static let unknownFile = "unknownFile"

  /// Maximum number of findings reported for the log.
  private static let maxFindings = 200

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
      findings: Array(total.findings.prefix(Self.maxFindings)), limits: limits)
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

  /// Returns the key of the file's first entry; nil if the vault's record of it is missing or
  /// damaged.
  static func key(of file: AuditSeal.File, _ vault: Vault) throws -> ChainKey? {
    do {
      return try vault.load(file.keyRecord, as: decodedKey)
    } catch {
      guard [.notFound, .damaged].contains(error.code) else { throw error }
      return nil
    }
  }

  private static func decodedKey(_ bytes: [UInt8]) throws(FormatFault) -> ChainKey {
    var bytes = bytes
    do {
      return try ChainKey(taking: &bytes)
    } catch {
      throw .damaged("it is not a key of the audit log")
    }
  }

  /// Findings for all other files in the directory.
  private func unknownFiles() throws -> [AuditVerify.Finding] {
    AuditLayout(seal).unknown(of: try folder.names())
      .filter { AuditSeal.File.number(of: $0).map { !begun.contains($0) } ?? true }
      .map { AuditVerify.Finding(kind: Self.unknownFile, file: ForeignText.shown($0)) }
  }

  private var limits: [String] {
    let cuts =
      seal.interruptions.isEmpty
      ? "no interruption since the log started"
      : "\(seal.interruptions.count) interruption\(seal.interruptions.count == 1 ? "" : "s") so far"
    return [
      "entries of the last second before the agent was killed may be missing (\(cuts))",
      "entries after the last seal can be removed undetected until the next seal, one second later",
      "anyone with a vault key can forge a consistent log",
      "a log and a vault restored together from the same older copy match each other",
      "only requests to the agent are recorded",
    ]
  }
}
