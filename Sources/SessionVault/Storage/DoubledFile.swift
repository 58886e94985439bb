import Glibc

/// A file of which two copies exist, `X` and `X.2`, byte for byte the same (VA-9): one of them may be lost. The header, every record
/// and the agent's own key file are kept like this.
///
/// - Writing (`StagedPair`): both are staged and durable before the first one is renamed, then the second. A second copy that
///   cannot be replaced is removed: it may be absent, never out of date.
/// - Reading: the first copy counts if it is whole, whatever the second one says. The second copy counts only where the first one is
///   missing, unreadable or damaged.
/// - Removing: the second copy first, so that what is left after a crash is the file or nothing.
package enum DoubledFile {
  private static let suffix = ".2"

  /// The second copy of `file`.
  static func second(of file: String) -> String { file + suffix }

  /// The file that `copy` is a copy of.
  static func name(of copy: String) -> String { isSecond(copy) ? String(copy.dropLast(suffix.count)) : copy }

  static func isSecond(_ copy: String) -> Bool { copy.hasSuffix(suffix) }

  /// Both copies, the first one first.
  package static func copies(of file: String) -> [String] { [file, second(of: file)] }

  /// Why a copy does not count.
  enum Fault: Error {
    case missing
    /// The storage did not give the bytes.
    case unreadable(VaultError)
    case content(FormatFault)
  }

  /// What was read.
  struct Reading<Content: Sendable>: Sendable {
    var content: Content
    let bytes: [UInt8]
    /// Whether the first copy did not count.
    let isFromSecond: Bool
  }

  /// Reads a file of `storage`. `open` says what the bytes hold, or that they are damaged.
  ///
  /// - Parameters:
  ///   - hasSecond: false where a second copy, if there is one, may be out of date (vaults before header 3).
  ///   - trustsVersion: whether `open` knows a newer version for certain, since a check sum covers it. Otherwise both copies
  ///     have to say so.
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

  /// The bytes of one copy.
  static func bytes(of copy: String, in storage: any VaultStorage) throws(Fault) -> [UInt8] {
    do {
      return try storage.read(copy)
    } catch {
      switch error.code {
      case .notFound: throw .missing
      case .tooLarge: throw .content(.damaged("it is larger than any file of a vault"))
      default: throw .unreadable(error)
      }
    }
  }

  /// Whether both copies are there and the same.
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
    // What is unsafe is refused, not passed over (VA-6).
    case .unreadable(let error): [.io, .noPermission].contains(error.code)
    }
  }

  /// The fault of the file where neither copy counts.
  private static func common(_ first: Fault, _ second: Fault) -> Fault {
    switch (first, second) {
    case (.missing, _): second
    case (.content(.newer), .content(.damaged)): second
    default: first
    }
  }

  /// Makes the copies of `file` the same again, from `good`. What is damaged is set aside; what is whole and differs is replaced.
  ///
  /// - Returns: the copies that were not as they should be.
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

  /// What is wrong with a copy, and whether it is damaged; nil if nothing is.
  private static func fault(
    of copy: String, _ good: [UInt8], in storage: any VaultStorage, _ open: ([UInt8]) throws(FormatFault) -> Void
  ) -> (reason: String, isDamaged: Bool)? {
    do {
      let bytes = try bytes(of: copy, in: storage)
      if bytes == good { return nil }
      try opened(bytes, open)
      return ("it was not the same as the other copy", false)
    } catch {
      switch error {
      case .missing: return ("it was missing", false)
      case .unreadable(let error): return ("it could not be read: \(error)", true)
      case .content(.damaged(let reason)): return (reason, true)
      case .content(.newer(let version)): return ("it claimed to have format \(version)", true)
      }
    }
  }
}

/// A copy of a file that was missing, damaged or not the same as the other copy, and was made again from that one.
public struct RestoredCopy: Sendable, Equatable {
  /// The copy's name: that of a file in the vault's folder, or of the key file.
  public let file: String
  /// What was wrong with it, in words.
  public let reason: String
  /// Why it could not be made again; nil if it was.
  public let failure: String?

  public init(file: String, reason: String, failure: String?) {
    (self.file, self.reason, self.failure) = (file, reason, failure)
  }
}

/// The two copies of a `DoubledFile`, durable under names of their own.
struct StagedPair {
  let first: StagedFile
  let second: StagedFile
  private let folder: CheckedFolder

  /// Writes both, then makes both durable: a journal takes them together.
  init(_ bytes: UnsafeRawBufferPointer, in folder: CheckedFolder, prefix: String) throws(VaultError) {
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

  /// They become `target` and its second copy. On an error before the first renaming nothing has changed; on a later one
  /// `target` is the new file, and after a power cut the old or the new one.
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

  /// The second staged file becomes the second copy of `target`; if that fails, there is no second copy.
  func replaceSecond(of target: String) throws(VaultError) {
    let name = DoubledFile.second(of: target)
    do {
      try second.rename(to: name)
    } catch {
      try FileCalls.unlink(name, in: folder.descriptor, path: folder.path(of: name))
    }
  }

  /// Removes what was staged; a failure leaves it for the next sweep.
  func discard() {
    first.discard()
    second.discard()
  }
}
