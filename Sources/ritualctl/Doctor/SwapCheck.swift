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
    if status.st_mode & S_IFMT == S_IFBLK {
      return BlockDevice(status.st_rdev).map { $0.isMemory || $0.isEncrypted() } ?? false
    }
    if let device = BlockDevice(status.st_dev) { return device.isEncrypted() }
    return BtrfsVolume(holding: area).map { $0.devices.allSatisfy { $0.isEncrypted() } } ?? false
  }

  /// The files of /proc write blanks as octal escapes (proc_pid_mountinfo(5)).
  static func unescaped(_ text: String) -> String {
    text.replacing("\\040", with: " ").replacing("\\011", with: "\t").replacing("\\134", with: "\\")
  }

  /// A file of /proc or /sys; they have no size.
  static func text(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // Swap areas are at most 32 (MAX_SWAPFILES), a line each; mounts may be some thousands.
    return (try? Streams.readAll(from: file, limit: 1024 * 1024)).map { String(decoding: $0, as: UTF8.self) }
  }
}
