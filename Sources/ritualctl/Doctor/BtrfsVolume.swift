import Glibc

/// The devices below a file of btrfs: its files show a device number that no device has (btrfs(5), "Swapfile support").
struct BtrfsVolume {
  /// All of them: which one holds the file is not said anywhere.
  let devices: [BlockDevice]

  private static let volumes = "/sys/fs/btrfs"

  /// Nil where the file at `path` lies elsewhere, or where it cannot be told.
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

  /// What is mounted where the file is (proc_pid_mountinfo(5)): the fifth field is the place, behind the dash stand the kind
  /// and the device. Of mounts upon each other the last counts.
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
