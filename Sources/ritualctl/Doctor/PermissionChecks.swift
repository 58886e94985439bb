import AgentProtocol
import Glibc
import SystemSupport

/// Whether what is the user's alone is so (PR-2, VA-6). What is not there yet is no fault.
struct PermissionChecks {
  private struct Place {
    let path: String
    let kind: UInt32
    /// The bits of the mode that others may not have, and how they are taken away.
    var refused: UInt32 = 0o077
    var remedy = "go-rwx"
    /// The agent takes a link to it, and root's.
    var mayBeElsewhere = false
  }

  private let places: [Place]

  init(_ places: Places, socket: String) throws {
    let (configuration, state, keyFile) = (try places.configuration, try places.state, try places.keyFile)
    func folder(_ path: String) -> Place { Place(path: path, kind: S_IFDIR) }
    func readable(_ path: String, _ kind: UInt32) -> Place {
      // It holds nothing that others may not read; what they may not is write it.
      Place(path: path, kind: kind, refused: 0o022, remedy: "go-w", mayBeElsewhere: true)
    }
    self.places = [
      folder(Self.folder(of: socket)), Place(path: socket, kind: S_IFSOCK),
      readable(Self.folder(of: configuration), S_IFDIR), readable(configuration, S_IFREG),
      folder(state), folder(state + "/vault"), folder(state + "/audit"),
      folder(Self.folder(of: keyFile)), Place(path: keyFile, kind: S_IFREG),
      Place(path: keyFile + ".2", kind: S_IFREG),
    ]
  }

  /// One that is ok, or one for each fault.
  func checks() -> [DiagnosticCheck] {
    let faults = places.compactMap(Self.fault)
    return faults.isEmpty
      ? [
        DiagnosticCheck(
          "permissions", .ok,
          "socket, vault and key are open to you alone; the configuration can be written by you alone")
      ] : faults
  }

  private static func fault(_ place: Place) -> DiagnosticCheck? {
    var status = stat()
    guard (place.mayBeElsewhere ? stat(place.path, &status) : lstat(place.path, &status)) == 0 else {
      return errno == ENOENT || errno == ENOTDIR
        ? nil : failed("\(place.path) cannot be looked at: \(words(of: errno))", next: nil)
    }
    guard status.st_mode & S_IFMT == place.kind else {
      let link = place.mayBeElsewhere ? "" : " (a link is not followed)"
      return failed("\(place.path) is not what belongs there\(link)", next: "move it away")
    }
    guard status.st_uid == geteuid() || place.mayBeElsewhere && status.st_uid == 0 else {
      return failed("\(place.path) belongs to uid \(status.st_uid)", next: "move it away, or: chown \(geteuid()) PATH")
    }
    guard status.st_mode & place.refused != 0 else { return nil }
    let mode = String(status.st_mode & 0o7777, radix: 8)
    return failed(
      "\(place.path) is open to others (mode \(mode))",
      next: "chmod \(place.remedy) \(quoted(place.path))")
  }

  private static func failed(_ words: String, next: String?) -> DiagnosticCheck {
    DiagnosticCheck("permissions", .fail, words, next: next)
  }

  /// Only where it has to be: a tilde in quotes is none.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || "/._-".utf8.contains($0)
    }
    return isPlain ? path : Quoted.shell(path)
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
