import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import SessionVault

/// Which key opens which vault, and when a new vault is created.
@Suite(.vault) struct OpeningTests {
  private var fixture: VaultFixture { .current }

  @Test func anotherKeyIsTheWrongKey() async throws {
    try fixture.save(["a": "x"])
    let before = try bytes(of: fixture.vault + "/header")
    #expect(unlink(fixture.keyFile) == 0)
    _ = try KeyFile.create(fixture.keyFile)
    #expect(code { () throws(VaultError) in _ = try fixture.open() } == .wrongKey)
    #expect(try bytes(of: fixture.vault + "/header") == before)
  }

  @Test func aMissingKeyIsNeverReplacedUnderAnOldVault() async throws {
    try fixture.save(["a": "x"])
    #expect(rename(fixture.keyFile, fixture.keyFile + ".backup") == 0)
    #expect(code { () throws(VaultError) in _ = try fixture.open(create: true) } == .keyMissing)
    #expect(access(fixture.keyFile, F_OK) == -1)
    #expect(rename(fixture.keyFile + ".backup", fixture.keyFile) == 0)
    #expect(try fixture.open().text("a") == "x")
  }

  @Test func noKeyIsMadeUnlessAskedFor() async throws {
    #expect(code { () throws(VaultError) in _ = try fixture.open(create: false) } == .keyMissing)
    #expect(access(fixture.keyFile, F_OK) == -1)
    #expect(access(fixture.vault + "/header", F_OK) == -1)
  }

  @Test func aKeyThatIsThereServesANewVault() async throws {
    try FileManager.default.createDirectory(atPath: fixture.folder + "/keys", withIntermediateDirectories: false)
    chmod(fixture.folder + "/keys", 0o755)
    _ = try KeyFile.create(fixture.keyFile)
    let key = try bytes(of: fixture.keyFile)
    try fixture.save(["a": "x"])
    #expect(try bytes(of: fixture.keyFile) == key)
    #expect(try fixture.open(create: false).text("a") == "x")
  }

  @Test func recordsWithoutHeaderAreNoNewVault() async throws {
    try fixture.save(["a": "x"])
    try fixture.removeSecondCopies()
    let header = fixture.vault + "/header"
    #expect(rename(header, fixture.folder + "/kept") == 0)
    #expect(code { () throws(VaultError) in _ = try fixture.open() } == .damaged)
    #expect(access(header, F_OK) == -1)
    #expect(rename(fixture.folder + "/kept", header) == 0)
    #expect(try fixture.open().text("a") == "x")
  }

  /// Simulates a child between fork and exec: a copy of the descriptor must not keep the lock.
  @Test func closingGivesUpTheLockInSpiteOfACopy() async throws {
    let vault = try fixture.open()
    let locks = try descriptors(of: fixture.vault + "/lock")
    #expect(locks.count == 1)
    #expect(locks.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
    let copies = locks.map { dup($0) }
    defer { for copy in copies { close(copy) } }
    vault.close()
    #expect(code { () throws(VaultError) in try fixture.open().close() } == nil)
  }

  @Test func anotherProcessIsKeptOut() async throws {
    let vault = try fixture.open()
    await #expect(processExitsWith: .exitCode(17)) { [folder = fixture.folder as String] in
      do throws(VaultError) { _ = try VaultFixture(folder: folder).open() } catch {
        let holder = error.message.contains("(pid \(getppid()))")
        exit(error.code == .inUse && holder ? 17 : 1)
      }
    }
    vault.close()
    await #expect(processExitsWith: .exitCode(18)) { [folder = fixture.folder as String] in
      let result = code { () throws(VaultError) in _ = try VaultFixture(folder: folder).open() }
      exit(result == nil ? 18 : 1)
    }
  }

  private static let noKeyFiles: [(String, VaultError.Code)] = [
    ("", .damaged), ("RITVAULT-KEY-1:", .damaged), ("something else", .damaged),
    ("RITVAULT-KEY-1:" + String(repeating: "0", count: 63) + "\n", .damaged),
    ("RITVAULT-KEY-1:" + String(repeating: "0", count: 66) + "\n", .damaged),
    ("RITVAULT-KEY-1:" + String(repeating: "0", count: 63) + "g\n", .damaged),
    ("RITVAULT-KEY-2:whatever", .formatTooNew),
  ]

  @Test(arguments: noKeyFiles)
  func whatIsNoKeyFileIsRefused(text: String, expected: VaultError.Code) async throws {
    let path = fixture.folder + "/bad.key"
    #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
    chmod(path, 0o600)
    #expect(code { () throws(VaultError) in _ = try KeyFile.read(path) } == expected)
    let after = try bytes(of: path)
    #expect(after == Array(text.utf8))
  }

  @Test func aKeyFileIsNeverReplaced() async throws {
    let first = try KeyFile.create(fixture.keyFile)
    let second = try KeyFile.create(fixture.keyFile)
    #expect(first.withBytes { Array($0) } == second.withBytes { Array($0) })
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder + "/keys") == ["vault.key"])
  }

  @Test func aKeyWithTheNameOfACrashIsTidiedUp() async throws {
    try fixture.save(["a": "x"])
    let second = fixture.folder + "/keys/.vault.key.staged-0011223344556677"
    #expect(link(fixture.keyFile, second) == 0)
    #expect(try fixture.open().text("a") == "x")
    #expect(access(second, F_OK) == -1)
  }
}
