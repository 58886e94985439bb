import FoundationEssentials

/// The systemd unit of a process, out of its cgroup (cgroups(7)), counted as `sd_pid_get_user_unit(3)` counts: the slices and
/// the user's manager are skipped, and the first unit below them is the result. Cgroups further down do not count: a process
/// can create them, because systemd delegates a unit's subtree.
package enum CallerUnit {
  /// Units that have a cgroup, slices aside.
  private static let kinds = [".service", ".scope", ".socket", ".mount", ".swap"]

  /// The unit that `/proc/PID/cgroup` names; nil where there is none.
  ///
  /// - Parameter root: the cgroup of the service manager: a prefix that a container sees, and that is none of its units.
  package static func name(in cgroups: String, root: String = ownRoot) -> String? {
    guard let path = unified(cgroups) else { return nil }
    var parts = Array(path.utf8.dropFirst(path.utf8.starts(with: (root + "/").utf8) ? root.utf8.count : 0))
      .split(separator: UInt8(ascii: "/")).compactMap(unit)[...]
    if let first = parts.first, isManager(first) { parts.removeFirst() }
    return parts.first
  }

  /// A part of the path as a unit's name; nil for slices and what is none. A leading underscore is systemd's escape.
  private static func unit(_ part: ArraySlice<UInt8>) -> String? {
    let name = part.first == UInt8(ascii: "_") ? part.dropFirst() : part
    guard kinds.contains(where: { name.count > $0.utf8.count && name.suffix($0.utf8.count).elementsEqual($0.utf8) })
    else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// `user@UID.service`.
  private static func isManager(_ unit: String) -> Bool {
    let digits = unit.utf8.dropFirst("user@".utf8.count).dropLast(".service".utf8.count)
    return unit.utf8.starts(with: "user@".utf8) && !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
      && unit.utf8.elementsEqual("user@\(String(decoding: digits, as: UTF8.self)).service".utf8)
  }

  /// The path in the unified hierarchy: the line `0::PATH`.
  private static func unified(_ cgroups: String) -> String? { path(in: cgroups, of: "") }

  /// Lines are `NUMBER:CONTROLLERS:PATH`.
  private static func path(in cgroups: String, of controllers: String) -> String? {
    for line in cgroups.utf8.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
      if fields.count == 3, fields[1].elementsEqual(controllers.utf8) { return String(Substring(fields[2])) }
    }
    return nil
  }

  /// Where the service manager's own tree begins.
  package static let ownRoot =
    (try? String(contentsOfFile: "/proc/1/cgroup", encoding: .utf8)).map { root(of: $0) } ?? ""

  /// The manager runs in `init.scope` of its tree.
  package static func root(of manager: String) -> String {
    let path = Array((unified(manager) ?? "").utf8)
    let leaf = Array("/init.scope".utf8)
    let tree = path.suffix(leaf.count).elementsEqual(leaf) ? path.dropLast(leaf.count) : path[...]
    return tree.elementsEqual("/".utf8) ? "" : String(decoding: tree, as: UTF8.self)
  }

  /// Whether units can be read here at all.
  package static let isReadable =
    (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)).map { isReadable(in: $0) } ?? true

  /// Not with cgroup v1 alone, where systemd keeps its tree in `name=systemd`, and `0::` is missing or empty.
  package static func isReadable(in cgroups: String) -> Bool {
    guard let path = unified(cgroups) else { return false }
    guard let old = Self.path(in: cgroups, of: "name=systemd") else { return true }
    return path != "/" || old == "/"
  }
}
