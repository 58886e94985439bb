import CSodium
import Glibc
import SystemSupport

/// A key file: one line of text, a prefix with a version and 32 random bytes in hexadecimal. Anyone
/// who can read both the key file and the vault can open the vault; the key file protects only
/// copies of the vault.
enum KeyFile {
  private static let family = Array("RITVAULT-KEY-".utf8)
  private static let prefix = Array("RITVAULT-KEY-1:".utf8)
  /// The length of prefix, 64 digits and newline.
  private static let length = prefix.count + 2 * Sodium.keyLength + 1

  /// Returns the key at `path`; nil if the file does not exist. `FileRules` is checked before
  /// anything is read.
  static func read(_ path: String) throws(VaultError) -> SecretBytes? {
    let parts = TrustedPath.split(path)
    do {
      let folder = try CheckedDirectory(parts.folder, .trusted, creating: false)
      try sweepAfterCrash(folder, parts.name)
      return try folder.reading(parts.name) { (file, _) throws(VaultError) in try key(in: file, path: parts.whole) }
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// Returns the key of the first copy that is a valid key file; nil if neither copy exists.
  static func read(_ path: String, isDoubled: Bool) throws(VaultError) -> SecretBytes? {
    guard isDoubled else { return try read(path) }
    do {
      if let key = try read(path) { return key }
    } catch {
      guard error.code != .unsafe, let key = try? read(DoubledFile.second(of: path)) else { throw error }
      return key
    }
    return try read(DoubledFile.second(of: path))
  }

  /// Creates the file with a new key, 0600 and durable. Never replaces a file: if one exists by
  /// now, returns its key.
  static func create(_ path: String, isDoubled: Bool = false) throws(VaultError) -> SecretBytes {
    let parts = TrustedPath.split(path)
    let folder = try CheckedDirectory(parts.folder, .trusted, creating: true)
    let key = try SecretBytes.random(count: Sodium.keyLength)
    let isOurs = try line(key).withBytes { (bytes) throws(VaultError) in
      isDoubled ? try linkPair(bytes, parts.name, in: folder) : try linkOne(bytes, parts.name, in: folder)
    }
    try folder.sync()
    if isOurs { return key }
    guard let present = try read(path) else {
      throw VaultError(.keyMissing, "\(parts.whole) disappeared while it was created: try again")
    }
    return present
  }

  /// Returns false if the file exists by now.
  private static func linkOne(
    _ bytes: UnsafeRawBufferPointer, _ name: String, in folder: CheckedDirectory
  ) throws(VaultError) -> Bool {
    let staged = try StagedFile(bytes, in: folder, prefix: stagedPrefix(name))
    do {
      let isOurs = try staged.link(name)
      try StagedFile.sweep(folder, folder.names(), prefix: stagedPrefix(name))
      return isOurs
    } catch {
      staged.discard()
      throw error
    }
  }

  private static func linkPair(
    _ bytes: UnsafeRawBufferPointer, _ name: String, in folder: CheckedDirectory
  ) throws(VaultError) -> Bool {
    let staged = try StagedPair(bytes, in: folder, prefix: stagedPrefix(name))
    do {
      let isOurs = try staged.first.link(name)
      if isOurs { try staged.replaceSecond(of: name) }
      try StagedFile.sweep(folder, folder.names(), prefix: stagedPrefix(name))
      return isOurs
    } catch {
      staged.discard()
      throw error
    }
  }

  /// Makes both copies identical, from the first copy that opens a slot of the `prover`'s vault.
  /// The second copy is preferred if the first one differs from the written form: a reader
  /// tolerates a missing newline or an upper-case digit. An existing copy is set aside before it is
  /// replaced, because it could be the key of another vault.
  static func restore(_ path: String, _ prover: KeyProver) throws(VaultError) -> [RestoredCopy] {
    let parts = TrustedPath.split(path)
    let folder = try CheckedDirectory(parts.folder, .trusted, creating: false)
    let names = DoubledFile.copies(of: parts.name)
    let texts = try names.map { (name) throws(VaultError) in try text(name, in: folder) }
    if let first = texts[0], let second = texts[1], first.isEqual(to: second) { return [] }
    for good in isAsWritten(texts[0], folder.path(of: names[0])) ? [0, 1] : [1, 0] {
      let source = KeySource.keyFile(path: folder.path(of: names[good]), createIfMissing: false)
      guard let text = texts[good], (try? prover.first(of: [source])) != nil else { continue }
      return [try replace(names[1 - good], by: text, in: folder)]
    }
    return []
  }

  private static func isAsWritten(_ text: SecretBytes?, _ path: String) -> Bool {
    guard let text, let key = try? read(path), let line = try? line(key) else { return false }
    return text.isEqual(to: line)
  }

  private static func replace(
    _ name: String, by text: SecretBytes, in folder: CheckedDirectory
  ) throws(VaultError) -> RestoredCopy {
    let isThere = try folder.status(of: name) != nil
    if isThere { _ = try folder.setAside(name) }
    try text.withBytes { (bytes) throws(VaultError) in
      try StagedFile(bytes, in: folder, prefix: stagedPrefix(name)).replace(name)
    }
    return RestoredCopy(
      file: name, reason: isThere ? "it differed from the other copy, which unlocks the vault" : "it was missing",
      failure: nil)
  }

  /// Returns the content of the file; nil if it cannot be read or does not have the length of a key
  /// file.
  private static func text(_ name: String, in folder: CheckedDirectory) throws(VaultError) -> SecretBytes? {
    do {
      return try folder.reading(name) { (file, size) throws(VaultError) in
        guard (1...length).contains(size) else { return nil }
        return try SecretBytes(count: size) { (buffer) throws(VaultError) in
          _ = try FileCalls.readAll(file, into: buffer, path: folder.path(of: name))
        }
      }
    } catch {
      guard error.code != .unsafe else { throw error }
      return nil
    }
  }

  /// A crash between linking the key file and removing its temporary name leaves two names. Removes
  /// the temporary name only in that case.
  private static func sweepAfterCrash(_ folder: CheckedDirectory, _ name: String) throws(VaultError) {
    guard let status = try folder.status(of: name), status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 1
    else { return }
    try StagedFile.sweep(folder, folder.names(), prefix: stagedPrefix(name))
  }

  private static func stagedPrefix(_ name: String) -> String { ".\(name).staged-" }

  private static func line(_ key: SecretBytes) throws(VaultError) -> SecretBytes {
    try SecretBytes(count: length) { line in
      line.copyBytes(from: prefix)
      let digits = UnsafeMutableRawBufferPointer(rebasing: line[prefix.count...])
      key.withBytes { key in
        // sodium_bin2hex writes a final NUL, which the newline replaces.
        _ = sodium_bin2hex(digits.baseAddress!.assumingMemoryBound(to: CChar.self), digits.count, key.bytes, key.count)
      }
      line[length - 1] = UInt8(ascii: "\n")
    }
  }

  private static func key(in file: Int32, path: String) throws(VaultError) -> SecretBytes {
    var count = 0
    // One extra byte, to detect a file that is too long.
    let text = try SecretBytes(count: length + 1) { (buffer) throws(VaultError) in
      count = try FileCalls.readAll(file, into: buffer, path: path)
    }
    return try SecretBytes(count: Sodium.keyLength) { (key) throws(VaultError) in
      let fault = text.withBytes { text in parse(UnsafeRawBufferPointer(rebasing: text[..<count]), into: key) }
      switch fault {
      case nil: return
      case .newer: throw VaultError(.formatTooNew, "\(path) was created by a newer ritual-agent: update ritual-agent")
      case .damaged(let words): throw VaultError(.damaged, "\(path) \(words): restore it from a backup")
      }
    }
  }

  private static func parse(_ text: UnsafeRawBufferPointer, into key: UnsafeMutableRawBufferPointer) -> FormatFault? {
    guard text.starts(with: prefix) else {
      return text.starts(with: family) ? .newer(0) : .damaged("is not a key file")
    }
    // An editor may have removed the newline.
    let rest = text[prefix.count...]
    let digits = rest.last == UInt8(ascii: "\n") ? rest.dropLast() : rest
    guard digits.count == 2 * Sodium.keyLength else { return .damaged("does not have the length of a key file") }
    let start = UnsafeRawBufferPointer(rebasing: digits).baseAddress!.assumingMemoryBound(to: CChar.self)
    var length = 0
    let result = sodium_hex2bin(key.bytes, key.count, start, digits.count, nil, &length, nil)
    return result == 0 && length == key.count ? nil : .damaged("has characters other than hexadecimal digits")
  }
}
