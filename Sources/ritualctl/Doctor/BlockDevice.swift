import Glibc

/// A block device, by /sys/dev/block (sysfs(5)).
struct BlockDevice {
  /// The real folder of the device, such as /sys/devices/virtual/block/dm-0.
  private let folder: String

  /// Layers of LVM, RAID and dm-crypt on each other; more is nobody's disk.
  private static let deepest = 8

  /// Nil for a device that /sys does not know, such as the number that btrfs shows for its files.
  init?(_ number: dev_t) {
    // gnu_dev_major(3) and its sister, which are macros.
    let major = (number >> 8) & 0xFFF | (number >> 32) & ~0xFFF
    let minor = number & 0xFF | (number >> 12) & ~0xFF
    self.init(folder: "/sys/dev/block/\(major):\(minor)")
  }

  /// Its folder, or a link to that; nil where there is none.
  init?(folder: String) {
    guard let path = realpath(folder, nil) else { return nil }
    self.folder = String(cString: path)
    free(path)
  }

  /// As the kernel calls it.
  var name: Substring { folder.split(separator: "/").last ?? "" }

  var isMemory: Bool { name.hasPrefix("zram") }

  /// By dm-crypt itself, or on devices that all are.
  func isEncrypted(depth: Int = 0) -> Bool {
    if SwapCheck.text(of: folder + "/dm/uuid")?.hasPrefix("CRYPT-") == true { return true }
    guard depth < Self.deepest else { return false }
    let below = slaves
    return !below.isEmpty && below.allSatisfy { $0.isEncrypted(depth: depth + 1) }
  }

  private var slaves: [BlockDevice] { Self.all(in: folder + "/slaves") ?? [] }

  /// The devices that a folder of links names; nil where one of them cannot be looked at: it counts as open.
  static func all(in folder: String) -> [BlockDevice]? {
    var found: [BlockDevice] = []
    for name in Self.names(in: folder) {
      guard let device = BlockDevice(folder: folder + "/" + name) else { return nil }
      found.append(device)
    }
    return found
  }

  static func names(in folder: String) -> [String] {
    guard let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var found: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { found.append(name) }
    }
    return found
  }
}
