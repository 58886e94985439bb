import Foundation
import Glibc
import TestKit

/// The complete memory of a process, as gcore(1) writes it, including memory that is marked not to
/// be dumped and memory that an undumpable process hides from its own user. Requires root.
final class CoreImage {
  /// A range of memory in the file.
  private struct Segment {
    let address: UInt64
    let offset: Int
    let count: Int
  }

  private static let page = 4096
  private let map: MemoryMap
  private let file: UnsafeRawBufferPointer
  private let segments: [Segment]

  /// The reason why no core can be taken; nil if one can.
  static let obstacle: String? =
    geteuid() != 0
    ? "only root may read the memory of an undumpable process"
    : access("/usr/bin/gdb", X_OK) != 0 ? "there is no /usr/bin/gdb: script/bootstrap installs it" : nil

  /// Writes a core as gcore(1) does, but reads no symbols while the program is stopped, because its
  /// clients have timeouts. The file, which can have hundreds of megabytes, is removed at once.
  static func take(of pid: Int32, in folder: URL) async throws -> CoreImage {
    let map = try MemoryMap(ofProcess: pid)
    let path = folder.path + "/core-\(UUID().uuidString)"
    defer { unlink(path) }
    let output = try await RunningProgram(
      "/usr/bin/gdb",
      [
        "--readnever", "-nx", "-batch", "-iex", "set auto-solib-add off", "-p", "\(pid)", "-ex",
        "set use-coredump-filter off", "-ex", "set dump-excluded-mappings on", "-ex", "gcore \(path)",
      ], environment: ["PATH": "/usr/bin:/bin"], folder: folder
    ).end(within: .seconds(300))
    guard access(path, R_OK) == 0 else { throw ConditionTimeout(what: "a core of pid \(pid): \(output.stderr)") }
    return try CoreImage(path, map)
  }

  private init(_ path: String, _ map: MemoryMap) throws {
    self.map = map
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let count = descriptor < 0 ? 0 : Int(lseek(descriptor, 0, SEEK_END))
    guard count > 0, let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
      throw ConditionTimeout(what: "a mapping of \(path)")
    }
    file = UnsafeRawBufferPointer(start: start, count: count)
    segments = Self.segments(file)
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: file.baseAddress), file.count) }

  /// The loaded segments: elf(5), 64 bits, native byte order.
  private static func segments(_ file: UnsafeRawBufferPointer) -> [Segment] {
    let loaded: UInt32 = 1  // PT_LOAD
    let table = Int(file.loadUnaligned(fromByteOffset: 32, as: UInt64.self))  // e_phoff
    let size = Int(file.loadUnaligned(fromByteOffset: 54, as: UInt16.self))  // e_phentsize
    let count = Int(file.loadUnaligned(fromByteOffset: 56, as: UInt16.self))  // e_phnum
    return (0..<count).map { table + $0 * size }
      .filter { file.loadUnaligned(fromByteOffset: $0, as: UInt32.self) == loaded }
      .map { header in
        Segment(
          address: file.loadUnaligned(fromByteOffset: header + 16, as: UInt64.self),
          offset: Int(file.loadUnaligned(fromByteOffset: header + 8, as: UInt64.self)),
          count: Int(file.loadUnaligned(fromByteOffset: header + 32, as: UInt64.self)))
      }
  }

  /// Number of searched bytes, to check that there was something to search.
  private(set) var searched = 0

  /// All findings of `search` in memory that the process could have written.
  func findings(_ search: SecretSearch) -> [SecretFinding] {
    segments.filter { map.area(at: $0.address)?.isUnchangedFile != true }.flatMap { segment in
      runs(of: segment).flatMap { run in
        let memory = UnsafeRawBufferPointer(rebasing: file[run])
        searched += memory.count
        return search.findings(in: memory) { offset in
          map.words(for: segment.address + UInt64(run.lowerBound - segment.offset + offset))
        }
      }
    }
  }

  /// The ranges of a segment that are not zero. Most memory is zero: stacks and arenas that were
  /// never touched.
  private func runs(of segment: Segment) -> [Range<Int>] {
    let zeros = [UInt8](repeating: 0, count: Self.page)
    let end = min(segment.offset + segment.count, file.count)
    var runs: [Range<Int>] = []
    for start in stride(from: segment.offset, to: end, by: Self.page) {
      let stop = min(start + Self.page, end)
      if memcmp(file.baseAddress! + start, zeros, stop - start) == 0 { continue }
      if let last = runs.last, last.upperBound == start {
        runs[runs.count - 1] = last.lowerBound..<stop
      } else {
        runs.append(start..<stop)
      }
    }
    return runs
  }
}

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
