import AgentProtocol
import Glibc

/// Whether memory can end up on a disk in the clear: a token, which lies in ordinary memory while it is handed out, with it.
struct SwapCheck {
  func check() -> DiagnosticCheck {
    guard let table = Self.text(of: "/proc/swaps") else {
      return DiagnosticCheck("swap", .warn, "not known: /proc/swaps cannot be read")
    }
    let areas = table.split(separator: "\n").dropFirst().compactMap { $0.split(whereSeparator: \.isWhitespace).first }
    guard !areas.isEmpty else { return DiagnosticCheck("swap", .ok, "off") }
    let open = areas.map { Self.unescaped(String($0)) }.filter { !Self.isSafe($0) }
    guard let first = open.first else { return DiagnosticCheck("swap", .ok, "encrypted, or in memory (zram)") }
    return DiagnosticCheck(
      "swap", .warn, "\(first) is not known to be encrypted: what is in memory could be read from the disk later",
      next: "encrypt it (crypttab(5), option swap), use zram, or: sudo swapoff -a")
  }

  private static func isSafe(_ area: String) -> Bool {
    var status = stat()
    guard stat(area, &status) == 0 else { return false }
    let isDevice = status.st_mode & S_IFMT == S_IFBLK
    let number = isDevice ? status.st_rdev : status.st_dev
    return BlockDevice(number).map { isDevice && $0.isMemory || $0.isEncrypted(depth: 0) } ?? false
  }

  /// /proc/swaps writes blanks as octal escapes (proc(5)).
  private static func unescaped(_ text: String) -> String {
    text.replacing("\\040", with: " ").replacing("\\011", with: "\t").replacing("\\134", with: "\\")
  }

  /// A file of /proc or /sys; they have no size.
  static func text(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // Swap areas are at most 32 (MAX_SWAPFILES), a line each.
    return (try? Streams.readAll(from: file, limit: 64 * 1024)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// A block device, by /sys/dev/block (sysfs(5)).
private struct BlockDevice {
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

  private init?(folder: String) {
    guard let path = realpath(folder, nil) else { return nil }
    self.folder = String(cString: path)
    free(path)
  }

  var isMemory: Bool { folder.split(separator: "/").last?.hasPrefix("zram") ?? false }

  /// By dm-crypt itself, or on devices that all are.
  func isEncrypted(depth: Int) -> Bool {
    if SwapCheck.text(of: folder + "/dm/uuid")?.hasPrefix("CRYPT-") == true { return true }
    guard depth < Self.deepest else { return false }
    let below = slaves
    return !below.isEmpty && below.allSatisfy { $0.isEncrypted(depth: depth + 1) }
  }

  private var slaves: [BlockDevice] {
    guard let listing = opendir(folder + "/slaves") else { return [] }
    defer { closedir(listing) }
    var found: [BlockDevice] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasPrefix(".") { continue }
      // One that cannot be looked at counts as open.
      guard let device = BlockDevice(folder: folder + "/slaves/" + name) else { return [] }
      found.append(device)
    }
    return found
  }
}
