import AgentProtocol
import SessionVault

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
