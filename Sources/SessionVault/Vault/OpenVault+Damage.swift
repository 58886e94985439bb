/// What cannot be used: noted, kept, and never in the way of the others.
extension OpenVault {
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

  /// A record that could not be read when the vault was opened.
  mutating func know(_ found: Found, _ place: String) {
    let (record, file) = (found.record, sealer.file(for: found.record.name))
    entries[file] = Entry(
      name: record.name, durable: record.generation, tried: record.generation,
      oldFile: found.isOld ? place : nil, isResealed: !found.isOld)
  }

  /// Renames what there is of both copies.
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
    let kept = aside.map { "; it was kept as \($0)" } ?? ""
    return VaultError(.damaged, "\(storage.place)/\(file) is damaged (\(reason))\(kept)")
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
