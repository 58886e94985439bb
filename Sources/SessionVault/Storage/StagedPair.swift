import Glibc

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
