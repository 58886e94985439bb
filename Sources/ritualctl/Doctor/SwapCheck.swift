import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport

/// Checks whether memory can be written to a disk unencrypted. That includes tokens, which are in
/// ordinary memory while they are issued.
struct SwapCheck {
  func check() -> DiagnosticCheck {
    guard let table = Self.text(of: "/proc/swaps") else {
      return DiagnosticCheck("swap", .warn, "unknown: /proc/swaps cannot be read")
    }
    let areas = table.split(separator: "\n").dropFirst().compactMap { $0.split(whereSeparator: \.isWhitespace).first }
    guard !areas.isEmpty else { return DiagnosticCheck("swap", .ok, "off") }
    let open = areas.map { Self.unescaped(String($0)) }.filter { !Self.isSafe($0) }
    guard let first = open.first else { return DiagnosticCheck("swap", .ok, "encrypted, or in memory (zram)") }
    return DiagnosticCheck(
      "swap", .warn, "\(first) may not be encrypted: memory contents could be read from the disk later",
      next: "encrypt it (crypttab(5), option swap), use zram, or: sudo swapoff -a")
  }

  private static func isSafe(_ area: String) -> Bool {
    var status = stat()
    guard stat(area, &status) == 0 else { return false }
    if status.st_mode & S_IFMT == S_IFBLK {
      return BlockDevice(status.st_rdev).map { $0.isMemory || $0.isEncrypted() } ?? false
    }
    if let device = BlockDevice(status.st_dev) { return device.isEncrypted() }
    return BtrfsVolume(holding: area).map { $0.devices.allSatisfy { $0.isEncrypted() } } ?? false
  }

  /// Decodes the octal escapes of white space and backslash in /proc (proc_pid_mountinfo(5)).
  static func unescaped(_ text: String) -> String {
    text.replacing("\\040", with: " ").replacing("\\011", with: "\t").replacing("\\134", with: "\\")
  }

  static func text(of path: String) -> String? {
    Descriptor.contents(of: path).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// A block device in /sys/dev/block (sysfs(5)).
struct BlockDevice {
  /// The real path of the device's directory, such as /sys/devices/virtual/block/dm-0.
  private let folder: String

  /// The maximum depth of stacked devices (LVM, RAID, dm-crypt), more than any real disk has.
  private static let maxDepth = 8

  /// Returns nil for a device that is not in /sys, such as the number that btrfs reports for its
  /// files.
  init?(_ number: dev_t) {
    // gnu_dev_major(3) and gnu_dev_minor(3), which are macros.
    let major = (number >> 8) & 0xFFF | (number >> 32) & ~0xFFF
    let minor = number & 0xFF | (number >> 12) & ~0xFF
    self.init(folder: "/sys/dev/block/\(major):\(minor)")
  }

  /// Finds the device by its directory or a link to it; nil if there is none.
  init?(folder: String) {
    guard let path = realpath(folder, nil) else { return nil }
    self.folder = String(cString: path)
    free(path)
  }

  /// The kernel's name of the device.
  var name: Substring { folder.split(separator: "/").last ?? "" }

  var isMemory: Bool { name.hasPrefix("zram") }

  /// Whether the device is encrypted by dm-crypt, or all devices below it are.
  func isEncrypted(depth: Int = 0) -> Bool {
    if SwapCheck.text(of: folder + "/dm/uuid")?.hasPrefix("CRYPT-") == true { return true }
    guard depth < Self.maxDepth else { return false }
    let below = slaves
    return !below.isEmpty && below.allSatisfy { $0.isEncrypted(depth: depth + 1) }
  }

  private var slaves: [BlockDevice] { Self.all(in: folder + "/slaves") ?? [] }

  /// The devices linked in a directory. Returns nil if one of them cannot be examined, so that it
  /// counts as unencrypted.
  static func all(in folder: String) -> [BlockDevice]? {
    var found: [BlockDevice] = []
    for name in Self.names(in: folder) {
      guard let device = BlockDevice(folder: folder + "/" + name) else { return nil }
      found.append(device)
    }
    return found
  }

  static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}

/// The devices below a file on btrfs, whose files report a device number that belongs to no device
/// (btrfs(5), "Swapfile support").
struct BtrfsVolume {
  /// All devices of the volume, because the device that holds the file is not documented anywhere.
  let devices: [BlockDevice]

  private static let volumes = "/sys/fs/btrfs"

  /// Returns nil if the file at `path` is not on btrfs, or if its volume cannot be determined.
  init?(holding path: String) {
    var status = stat()
    guard let source = Self.source(of: path), stat(source, &status) == 0, status.st_mode & S_IFMT == S_IFBLK,
      let mounted = BlockDevice(status.st_rdev)
    else { return nil }
    let folders = BlockDevice.names(in: Self.volumes).map { "\(Self.volumes)/\($0)/devices" }
    let named = folders.first { BlockDevice.names(in: $0).contains(String(mounted.name)) }
    guard let named, let devices = BlockDevice.all(in: named) else { return nil }
    self.devices = devices
  }

  /// The device mounted where the file is (proc_pid_mountinfo(5)): the fifth field is the mount
  /// point; the type and the device follow the hyphen. Of several mounts on one mount point, the
  /// last is in effect.
  private static func source(of path: String) -> String? {
    guard let table = SwapCheck.text(of: "/proc/self/mountinfo") else { return nil }
    var best: (length: Int, source: String?) = (-1, nil)
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 5, let dash = fields.dropFirst(6).firstIndex(of: "-"), fields.count > dash + 2 else {
        continue
      }
      let place = SwapCheck.unescaped(String(fields[4]))
      guard place == "/" || path.hasPrefix(place + "/"), place.utf8.count >= best.length else { continue }
      best = (place.utf8.count, fields[dash + 1] == "btrfs" ? SwapCheck.unescaped(String(fields[dash + 2])) : nil)
    }
    return best.source
  }
}
