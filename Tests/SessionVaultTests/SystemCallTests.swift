import Glibc
import SystemSupport
import Testing

@testable import SessionVault

struct SystemCallTests {
  @Test func interruptedCallsAreRepeated() throws {
    var calls = 0
    let result = try systemCall("read") { () -> Int in
      calls += 1
      errno = EINTR
      return calls < 4 ? -1 : 7
    }
    #expect(result == 7)
    #expect(calls == 4)
  }

  @Test func aFailedCallIsNotRepeated() {
    var calls = 0
    let error = #expect(throws: SystemCallError.self) {
      try systemCall("fsync") { () -> Int32 in
        calls += 1
        errno = EIO
        return -1
      }
    }
    #expect(calls == 1)
    #expect(error?.errno == EIO)
    #expect(error?.call == "fsync")
  }

  private static let meanings: [(Int32, VaultError.Code)] = [
    (ENOSPC, .diskFull), (EDQUOT, .diskFull), (EACCES, .noPermission), (EPERM, .noPermission), (EROFS, .readOnly),
    (ENOENT, .notFound), (ELOOP, .unsafe), (EWOULDBLOCK, .inUse), (EIO, .io), (EMFILE, .io),
  ]

  @Test(arguments: meanings)
  func eachErrnoHasItsMeaning(errno: Int32, code: VaultError.Code) {
    let error = VaultError(SystemCallError(call: "x", errno: errno), at: "/some/file")
    #expect(error.code == code)
    #expect(error.message.hasPrefix("/some/file: "))
    #expect((error.cause as? SystemCallError)?.errno == errno)
  }

  @Test(
    "a system error is named by its own words",
    arguments: [
      (EMFILE, "Too many open files: raise the limit of open files"), (ENFILE, "Too many open files in system: "),
      (ENOLCK, "No locks available: use a directory"), (ENOMEM, "Cannot allocate memory"), (EIO, "Input/output error"),
      (ENAMETOOLONG, "File name too long"), (EISDIR, "Is a directory"), (EFBIG, "File too large"),
    ] as [(Int32, String)])
  func namesTheError(errno: Int32, words: String) {
    let error = VaultError(SystemCallError(call: "x", errno: errno), at: "/some/file")
    #expect(error.code == .io && error.message.hasPrefix("/some/file: \(words)"), "\(error.message)")
  }

  @Test(.enabled(if: isRoot, "root becomes another user here"))
  func aFolderThatCannotBeEnteredIsNoPermission() async throws {
    try await withVaultFixture { fixture in
      try fixture.save(["a": "x"])
      await #expect(processExitsWith: .exitCode(21)) { [folder = fixture.folder as String] in
        guard setuid(12345) == 0 else { exit(1) }
        let result = code { () throws(VaultError) in _ = try KeyFile.read(folder + "/keys/vault.key") }
        // The scratch directory is owned by root, 0700.
        exit(result == .noPermission ? 21 : 2)
      }
    }
  }
}
