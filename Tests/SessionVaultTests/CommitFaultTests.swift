import FoundationEssentials
import Glibc
import Testing

@testable import SessionVault

/// VA-5 at the level of system calls: each call of a commit fails in each way, or is the last one
/// of the process.
@Suite(.enabled(if: Strace.isThere, "strace does it"))
struct CommitFaultTests {
  private var fixture: VaultFixture { .current }

  /// The calls of a commit in order: both copies staged, both synced, both renamed, the directory
  /// synced.
  static let calls = [
    "newfstatat:when=1", "newfstatat:when=2", "openat:when=1", "write:when=1", "openat:when=2", "write:when=2",
    "fsync:when=1", "fsync:when=2", "renameat:when=1", "renameat:when=2", "fsync:when=3",
  ]
  /// The calls after the first copy was renamed.
  private static let late = ["renameat:when=2", "fsync:when=3"]
  static let errors: [(String, VaultError.Code)] = [
    ("EIO", .io), ("ENOSPC", .diskFull), ("EDQUOT", .diskFull), ("EROFS", .readOnly), ("EACCES", .noPermission),
  ]
  private static let traced = "newfstatat,openat,write,fsync,renameat,close,unlinkat,linkat,mkdir"

  /// Creates a closed vault with one record "a" that contains "old".
  private func filled(_ fixture: VaultFixture) throws {
    try fixture.save(["a": "old"])
  }

