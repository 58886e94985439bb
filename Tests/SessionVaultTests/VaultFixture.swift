import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import SessionVault

/// The paths of a vault in a scratch directory, and shorthands for tests.
struct VaultFixture: Sendable {
  let folder: String

  var vault: String { folder + "/vault" }
  var keyFile: String { folder + "/keys/vault.key" }
  var storage: DirectoryStorage { DirectoryStorage(path: vault) }

  func open(create: Bool = true) throws(VaultError) -> Vault { try open(storage, create: create) }

  func open(_ storage: any VaultStorage, create: Bool = true) throws(VaultError) -> Vault {
    try Vault.open(storage: storage, key: .keyFile(path: keyFile, createIfMissing: create))
  }

  /// Opens the vault, saves the records and closes the vault.
  func save(_ records: [String: String]) throws {
    let vault = try open()
    for (name, content) in records.sorted(by: { $0.key < $1.key }) { try vault.save(Array(content.utf8), as: name) }
    vault.close()
  }

  /// Removes all second copies, as if they were lost, or as left by a program that knows only one
  /// copy.
  func removeSecondCopies() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: vault) where DoubledFile.isSecond(name) {
      try FileManager.default.removeItem(atPath: vault + "/" + name)
    }
  }

  /// Compares all copies, and checks that each file then has two identical copies and that no other
  /// file exists.
  func expectPairs(_ opened: Vault, sourceLocation: SourceLocation = #_sourceLocation) throws {
    while opened.compareNextCopies() {}
    let names = try FileManager.default.contentsOfDirectory(atPath: vault).filter { $0 != "lock" }
    #expect(names.contains("header"), sourceLocation: sourceLocation)
    for name in Set(names.map(DoubledFile.name)) {
      let copies = try DoubledFile.copies(of: name).map { try bytes(of: vault + "/" + $0) }
      #expect(copies[0] == copies[1], "\(name)", sourceLocation: sourceLocation)
    }
  }

  func recordFiles() throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: vault)
    return names.filter(VaultFormat.isRecord).sorted().map { vault + "/" + $0 }
  }
}

extension MemoryStorage {
  /// The first copies by file name. Setting a file sets both copies.
  var pairs: [String: [UInt8]] {
    get { files.filter { !DoubledFile.isSecond($0.key) && !$0.key.contains(".2.damaged-") } }
    set {
      var all = newValue
      for (file, bytes) in newValue where file == VaultFormat.headerFile || VaultFormat.isRecord(file) {
        all[DoubledFile.second(of: file)] = bytes
      }
      files = all.merging(files.filter { $0.key.contains(".2.damaged-") }) { new, _ in new }
    }
  }
}

/// Checks that the header and every record have two identical copies.
func expectPairs(_ storage: MemoryStorage, sourceLocation: SourceLocation = #_sourceLocation) {
  let files = storage.files.filter { !VaultFormat.isSetAside($0.key) }
  #expect(files["header"] != nil, sourceLocation: sourceLocation)
  for (file, bytes) in files {
    let name = DoubledFile.name(of: file)
    #expect(
      files[name] == bytes && files[DoubledFile.second(of: name)] == bytes, "\(file)", sourceLocation: sourceLocation)
  }
}

func withVaultFixture(_ body: (VaultFixture) async throws -> Void) async throws {
  try await withScratchDirectory { url in
    try await body(VaultFixture(folder: url.path(percentEncoded: false).trimmingSlash))
  }
}

extension VaultFixture {
  static let running = TestFixture<VaultFixture>()
  static var current: VaultFixture { running.current }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test a directory for a vault: `VaultFixture.current`.
  static var vault: Self { VaultFixture.running.trait { try await withVaultFixture($0) } }
}

extension String {
  var trimmingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}

extension Vault {
  func text(_ name: String) throws(VaultError) -> String { String(decoding: try load(name), as: UTF8.self) }
}

/// Returns the code of the error that `body` throws; nil if it throws none.
func code(_ body: () throws(VaultError) -> Void) -> VaultError.Code? {
  do {
    try body()
    return nil
  } catch {
    return error.code
  }
}

func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

func mode(of path: String) -> mode_t {
  var status = stat()
  return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
}

let isRoot = geteuid() == 0

func truncateFile(_ path: String, to length: Int) -> Bool { truncate(path, off_t(length)) == 0 }

extension Array where Element: Equatable {
  /// Returns whether the array contains `part` as a contiguous sequence.
  func contains(_ part: [Element]) -> Bool {
    guard !part.isEmpty, part.count <= count else { return false }
    return (0...(count - part.count)).contains { start in
      self[start] == part[0] && self[start..<(start + part.count)].elementsEqual(part)
    }
  }
}

/// Returns every descriptor of this process that is open on the file at `path`.
func descriptors(of path: String) throws -> [Int32] {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
    return target == path ? Int32(name) : nil
  }
}

func writePrivate(_ text: String, to path: String) throws { try writePrivate(Array(text.utf8), to: path) }

func writePrivate(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(filePath: path))
  chmod(path, 0o600)
}

/// Creates a directory with mode 0700, unless it exists.
func makeFolder(_ path: String) throws {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  chmod(path, 0o700)
}
