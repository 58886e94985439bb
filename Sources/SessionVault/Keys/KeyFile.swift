import CSodium
import Glibc

/// A key file: one line of text, 32 random bytes in hexadecimal after a prefix with a version. Whoever can read it and the vault can open
/// the vault; it protects a copy of the vault alone.
enum KeyFile {
  private static let family = Array("RITVAULT-KEY-".utf8)
  private static let prefix = Array("RITVAULT-KEY-1:".utf8)
  /// Prefix, 64 digits, newline.
  private static let length = prefix.count + 2 * Sodium.keyLength + 1

  /// The key at `path`; nil if there is no file. VA-6 is checked before anything is read.
  static func read(_ path: String) throws(VaultError) -> SecretBytes? {
    let parts = PathWalk.split(path)
    do {
      let folder = try CheckedFolder(parts.folder, .trusted, creating: false)
      try sweepAfterCrash(folder, parts.name)
      return try folder.reading(parts.name) { (file, _) throws(VaultError) in try key(in: file, path: parts.whole) }
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// Makes the file with a new key, 0600 and durable; never replaces one: if there is one by now, that is read.
  static func create(_ path: String) throws(VaultError) -> SecretBytes {
    let parts = PathWalk.split(path)
    let folder = try CheckedFolder(parts.folder, .trusted, creating: true)
    let key = try SecretBytes.random(count: Sodium.keyLength)
    let text = try line(key)
    let staged = try text.withBytes { (bytes) throws(VaultError) in
      try StagedFile(bytes, in: folder, prefix: stagedPrefix(parts.name))
    }
    let isOurs: Bool
    do {
      isOurs = try staged.link(parts.name)
      try StagedFile.sweep(folder, prefix: stagedPrefix(parts.name))
    } catch {
      staged.discard()
      throw error
    }
    try folder.sync()
    if isOurs { return key }
    guard let present = try read(path) else {
      throw VaultError(.keyMissing, "\(parts.whole) went away while it was made: try again")
    }
    return present
  }

  /// Between linking the key and removing its first name a crash leaves two names: only then the first one is removed.
  private static func sweepAfterCrash(_ folder: CheckedFolder, _ name: String) throws(VaultError) {
    guard let status = try folder.status(of: name), status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 1
    else { return }
    try StagedFile.sweep(folder, prefix: stagedPrefix(name))
  }

  private static func stagedPrefix(_ name: String) -> String { ".\(name).staged-" }

  private static func line(_ key: SecretBytes) throws(VaultError) -> SecretBytes {
    try SecretBytes(count: length) { line in
      line.copyBytes(from: prefix)
      let digits = UnsafeMutableRawBufferPointer(rebasing: line[prefix.count...])
      key.withBytes { key in
        // Ends with a NUL, where the newline comes.
        _ = sodium_bin2hex(digits.baseAddress!.assumingMemoryBound(to: CChar.self), digits.count, key.bytes, key.count)
      }
      line[length - 1] = UInt8(ascii: "\n")
    }
  }

  private static func key(in file: Int32, path: String) throws(VaultError) -> SecretBytes {
    var count = 0
    // One byte more than it should have, to notice that it has more.
    let text = try SecretBytes(count: length + 1) { (buffer) throws(VaultError) in
      count = try FileCalls.readAll(file, into: buffer, path: path)
    }
    return try SecretBytes(count: Sodium.keyLength) { (key) throws(VaultError) in
      let fault = text.withBytes { text in parse(UnsafeRawBufferPointer(rebasing: text[..<count]), into: key) }
      switch fault {
      case nil: return
      case .newer: throw VaultError(.formatTooNew, "\(path) was made by a newer ritual-agent: update this one")
      case .damaged(let words): throw VaultError(.damaged, "\(path) \(words): restore it from a backup")
      }
    }
  }

  private static func parse(_ text: UnsafeRawBufferPointer, into key: UnsafeMutableRawBufferPointer) -> FormatFault? {
    guard text.starts(with: prefix) else {
      return text.starts(with: family) ? .newer(0) : .damaged("is not a key file")
    }
    // An editor may have dropped the newline.
    let rest = text[prefix.count...]
    let digits = rest.last == UInt8(ascii: "\n") ? rest.dropLast() : rest
    guard digits.count == 2 * Sodium.keyLength else { return .damaged("is too short or too long for a key file") }
    let start = UnsafeRawBufferPointer(rebasing: digits).baseAddress!.assumingMemoryBound(to: CChar.self)
    var length = 0
    let result = sodium_hex2bin(key.bytes, key.count, start, digits.count, nil, &length, nil)
    return result == 0 && length == key.count ? nil : .damaged("holds something else than hexadecimal digits")
  }
}