  @Test(.vault, arguments: calls, errors.map(\.0))
  func aFailedCallLeavesTheOldOrTheNewRecord(call: String, error: String) async throws {
    try filled(fixture)
    await #expect(processExitsWith: .exitCode(33)) {
      [folder = fixture.folder as String, call = call as String, error = error as String] in
      exit(try Self.failOnce(VaultFixture(folder: folder), call: call, error: error))
    }
    let vault = try fixture.open()
    #expect(try vault.text("a") == "third")
    try fixture.expectPairs(vault)
  }

  /// Returns 33 if the failure was reported, the record stayed intact, and the next write
  /// succeeded.
  private static func failOnce(_ fixture: VaultFixture, call: String, error: String) throws -> Int32 {
    let vault = try fixture.open()
    while vault.compareNextCopies() {}
    let parts = call.split(separator: ":")
    try Strace.attach(
      calls: traced, faults: ["\(parts[0]):error=\(error):\(parts[1])"], log: fixture.folder + "/calls")
    let result = code { () throws(VaultError) in try vault.save(Array("new".utf8), as: "a") }
    // A second copy that cannot be replaced is removed, and the write succeeds.
    let expected = call == "renameat:when=2" ? nil : errors.first { $0.0 == error }?.1
    guard result == expected else { return 1 }
    // Only a failure after the first rename can leave the new record in place.
    guard try vault.text("a") == (late.contains(call) ? "new" : "old") else { return 2 }
    let files = try fixture.recordFiles()
    guard files.count == 1 else { return 4 }
    // A failed commit leaves no staged file, which would use up a full disk.
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.vault)
    guard !names.contains(where: { $0.hasPrefix(DirectoryStorage.stagedPrefix) }) else { return 6 }
    let second = try? bytes(of: files[0] + ".2")
    guard call == "renameat:when=2" ? second == nil : try second == bytes(of: files[0]) else { return 5 }
    try vault.save(Array("third".utf8), as: "a")
    return try vault.text("a") == "third" && vault.damaged.isEmpty ? 33 : 3
  }

  @Test(.vault, arguments: calls + ["close:when=1"])
  func aKillAtEachCallLeavesTheOldOrTheNewRecord(call: String) async throws {
    try filled(fixture)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = fixture.folder as String, call = call as String] in
      let fixture = VaultFixture(folder: folder)
      let vault = try fixture.open()
      while vault.compareNextCopies() {}
      let parts = call.split(separator: ":")
      try Strace.attach(
        calls: Self.traced, faults: ["\(parts[0]):signal=KILL:\(parts[1])"], log: fixture.folder + "/calls")
      try vault.save(Array("new".utf8), as: "a")
    }
    let vault = try fixture.open()
    #expect(try vault.text("a") == (Self.late.contains(call) ? "new" : "old"))
    #expect(vault.damaged.isEmpty)
    try fixture.expectPairs(vault)
  }

  /// The traced action, encoded by name so that it can be passed to another process.
  enum Action: String, Codable {
    case save, delete, addKeyFile

    func run(_ vault: Vault, _ fixture: VaultFixture) throws {
      switch self {
      case .save: try vault.save(Array("new".utf8), as: "a")
      case .delete: try vault.delete("a")
      case .addKeyFile:
        let new = KeySource.keyFile(path: fixture.folder + "/new/vault.key", createIfMissing: true, isDoubled: true)
        try vault.addKey(new, present: [fixture.keySource])
      }
    }
  }

  /// Without a power failure, only the calls show that the content is durable before the rename,
  /// and the name after it.
  @Test func aCommitIsMadeDurableInOrder() async throws {
    try await expect(
      .save,
      [
        #/openat\(.*"\.staged-[0-9a-f]{16}", O_WRONLY\|O_CREAT\|O_EXCL\|O_NONBLOCK\|O_NOFOLLOW\|O_CLOEXEC, 0600\).*/#,
        #/write\(\d+<.*/vault/\.staged-[0-9a-f]{16}>, .*/#, #/write\(\d+<.*/vault/\.staged-[0-9a-f]{16}>, .*/#,
        #/fsync\(\d+<.*/vault/\.staged-[0-9a-f]{16}>\).*/#, #/fsync\(\d+<.*/vault/\.staged-[0-9a-f]{16}>\).*/#,
        #/renameat\(.*"\.staged-.*\.record"\).*/#, #/renameat\(.*"\.staged-.*\.record\.2"\).*/#,
        #/fsync\(\d+<.*/vault>\).*/#,
      ])
  }

  @Test func aDeletionIsMadeDurable() async throws {
    try await expect(
      .delete, [#/unlinkat\(.*\.record\.2", 0\).*/#, #/unlinkat\(.*\.record", 0\).*/#, #/fsync\(\d+<.*/vault>\).*/#])
  }

  @Test func aNewKeyFileIsMadeDurableBeforeTheHeaderThatNeedsIt() async throws {
    try await expect(
      .addKeyFile,
      [
        #/mkdir\(".*/new", 0700\).*/#, #/fsync\(.*/#, #/write\(.*\.vault\.key\.staged-.*/#,
        #/fsync\(.*\.vault\.key\.staged-.*/#, #/linkat\(.*"vault\.key", 0\).*/#,
        #/renameat\(.*"vault\.key\.2"\).*/#,
        #/unlinkat\(.*\.vault\.key\.staged-.*/#, #/fsync\(\d+<.*/new>\).*/#, #/write\(.*/vault/\.staged-.*/#,
        #/fsync\(.*/vault/\.staged-.*/#, #/renameat\(.*"header"\).*/#,
        #/renameat\(.*"header\.2"\).*/#, #/fsync\(\d+<.*/vault>\).*/#,
      ])
  }

  /// Checks that the calls made by `action` contain the `expected` calls in order.
  private func expect(_ action: Action, _ expected: [Regex<Substring>]) async throws {
    try await withVaultFixture { fixture in
      try filled(fixture)
      await #expect(processExitsWith: .exitCode(34)) {
        [folder = fixture.folder as String, action = action as Action] in
        let fixture = VaultFixture(folder: folder)
        let vault = try fixture.open()
        try Strace.attach(calls: Self.traced, log: folder + "/calls")
        try action.run(vault, fixture)
        exit(34)
      }
      expect(try Strace.calls(in: fixture.folder + "/calls"), expected)
    }
  }

  private func expect(_ calls: [String], _ expected: [Regex<Substring>]) {
    var rest = calls[...]
    for pattern in expected {
      guard let found = rest.firstIndex(where: { $0.wholeMatch(of: pattern) != nil }) else {
        Issue.record("no such call after the ones before: \(pattern)\n\(calls.joined(separator: "\n"))")
        return
      }
      rest = rest[(found + 1)...]
    }
  }

  /// A short write: the system accepts some bytes, and then no more.
  @Test(.vault) func aShortWriteKeepsTheOldRecord() async throws {
    try filled(fixture)
    await #expect(processExitsWith: .exitCode(33)) { [folder = fixture.folder as String] in
      let fixture = VaultFixture(folder: folder)
      let vault = try fixture.open()
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit()
      getrlimit(fileSize, &limit)
      limit.rlim_cur = 6000
      setrlimit(fileSize, &limit)
      let long = [UInt8](repeating: 1, count: 9000)
      guard code({ () throws(VaultError) in try vault.save(long, as: "a") }) == .io else { exit(1) }
      guard try vault.text("a") == "old" else { exit(2) }
      limit.rlim_cur = limit.rlim_max
      setrlimit(fileSize, &limit)
      try vault.save(long, as: "a")
      exit(try vault.load("a") == long ? 33 : 3)
    }
    #expect(try fixture.open().load("a").count == 9000)
  }
}

/// RLIMIT_FSIZE of <sys/resource.h>, as the Glibc module types it.
private var fileSize: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_FSIZE.rawValue) }
