import Glibc

/// A file kept as two identical copies, `X` and `X.2`, so that either copy can be lost. The
/// header, every record and the agent's own key file are stored this way.
///
/// - Writing (`StagedPair`): both copies are staged and durable before the first is renamed, then
///   the second. A second copy that cannot be replaced is removed: it may be absent, but never
///   stale.
/// - Reading: the first copy is used if it is intact, regardless of the second. The second copy is
///   used only if the first is missing, unreadable or damaged.
/// - Removing: the second copy is removed first, so that a crash leaves the file or nothing.
package enum DoubledFile {
  private static let suffix = ".2"

  /// Returns the name of the second copy of `file`.
  static func second(of file: String) -> String { file + suffix }

  /// Returns the name of the file that `copy` belongs to.
  static func name(of copy: String) -> String { isSecond(copy) ? String(copy.dropLast(suffix.count)) : copy }

  static func isSecond(_ copy: String) -> Bool { copy.hasSuffix(suffix) }

  /// Returns the names of both copies, the first copy first.
  package static func copies(of file: String) -> [String] { [file, second(of: file)] }

  /// Why a copy cannot be used.
  enum Fault: Error {
    case missing
    /// The storage failed to read the copy.
    case unreadable(VaultError)
    case content(FormatFault)
  }

  struct Reading<Content: Sendable>: Sendable {
    var content: Content
    let bytes: [UInt8]
    /// True if the first copy could not be used.
    let isFromSecond: Bool
  }

  /// Reads a file of `storage`. `open` decodes the bytes, or throws a fault.
  ///
  /// - Parameters:
  ///   - hasSecond: False if an existing second copy may be stale (vaults before header version 3).
  ///   - trustsVersion: True if a checksum covers the version, so that a newer version in the first
  ///     copy is final. Otherwise the second copy decides, if it can be read.
  static func read<Content: Sendable>(
    _ file: String, in storage: any VaultStorage, hasSecond: Bool = true, trustsVersion: Bool = false,
    _ open: ([UInt8]) throws(FormatFault) -> Content
  ) throws(Fault) -> Reading<Content> {
    do {
      let bytes = try bytes(of: file, in: storage)
      return Reading(content: try opened(bytes, open), bytes: bytes, isFromSecond: false)
    } catch {
      guard hasSecond, mayBeReplaced(error, trustsVersion: trustsVersion) else { throw error }
      do {
        let bytes = try bytes(of: second(of: file), in: storage)
        return Reading(content: try opened(bytes, open), bytes: bytes, isFromSecond: true)
      } catch let other {
        throw common(error, other)
      }
    }
  }

  static func bytes(of copy: String, in storage: any VaultStorage) throws(Fault) -> [UInt8] {
    do {
      return try storage.read(copy)
    } catch {
      switch error.code {
      case .notFound: throw .missing
      case .tooLarge: throw .content(.damaged("it is too large for a vault file"))
      default: throw .unreadable(error)
      }
    }
  }

  /// Returns whether both copies exist and are identical.
  static func isWhole(_ file: String, in storage: any VaultStorage) -> Bool {
    guard let first = try? storage.read(file), let second = try? storage.read(second(of: file)) else { return false }
    return first == second
  }

  private static func opened<Content>(
    _ bytes: [UInt8], _ open: ([UInt8]) throws(FormatFault) -> Content
  ) throws(Fault) -> Content {
    do { return try open(bytes) } catch { throw .content(error) }
  }

  private static func mayBeReplaced(_ fault: Fault, trustsVersion: Bool) -> Bool {
    switch fault {
    case .missing, .content(.damaged): true
    case .content(.newer): !trustsVersion
    // An unsafe file is refused, not skipped.
    case .unreadable(let error): [.io, .noPermission].contains(error.code)
    }
  }

  /// Returns the fault of the file if neither copy can be used.
  private static func common(_ first: Fault, _ second: Fault) -> Fault {
    switch (first, second) {
    case (.missing, _): second
    case (.content(.newer), .content(.damaged)): second
    default: first
    }
  }

  /// Makes both copies of `file` identical to `good`. A damaged copy is set aside; an intact copy
  /// that differs is replaced.
  ///
  /// - Returns: The copies that were missing, damaged or different.
  static func restore(
    _ file: String, from good: [UInt8], in storage: any VaultStorage,
    _ open: ([UInt8]) throws(FormatFault) -> Void
  ) -> [RestoredCopy] {
    copies(of: file).compactMap { copy in
      guard let (reason, isDamaged) = fault(of: copy, good, in: storage, open) else { return nil }
      do {
        if isDamaged { _ = try storage.setAside(copy) }
        try storage.restore(good, to: copy)
        return RestoredCopy(file: copy, reason: reason, failure: nil)
      } catch {
        return RestoredCopy(file: copy, reason: reason, failure: "\(error)")
      }
    }
  }

  /// Returns what is wrong with a copy and whether the copy is damaged; nil if it equals `good`.
  private static func fault(
    of copy: String, _ good: [UInt8], in storage: any VaultStorage, _ open: ([UInt8]) throws(FormatFault) -> Void
  ) -> (reason: String, isDamaged: Bool)? {
    do {
      let bytes = try bytes(of: copy, in: storage)
      if bytes == good { return nil }
      try opened(bytes, open)
      return ("it differed from the other copy", false)
    } catch {
      switch error {
      case .missing: return ("it was missing", false)
      case .unreadable(let error): return ("it could not be read: \(error)", true)
      case .content(.damaged(let reason)): return (reason, true)
      case .content(.newer(let version)): return ("it has the unknown format version \(version)", true)
      }
    }
  }
}

