import Foundation

@testable import SessionVault

/// A copy of the agent's vault, opened by the test to learn the agent's keys.
struct VaultCopy {
  /// The key that seals the records. Only an open vault has it, and no other program.
  static let sealingKey = "key that seals records"

  private let folder: String

  init(of home: TestHome) throws {
    folder = home.folder.path + "/copy-\(UUID().uuidString)"
    // The agent may be writing: what is staged becomes another name, or nothing, while it is copied.
    let vault = home.folder.path + "/state/ritual-agent/vault"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for name in try FileManager.default.contentsOfDirectory(atPath: vault) where !name.hasPrefix(".staged-") {
      try FileManager.default.copyItem(atPath: "\(vault)/\(name)", toPath: "\(folder)/\(name)")
    }
  }

  /// The master key and the keys derived from it.
  func keys(by source: KeySource) throws -> [Secret] {
    try Sodium.start()
    let storage = DirectoryStorage(path: folder)
    try storage.acquire()
    defer { storage.release() }
    let header = try VaultHeaderFile.read(storage).content
    let prover = KeyProver(
      slots: header.slots, vaultID: header.vaultID, derivation: .argon2id, place: storage.place)
    let master = try prover.first(of: [source]).master
    return [
      Secret("master key", bytes: master.copy), Secret(Self.sealingKey, bytes: try copy(.records, master)),
      Secret("key of file names", bytes: try copy(.fileNames, master)),
      Secret("key of the header", bytes: try copy(.header, master)),
    ]
  }

  /// The content of every record, with its name.
  func records(by source: KeySource) throws -> [(String, [UInt8])] {
    let vault = try Vault.open(storage: DirectoryStorage(path: folder), key: source)
    defer { vault.close() }
    return try vault.names().map { ("record " + $0, try vault.load($0)) }
  }

  private func copy(_ purpose: KeyPurpose, _ master: SecretBytes) throws -> [UInt8] {
    try Sodium.subkey(purpose, of: master).copy
  }
}

extension SecretBytes {
  fileprivate var copy: [UInt8] { withBytes { Array($0) } }
}
