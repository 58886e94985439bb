/// What is wrong with a file, without touching it.
extension OpenVault {
  func finding(for file: String) throws(VaultError) -> FileFinding? {
    let state: FileFinding.State
    if file == VaultFormat.headerFile {
      state = headerState()
    } else if VaultFormat.isRecord(file) {
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
    return entries.filter { $0.value.durable > 0 }
      .map { $0.value.isResealed ? $0.key : $0.value.oldFile ?? $0.key }
      .filter { !present.contains($0) }.sorted()
      .map { FileFinding(file: $0, state: .missing) }
  }

  private func headerState() -> FileFinding.State {
    do {
      try headerFile.requireOurs(in: storage)
      return .ok
    } catch {
      return error.code == .damaged ? .damaged(error.message) : .unreadable(error.description)
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
      var found = try openEither(bytes, file)
      Sodium.wipe(&found.record.content)
      return isOurs(found.record, file, isOld: found.isOld) ? .ok : .damaged("another copy of it was put in its place")
    } catch {
      switch error {
      case .newer(let version): return .newer(version)
      case .damaged(let words): return .damaged(words)
      }
    }
  }

  private func isOurs(_ record: Record, _ file: String, isOld: Bool) -> Bool {
    if unread.contains(file) { return true }
    guard let entry = entries[sealer.file(for: record.name)] else { return false }
    return isOld ? entry.oldFile == file : (entry.durable...entry.tried).contains(record.generation)
  }
}
