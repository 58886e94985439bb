import FoundationEssentials

/// Whether this process runs in a user namespace of its own, as `PrivateUsers=yes` makes one (user_namespaces(7)): then
/// the programs of the user's other processes cannot be read.
package enum UserNamespace {
  package static let isOwn = isOwn(map: try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8))

  /// The first namespace has one line, which maps every uid to itself. Without /proc no program can be read either.
  package static func isOwn(map: String?) -> Bool {
    guard let map else { return true }
    let lines = map.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
    return lines != [["0", "0", "4294967295"]]
  }
}
