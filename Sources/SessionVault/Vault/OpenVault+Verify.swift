/// What is wrong with a file, without touching it.
extension OpenVault {
  func finding(for file: String) throws(VaultError) -> FileFinding? {
    let state: FileFinding.State
    let name = headerFile.hasSecondCopies ? DoubledFile.name(of: file) : file
    if name == VaultFormat.headerFile {
      state = headerState(file)
    } else if VaultFormat.isRecord(name) {
      guard let found = try recordState(file) else { return nil }
      state = found
    } else {
      state = VaultFormat.isSetAside(file) ? .setAside : .foreign
    }
    return FileFinding(file: file, state: state)
  }

  /// Records that are known and whose file is gone.
  func missing(among files: [String]) -> [FileFinding] {
    let present = Set(files)
    return
      (entries.filter { $0.value.durable > 0 }
      .map { $0.value.isResealed ? $0.key : $0.value.oldFile ?? $0.key } + [VaultFormat.headerFile])
      .flatMap { headerFile.hasSecondCopies ? DoubledFile.copies(of: $0) : [$0] }
      .filter { !present.contains($0) }.sorted()
      .map { FileFinding(file: $0, state: .missing) }
  }

  private func headerState(_ copy: String) -> FileFinding.State {
    do {
      let bytes = try DoubledFile.bytes(of: copy, in: storage)
      if headerFile.expected.contains(bytes) { return .ok }
      _ = try SealedHeader(bytes)
      return .damaged("another copy of it was put in its place")
    } catch {
      switch error {
      case let fault as FormatFault:
        if case .damaged(let words) = fault { return .damaged(words) }
        return .damaged("another copy of it was put in its place")
      case DoubledFile.Fault.content(.damaged(let words)): return .damaged(words)
      case DoubledFile.Fault.unreadable(let error): return .unreadable(error.description)
      default: return .missing
      }
    }
  }

  /// nil if the file has gone since it was listed.
  private func recordState(_ file: String) throws(VaultError) -> FileFinding.State? {
    let bytes: [UInt8]
    do {
      bytes = try storage.read(file)
    } catch {
      switch error.code {
      case .notFound: return nil
      case .tooLarge: return .damaged("it is larger than any record")
      default: return .unreadable(error.description)
      }
    }
    do {
      let name = DoubledFile.name(of: file)
      var found = try openEither(bytes, name)
      Sodium.wipe(&found.record.content)
      return isOurs(found, name) ? .ok : .damaged("another copy of it was put in its place")
    } catch {
      switch error {
      case .newer(let version): return .newer(version)
      case .damaged(let words): return .damaged(words)
      }
    }
  }

  func isOurs(_ found: Found, _ file: String) -> Bool {
    if unread.contains(file) { return true }
    guard let entry = entries[sealer.file(for: found.record.name)] else { return false }
    if found.isOld, entry.oldFile != file { return false }
    // Of a record that was resealed, the old file is a leftover.
    return found.isOld && entry.isResealed || (entry.durable...entry.tried).contains(found.record.generation)
  }
}
