/// Files that cannot be used are noted and kept, and never affect the other files.
extension OpenVault {
  /// Records the fault of a file and returns the error to throw. A file of a newer format is left
  /// alone; any other file is set aside.
  mutating func handleFault(_ fault: FormatFault, _ file: String) throws(VaultError) -> VaultError {
    switch fault {
    case .damaged(let reason): return try setAside(file, reason)
    case .newer(let version):
      newer[file] = version
      forget(file)
      let reason = "it has format \(version), which is newer than this program supports; it was not changed"
      report(DamagedRecord(file: file, reason: reason, setAsideAs: nil))
      return tooNew(file)
    }
  }

  mutating func addRecord(_ found: OpenedRecord, _ place: String) {
    let (record, file) = (found.record, sealer.file(for: found.record.name))
    entries[file] = Entry(
      name: record.name, durable: record.generation, tried: record.generation,
      oldFile: found.isOld ? place : nil, isResealed: !found.isOld)
  }

  /// Renames the existing copies of a file and returns the error to throw.
  @discardableResult
  mutating func setAside(_ file: String, _ reason: String) throws(VaultError) -> VaultError {
    var aside: String?
    for copy in DoubledFile.copies(of: file) {
      do {
        let name = try storage.setAside(copy)
        aside = aside ?? name
      } catch {
        guard error.code == .notFound else { throw error }
      }
    }
    report(DamagedRecord(file: file, reason: reason, setAsideAs: aside))
    forget(file)
    uncompared.remove(file)
    let kept = aside.map { "; it was saved as \($0)" } ?? ""
    return VaultError(.damaged, "\(storage.place)/\(file) is damaged (\(reason))\(kept)")
  }

  mutating func report(_ record: DamagedRecord) {
    // After an unlock the same damage is found again.
    if !damaged.contains(record) { damaged.append(record) }
  }

  /// Forgets the record of a file that no longer exists or must not be changed.
  private mutating func forget(_ file: String) {
    unread.remove(file)
    let holder = entries.first { $0.key == file || ($0.value.oldFile == file && !$0.value.isResealed) }
    if let holder { entries[holder.key] = nil }
  }

  func absent(_ name: String) -> VaultError {
    let file = sealer.file(for: name)
    let files = [file, previous?.file(for: name)]
    guard let report = damaged.last(where: { files.contains($0.file) }), let aside = report.setAsideAs,
      entries[file] == nil
    else {
      return VaultError(.notFound, "no such record")
    }
    return VaultError(
      .damaged, "\(storage.place)/\(report.file) was damaged (\(report.reason)); it was saved as \(aside)")
  }

  func tooNew(_ file: String) -> VaultError {
    VaultError(.formatTooNew, "\(storage.place)/\(file) was written by a newer ritual-agent: update ritual-agent")
  }
}

/// Checks of single files, without changes.
extension OpenVault {
  mutating func finding(for file: String) throws(VaultError) -> FileFinding? {
    _ = try? index(DoubledFile.name(of: file))
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

  /// Returns the known records, and the header, whose files are missing.
  mutating func missing(among files: [String]) -> [FileFinding] {
    try? index()
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
      return .damaged("it was replaced by another copy")
    } catch {
      switch error {
      case let fault as FormatFault:
        if case .damaged(let words) = fault { return .damaged(words) }
        return .damaged("it was replaced by another copy")
      case DoubledFile.Fault.content(.damaged(let words)): return .damaged(words)
      case DoubledFile.Fault.unreadable(let error): return .unreadable(error.description)
      default: return .missing
      }
    }
  }

  /// Returns nil if the file was removed since it was listed.
  private func recordState(_ file: String) throws(VaultError) -> FileFinding.State? {
    let bytes: [UInt8]
    do {
      bytes = try storage.read(file)
    } catch {
      switch error.code {
      case .notFound: return nil
      case .tooLarge: return .damaged("it is too large for a record")
      default: return .unreadable(error.description)
      }
    }
    do {
      let name = DoubledFile.name(of: file)
      var found = try openEither(bytes, name)
      Sodium.wipe(&found.record.content)
      if let version = newer[name] { return .newer(version) }
      return isOurs(found, name) ? .ok : .damaged("it was replaced by another copy")
    } catch {
      switch error {
      case .newer(let version): return .newer(version)
      case .damaged(let words): return .damaged(words)
      }
    }
  }

  func isOurs(_ found: OpenedRecord, _ file: String) -> Bool {
    if unread.contains(file) { return true }
    guard let entry = entries[sealer.file(for: found.record.name)] else { return false }
    if found.isOld, entry.oldFile != file { return false }
    // The old file of a resealed record is a leftover.
    return found.isOld && entry.isResealed || (entry.durable...entry.tried).contains(found.record.generation)
  }
}

/// The second copies: compared and restored in the background, and created by a migration.
extension OpenVault {
  /// Compares the copies of one file. Returns false if none is left.
  mutating func compareNext() -> Bool {
    guard let file = uncompared.first else { return false }
    compare(file)
    return true
  }

  /// Compares the copies of a file, and restores a missing, damaged or different copy from the copy
  /// in use.
  mutating func compare(_ file: String) {
    uncompared.remove(file)
    if file == VaultFormat.headerFile {
      restored += VaultHeaderFile.restore(headerFile.expected, in: storage)
      return
    }
    // A file that is refused is compared after the next unlock.
    do { try index(file) } catch { return }
    guard newer[file] == nil, !DoubledFile.isWhole(file, in: storage), var reading = try? read(file) else { return }
    Sodium.wipe(&reading.content.record.content)
    restored += DoubledFile.restore(file, from: reading.bytes, in: storage) { [self] (bytes) throws(FormatFault) in
      var found = try openEither(bytes, file)
      Sodium.wipe(&found.record.content)
    }
  }

  /// Creates second copies of all records, then writes a header of the current version, which
  /// declares them. From then on an older program refuses the vault, and so cannot make the second
  /// copies stale.
  mutating func migrate() throws(VaultError) {
    let names = try storage.list()
    let records = names.filter(VaultFormat.isRecord)
    for copy in names where DoubledFile.isSecond(copy) && VaultFormat.isRecord(DoubledFile.name(of: copy)) {
      if !records.contains(DoubledFile.name(of: copy)) { try storage.remove(copy) }
    }
    for file in records { try makeSecond(of: file) }
    try headerFile.commit(to: storage) { _ in }
    wasMigrated = true
  }

  /// Creates the second copy of a record. For a record that cannot be read, an existing second copy
  /// is removed, because it could be stale.
  private func makeSecond(of file: String) throws(VaultError) {
    let second = DoubledFile.second(of: file)
    guard let bytes = try? storage.read(file) else { return try storage.remove(second) }
    if (try? storage.read(second)) != bytes { try storage.restore(bytes, to: second) }
  }
}
