import Foundation

/// The memory map of a process: proc_pid_maps(5).
struct MemoryMap: Sendable {
  struct Area: Sendable {
    let addresses: Range<UInt64>
    /// Access mode, such as `rw-p`.
    let mode: String
    /// The file's path, or a name such as `[stack]`; empty for unnamed memory.
    let name: String

    /// True for file pages that cannot be written: they hold the file's content, and no secret.
    var isUnchangedFile: Bool { name.hasPrefix("/") && !mode.contains("w") }
  }

  let areas: [Area]

  init(ofProcess pid: Int32) throws {
    areas = try String(contentsOfFile: "/proc/\(pid)/maps", encoding: .utf8).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard ends.count == 2, ends[0] < ends[1] else { return nil }
      let name = fields.count > 5 ? fields[5].trimmingCharacters(in: .whitespaces) : ""
      return Area(addresses: ends[0]..<ends[1], mode: String(fields[1]), name: name)
    }
  }

  /// The area that contains `address`.
  func area(at address: UInt64) -> Area? { areas.first { $0.addresses.contains(address) } }

  /// A description of an address: its value, and the area's mode and name.
  func words(for address: UInt64) -> String {
    let area = area(at: address)
    return "0x\(String(address, radix: 16)) (\(area?.mode ?? "?") \(area?.name ?? ""))"
  }
}
