import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// VA-9 with the built programs: each file of state and key is damaged in turn, and no account
/// loses its session. Each fault applies to the state that the previous start repaired. SingleFaultTests of the
/// vault damage every byte.
@Suite(.serialized, .timeLimit(.minutes(15))) struct SingleFaultEndToEndTests {
  private static let faults: [(name: String, apply: @Sendable (String) throws -> Void)] = [
    ("a byte flipped", { try flip($0, at: { $0 / 2 }) }), ("cut to half", { cut($0) { $0 / 2 } }),
    ("deleted", { unlink($0) }),
  ]

  private static func flip(_ path: String, at offset: (Int) -> Int) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    guard !bytes.isEmpty else { return }
    bytes[offset(bytes.count)] ^= 1
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.write(contentsOf: bytes)
    try file.close()
  }

  private static func cut(_ path: String, to length: (Int) -> Int) {
    let size = size(path)
    if size > 0 { truncate(path, off_t(length(size))) }
  }

  private static func size(_ path: String) -> Int {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    return size ?? 0
  }

  /// All files of the state and the key, relative to the test home's directory.
  private func files(_ home: TestHome) throws -> [String] {
    let folders = ["state/ritual-agent", "data/ritual-agent"]
    return try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: home.folder.path + "/" + folder).map { folder + "/" + $0 }
    }.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: home.folder.path + "/" + path, isDirectory: &isFolder)
        && !isFolder.boolValue && !path.contains(".damaged-")
    }.sorted()
  }

  @Test("no single damaged file loses a session", .home(users: [TestHome.email, "bert@example.org"]))
  func survivesEachFault() async throws {
    try await home.signIn("--account", "work")
    try await home.signIn("--account", "home", email: "bert@example.org")
    // The agent requests profiles in the background and stores them.
    try await home.restartAgent()
    _ = try await home.token()
    #expect(try await home.endAgent() == 0)
    let files = try files(home)
    #expect(files.count(where: { $0.contains("/vault/") }) >= 9 && files.contains("data/ritual-agent/vault.key.2"))
    // All other files are named here. A file whose presence alone matters has no content to lose:
    // the vault's lock, and the file that records a manual lock.
    #expect(files.filter { !isDoubled($0) && !isAuditLog($0) } == ["state/ritual-agent/vault/lock"])
    var losses: [String] = []
    for file in files {
      for fault in Self.faults {
        try fault.apply(home.folder.path + "/" + file)
        losses += try await lossesAfterStart(home, file).map { "\(file) \(fault.name): \($0)" }
      }
    }
    #expect(losses.isEmpty, "\(losses.joined(separator: "\n"))")
  }

  private func lossesAfterStart(_ home: TestHome, _ file: String) async throws -> [String] {
    try await home.startAgent()
    var losses: [String] = []
    for account in ["work", "home"] {
      let output = try await home.ctl("token", "--account", account)
      let token = output.stdout.trimmingCharacters(in: .newlines)
      if output.status != 0 {
        losses.append("\(account): \(output.stderr)")
      } else if try await !home.serverTakes(token) {
        losses.append("\(account): the server refuses its token")
      }
    }
    if isDoubled(file) { losses += try await unreported(home, file) }
    #expect(try await home.endAgent() == 0)
    if isDoubled(file) {
      let first = home.folder.path + "/" + name(file)
      let copies = [first, first + ".2"].map { try? Data(contentsOf: URL(filePath: $0)) }
      if copies[0] == nil || copies[0] != copies[1] { losses.append("its copies are not the same") }
    }
    return losses
  }

  /// Checks that journal and doctor name the file.
  private func unreported(_ home: TestHome, _ file: String) async throws -> [String] {
    let words = String(file.split(separator: "/").last ?? "")
    var losses: [String] = []
    do {
      try await eventually("the journal names \(words)") {
        await home.agentLog.split(whereSeparator: \.isWhitespace).contains("file=\(words)")
      }
    } catch {
      losses.append("the journal does not name it")
    }
    let report = try JSONDecoder().decode(
      DoctorReport.self, from: Data(try await home.ctl("doctor", "--json").stdout.utf8))
    if !report.words("copies").contains("\(words): ") { losses.append("doctor does not name it") }
    return losses
  }

  @Test(
    "every fault of the audit log is in the journal, the status and doctor at the next start, without a request", .home)
  func namesDamagedAuditFiles() async throws {
    try await home.signIn()
    try await home.restartAgent()
    #expect(try await home.endAgent() == 0)
    let (state, kept) = (home.folder.path + "/state", home.folder.path + "/kept")
    try FileManager.default.copyItem(atPath: state, toPath: kept)
    let name = "audit-000001.log"
    let others = [
      ("a foreign file", "audit-000999.log"), ("another name", "notes.txt"), ("nothing", ""),
    ]
    let faults =
      Self.faults.map { fault in (fault.name, name, { try fault.apply($0 + name) }) }
      + others.map { what, name in
        (
          what, name,
          { (folder: String) in if !name.isEmpty { try Data("x".utf8).write(to: URL(filePath: folder + name)) } }
        )
      }
    for (what, name, apply) in faults {
      // The original state, so that no fault is combined with another one.
      try FileManager.default.removeItem(atPath: state)
      try FileManager.default.copyItem(atPath: kept, toPath: state)
      try apply(state + "/ritual-agent/audit/")
      try await home.startAgent()
      guard !name.isEmpty else {
        let report = try await home.doctor()
        #expect(report.outcome("audit log") == nil, "\(report.words("audit log"))")
        let log = await home.agentLog
        #expect(!log.contains("audit log"), "\(log)")
        #expect(try await home.endAgent() == 0)
        continue
      }
      // No request has been made yet.
      try await eventually("the journal names \(name): \(what)") {
        await home.agentLog.split(separator: "\n").contains { $0.contains("audit") && $0.contains(name) }
      }
      let status = try await home.ctl("status", "--json").json()["health"] as? [String] ?? []
      #expect(status.contains { $0.contains(name) && $0.contains("audit --verify") }, "\(what): \(status)")
      #expect(try await home.doctor().words("audit log").contains(name), "\(what)")
      let log = await home.agentLog
      #expect(log.split(separator: "\n").count { $0.contains(name) } == 1, "\(log)")
      #expect(try await home.endAgent() == 0)
    }
  }

  private func name(_ file: String) -> String { file.hasSuffix(".2") ? String(file.dropLast(2)) : file }

  private func isAuditLog(_ file: String) -> Bool { file.hasSuffix("/audit/audit-000001.log") }

  private func isDoubled(_ file: String) -> Bool {
    let name = name(file)
    return ["/vault/header", "/vault.key", "/accounts"].contains { name.hasSuffix($0) } || name.hasSuffix(".record")
  }

  @Test("a vault that cannot be read is never reported as empty", .home)
  func tellsOfADamagedVault() async throws {
    try await home.signIn()
    #expect(try await home.endAgent() == 0)
    for copy in ["header", "header.2"] {
      try Self.flip(home.folder.path + "/state/ritual-agent/vault/" + copy, at: { _ in 8 })
    }
    try await home.startAgent()
    for command in [["status"], ["accounts"], ["token"], ["status", "--account", "default"]] {
      let output = try await home.start(command + ["--json"]).end()
      #expect(output.status == 1, "\(command): \(output.status)")
      #expect(output.stderr.contains("vaultDamaged"), "\(command): \(output.stdout)\(output.stderr)")
      #expect(output.stderr.contains("header"), "\(command): \(output.stderr)")
      #expect(!(output.stdout + output.stderr).contains("sign-in"), "\(command)")
    }
  }

  @Test("a locked vault whose list of names is lost reports that", .home)
  func tellsThatNamesAreNotKnown() async throws {
    try await home.signIn()
    #expect(try await home.ctl("lock").status == 0)
    #expect(try await home.endAgent() == 0)
    let names = home.folder.path + "/state/ritual-agent/accounts"
    try Self.flip(names, at: { $0 / 2 })
    try await home.startAgent()
    #expect(try await home.ctl("status").stdout.contains("default"), "the second copy counts")
    #expect(try await home.endAgent() == 0)
    for copy in [names, names + ".2"] { Self.cut(copy) { $0 / 2 } }
    try await home.startAgent()
    let status = try await home.ctl("status")
    #expect(status.status == 5 && status.stdout.contains("names not known while locked"), "\(status.stdout)")
    let accounts = try await home.ctl("accounts")
    #expect(accounts.status == 5 && accounts.stderr.contains("names not known while locked"), "\(accounts.stderr)")
    #expect(try await home.ctl("unlock").status == 0)
    #expect(try await home.ctl("status").status == 0)
    #expect(Self.size(names) > 0 && Self.size(names) == Self.size(names + ".2"))
  }
}
