import FoundationEssentials
import Glibc
import SystemSupport
import TestKit
import Testing

@testable import SessionVault

/// No secret in plaintext on disk, in a description, or in memory that can be read
/// accidentally.
struct SecrecyTests {
  private var fixture: VaultFixture { .current }

  @Test(.vault) func nothingSecretIsOnDisk() async throws {
    let secret = "v1.refresh-token-that-nobody-may-see"
    let mail = "someone@privaterelay.appleid.com"
    let name = "account/default"
    let vault = try fixture.open()
    try vault.save(Array(#"{"refresh_token":"\#(secret)","email":"\#(mail)"}"#.utf8), as: name)
    try vault.save(Array(secret.utf8), as: mail)
    let needles = [secret, mail, name].flatMap(encodings)
    #expect(try found(needles, in: fixture.folder) == [])
    // Verifies the search itself: it finds each text in a plain file.
    try Data(needles.joined()).write(to: URL(filePath: fixture.folder + "/plain"))
    #expect(try found(needles, in: fixture.folder).count == needles.count)
  }

  private func encodings(_ text: String) -> [[UInt8]] {
    let bytes = Array(text.utf8)
    // Without the last group, which depends on the following bytes.
    let base64 = Array(Data(bytes).base64EncodedString().utf8.prefix(bytes.count / 3 * 4))
    return [bytes, base64, Array(bytes.hexadecimal.utf8), Array(bytes.flatMap { [$0, 0] })]
  }

  private func found(_ needles: [[UInt8]], in folder: String) throws -> [[UInt8]] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
    var everything: [UInt8] = []
    for file in files {
      everything += Array(file.utf8)
      if let content = try? Data(contentsOf: URL(filePath: folder + "/" + file)) { everything += Array(content) }
    }
    #expect(files.count >= 5)
    return needles.filter { everything.contains($0) }
  }

  @Test(.vault) func sizesTellLittle() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.open(storage)
    try vault.save([], as: "a")
    try vault.save([UInt8](repeating: 1, count: 4000), as: "b")
    try vault.save([UInt8](repeating: 1, count: 4096), as: "c")
    let sizes = storage.pairs.filter { VaultFormat.isRecord($0.key) }.values.map(\.count).sorted()
    #expect(sizes == [4148, 4148, 8244])
  }

  @Test(.vault) func theSameRecordIsNeverSealedTheSame() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.open(storage)
    var nonces: Set<[UInt8]> = []
    for _ in 0..<50 {
      try vault.save([1], as: "a")
      let file = try #require(storage.pairs.first { VaultFormat.isRecord($0.key) })
      nonces.insert(Array(file.value[12..<36]))
    }
    #expect(nonces.count == 50)
  }

  @Test func aSecretPrintsRedacted() throws {
    let text = "correct horse battery staple"
    let secret = try SecretBytes(count: text.utf8.count) { $0.copyBytes(from: text.utf8) }
    #expect(secret.withBytes { String(decoding: $0, as: UTF8.self) } == text)
    var dumped = ""
    dump(secret, to: &dumped)
    let printed = "\(secret) \(String(reflecting: secret)) \([secret]) \(dumped)"
    #expect(printed.contains("redacted"))
    #expect(!printed.contains("horse") && !printed.contains("99, 111"))
  }

  @Test(.vault) func errorsNameNeitherRecordNorContent() async throws {
    let storage = MemoryStorage()
    let vault = try fixture.open(storage)
    try vault.save(Array("sesame".utf8), as: "someone@example.org")
    let file = try #require(storage.pairs.keys.first(where: VaultFormat.isRecord))
    storage.pairs[file]?[100] ^= 1
    let error = #expect(throws: VaultError.self) { try vault.load("someone@example.org") }
    #expect(error?.description.contains(file) == true)
    #expect(error?.description.contains("someone") == false && error?.description.contains("sesame") == false)
  }

  @Test func aSecretThatWasNotAskedForCannotBeRead() async {
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      // A sanitizer's handler would turn the signal into an exit.
      signal(SIGSEGV, SIG_DFL)
      var address: UInt = 0
      let secret = try SecretBytes(count: 32) { address = UInt(bitPattern: $0.baseAddress) }
      withExtendedLifetime(secret) {
        _ = UnsafeRawPointer(bitPattern: address)!.load(as: UInt8.self)
        exit(0)
      }
    }
  }

  @Test func aSecretOutsideItsAccessCannotBeRead() async {
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      // A sanitizer's handler would turn the signal into an exit.
      signal(SIGSEGV, SIG_DFL)
      let secret = try SecretBytes.random(count: 32)
      let address = secret.withBytes { UInt(bitPattern: $0.baseAddress) }
      withExtendedLifetime(secret) {
        _ = UnsafeRawPointer(bitPattern: address)!.load(as: UInt8.self)
        exit(0)
      }
    }
  }

  @Test(.vault) func memoryIsLocked() async throws {
    let secret = try SecretBytes.random(count: 32)
    let vault = try fixture.open()
    #expect(secret.isLocked)
    #expect(vault.memoryLocked)
  }

  /// Beyond RLIMIT_MEMLOCK libsodium still returns memory: the secret must report that it is not
  /// locked.
  @Test(
    .enabled(if: isRoot, "root gives up its privilege here, which would lock memory past any limit"),
    .disabled(if: Sanitizer.isOn, "a sanitizer makes mlock(2) do nothing, and say that it did"))
  func memoryThatCouldNotBeLockedIsReported() async {
    await #expect(processExitsWith: .exitCode(19)) {
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      guard setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &none) == 0, setuid(12345) == 0 else { exit(1) }
      let secret = try SecretBytes.random(count: 32)
      exit(secret.lockError == EPERM ? 19 : 2)
    }
  }

  /// Comparisons of the same two secrets in both orders, on several threads, end.
  @Test(.timeLimit(.minutes(10))) func comparisonsInBothOrdersEnd() async throws {
    let secrets = try (0..<2).map { _ in
      try SecretBytes(count: 32) { $0.copyBytes(from: [UInt8](repeating: 1, count: 32)) }
    }
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<4 {
        group.addTask {
          let (a, b) = (secrets[number % 2], secrets[1 - number % 2])
          return (0..<20_000).allSatisfy { _ in a.isEqual(to: b) && a.isEqual(to: a) }
        }
      }
      for await areEqual in group { #expect(areEqual) }
    }
  }

  /// The memory stays readable until the last of several accesses ends.
  @Test func accessesOverlap() throws {
    let secret = try SecretBytes(count: 4) { $0.copyBytes(from: [1, 2, 3, 4]) }
    let (inner, outer) = secret.withBytes { outer in (secret.withBytes { Array($0) }, Array(outer)) }
    #expect(inner == [1, 2, 3, 4] && outer == inner)
    #expect(secret.withBytes { Array($0) } == inner)
  }

}