/// A copy of a file that was missing, damaged or different, and was restored from the other copy.
public struct RestoredCopy: Sendable, Equatable {
  /// The name of the copy: a file in the vault's directory, or the key file.
  public let file: String
  /// A description of what was wrong with the copy.
  public let reason: String
  /// Why the copy could not be restored; nil if it was.
  public let failure: String?

  public init(file: String, reason: String, failure: String?) {
    (self.file, self.reason, self.failure) = (file, reason, failure)
  }
}

/// The two copies of a `DoubledFile`, durable under temporary names.
struct StagedPair {
  let first: StagedFile
  let second: StagedFile
  private let folder: CheckedDirectory

  /// Writes both files before syncing either, so that one journal commit can cover both.
  init(_ bytes: UnsafeRawBufferPointer, in folder: CheckedDirectory, prefix: String) throws(VaultError) {
    self.folder = folder
    first = try StagedFile(writing: bytes, in: folder, prefix: prefix)
    do {
      second = try StagedFile(writing: bytes, in: folder, prefix: prefix)
    } catch {
      first.abandon()
      throw error
    }
    do {
      try first.finish()
    } catch {
      second.abandon()
      throw error
    }
    do {
      try second.finish()
    } catch {
      first.discard()
      throw error
    }
  }

  /// Renames the staged files to `target` and its second copy. An error before the first rename
  /// leaves everything unchanged. After a later error `target` is the new file; after a power
  /// failure it is the old or the new one.
  func replace(_ target: String) throws(VaultError) {
    do {
      try first.rename(to: target)
    } catch {
      second.discard()
      throw error
    }
    try replaceSecond(of: target)
    try folder.sync()
  }

  /// Renames the second staged file to the second copy of `target`. If the rename fails, the second
  /// copy is removed.
  func replaceSecond(of target: String) throws(VaultError) {
    let name = DoubledFile.second(of: target)
    do {
      try second.rename(to: name)
    } catch {
      try FileCalls.unlink(name, in: folder.descriptor, path: folder.path(of: name))
    }
  }

  /// Removes the staged files. If removal fails, the next sweep removes them.
  func discard() {
    first.discard()
    second.discard()
  }
}
