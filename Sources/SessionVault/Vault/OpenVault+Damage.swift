/// What cannot be used: noted, kept, and never in the way of the others.
extension OpenVault {
  /// Opens the bytes of a place, or notes what is wrong with them and sets the file aside.
  mutating func open(_ bytes: [UInt8], at place: Place) throws(VaultError) -> Record {
    do {
      return try place.sealer.open(bytes, from: place.file)
    } catch {
      throw try note(error, place.file)
    }
  }

  /// What is wrong with a file: a newer format is left alone, everything else set aside.
  mutating func note(_ fault: FormatFault, _ file: String) throws(VaultError) -> VaultError {
    switch fault {
    case .damaged(let reason): return try setAside(file, reason)
    case .newer(let version):
      newer.insert(file)
      let reason = "it has format \(version), newer than this program; it was left untouched"
      report(DamagedRecord(file: file, reason: reason, setAsideAs: nil))
      return tooNew(file)
    }
  }

  mutating func requireKnown(_ record: Record, at place: Place) throws(VaultError) {
    let file = sealer.file(for: record.name)
    guard !unread.contains(place.file) else {
      unread.remove(place.file)
      let isOld = place.file != file
      entries[file] = Entry(
        name: record.name, durable: record.generation, tried: record.generation,
        oldFile: isOld ? place.file : nil, isResealed: !isOld)
      return
    }
    guard let entry = entries[file], (entry.durable...entry.tried).contains(record.generation) else {
      throw try setAside(place.file, "another copy of it was put in its place while the vault was open")
    }
  }

  @discardableResult
  mutating func setAside(_ file: String, _ reason: String) throws(VaultError) -> VaultError {
    let name = try storage.setAside(file)
    report(DamagedRecord(file: file, reason: reason, setAsideAs: name))
    forget(file)
    return VaultError(.damaged, "\(storage.place)/\(file) is damaged (\(reason)); it was kept as \(name)")
  }

  mutating func report(_ record: DamagedRecord) {
    // What was found before the vault was locked is found again.
    if !damaged.contains(record) { damaged.append(record) }
  }

  /// The record of a file that is no longer there.
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
      return VaultError(.notFound, "there is no such record")
    }
    return VaultError(
      .damaged, "\(storage.place)/\(report.file) was damaged (\(report.reason)); it was kept as \(aside)")
  }

  func tooNew(_ file: String) -> VaultError {
    VaultError(.formatTooNew, "\(storage.place)/\(file) was written by a newer ritual-agent: update this one")
  }
}
