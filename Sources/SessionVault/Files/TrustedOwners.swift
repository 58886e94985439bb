import FoundationEssentials
import Glibc

/// Who may own the folders above ours: root, the user, and within a user namespace the uid that it shows for everybody else
/// (user_namespaces(7)): there root's folders look like that. Outside of one that uid is `nobody`, a user like any other.
struct TrustedOwners: Sendable {
  let user: uid_t
  let overflow: uid_t?

  /// Those of this process.
  static var current: TrustedOwners {
    TrustedOwners(user: geteuid(), overflow: overflowOfThisNamespace)
  }

  private static let overflowOfThisNamespace = overflow(
    uidMap: contents("/proc/self/uid_map"), overflowUID: contents("/proc/sys/kernel/overflowuid"))

  func contains(_ owner: uid_t) -> Bool { owner == 0 || owner == user || owner == overflow }

  /// The overflow uid, or nil where `uidMap` maps every uid to itself, as outside of any user namespace.
  static func overflow(uidMap: String, overflowUID: String) -> uid_t? {
    let fields = uidMap.split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) }
    if fields.isEmpty || fields == [0, 0, UInt32.max] { return nil }
    // 65534 is the kernel's default where /proc/sys cannot be read.
    return overflowUID.split(whereSeparator: \.isWhitespace).first.flatMap { uid_t($0) } ?? 65534
  }

  private static func contents(_ path: String) -> String {
    // Not readable means that there is no /proc here: then nothing but root and the user is trusted.
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
