import AgentProtocol
import SessionVault
import SystemSupport

/// The last entries out of the files, newest last. A line that cannot be read is left out: the check tells of it.
struct AuditListing {
  /// What is counted now, of hand-outs whose last entry is not written.
  let counted: [AuditFacts]
  let limit: Int

  /// A third under the bound of a line of the protocol, for what JSON adds.
  private static let mostBytes = 8 << 20

  /// One hand-out, also where a chain that was begun anew counts from 1 again.
  private struct HandOut: Hashable {
    let number: UInt64?
    let pid: Int32?
    let account, token, way: String?

    init?(_ facts: AuditFacts) {
      guard facts.event == .handOut else { return nil }
      (number, pid, account) = (facts.handOut, facts.pid, facts.account)
      (token, way) = (facts.token, facts.way)
    }
  }

  func run(_ folder: PrivateFolder) throws -> AuditList.Result {
    let numbers = try folder.names().compactMap(AuditSeal.File.number).sorted(by: >)
    var latest: [HandOut: AuditFacts] = [:]
    for facts in counted { if let handOut = HandOut(facts) { latest[handOut] = facts } }
    var (found, bytes, more): ([AuditEntry], Int, Bool) = ([], 0, false)
    var seen: Set<HandOut> = []
    reading: for number in numbers {
      for line in try lines(of: number, folder).reversed() {
        guard let line = AuditLine(line), var entry = line.entry else { continue }
        if let handOut = HandOut(entry.facts) {
          if let facts = latest[handOut] { entry.facts = facts } else { latest[handOut] = entry.facts }
          // Shown once, where it was last written.
          guard seen.insert(handOut).inserted else { continue }
        }
        guard found.count < limit, bytes < Self.mostBytes else {
          more = true
          break reading
        }
        found.append(entry)
        bytes += line.body.count + 2 * AuditLine.longest / 100
      }
    }
    return AuditList.Result(entries: found.reversed(), more: more)
  }

  private func lines(of number: Int, _ folder: PrivateFolder) throws -> [ArraySlice<UInt8>] {
    do {
      return AuditLine.split(try folder.read(AuditSeal.File.name(number), upTo: AuditFileCheck.readLimit)).lines
    } catch let error where [.notFound, .unsafe, .tooLarge].contains(error.code) {
      return []
    }
  }
}
