import Foundation
import Glibc
import TestKit
import Testing

/// The swap check of doctor, with the test's own tables and devices in place of the system's.
@Suite(.doctor, .serialized, .timeLimit(.minutes(2))) struct SwapEndToEndTests {
  @Test("unencrypted swap is a warning; no swap, zram and dm-crypt are not", .enabled(if: geteuid() == 0))
  func swap() async throws {
    func outcome(_ line: String, sys: String = "") async throws -> String? {
      let table = home.folder.path + "/swaps"
      try "Filename\t\t\tType\t\tSize\tUsed\tPriority\n\(line)".write(
        toFile: table, atomically: false, encoding: .utf8)
      let script = "mount --bind '\(table)' /proc/swaps && \(sys) exec \"$@\""
      return try await home.doctor(through: ["/usr/bin/unshare", "-m", "/bin/sh", "-ec", script, "sh"]).outcome(
        "swap")
    }
    #expect(try await outcome("") == "ok")
    let file = home.folder.path + "/swapfile"
    try "".write(toFile: file, atomically: false, encoding: .utf8)
    #expect(try await outcome("\(file)  file 1024 0 -2\n") == "warn")
    #expect(try await outcome("/dev/no-such  partition 1024 0 -2\n") == "warn")
    // Devices by number in /sys, as the kernel shows them.
    let sys = home.folder.path + "/block"
    for (number, device, uuid) in [
      ("250:7", "dm-7", "CRYPT-PLAIN-swap"), ("251:7", "zram7", ""), ("250:8", "dm-8", "LVM-x"),
    ] {
      try FileManager.default.createDirectory(atPath: "\(sys)/real/\(device)/dm", withIntermediateDirectories: true)
      try uuid.write(toFile: "\(sys)/real/\(device)/dm/uuid", atomically: false, encoding: .utf8)
      #expect(symlink("real/\(device)", "\(sys)/\(number)") == 0)
    }
    try FileManager.default.createDirectory(atPath: "\(sys)/real/dm-8/slaves", withIntermediateDirectories: true)
    func device(_ number: String, _ more: String = "") async throws -> String? {
      let (major, minor) = (number.prefix(3), number.last.map(String.init) ?? "")
      let node = home.folder.path + "/node-\(minor)-\(major)"
      return try await outcome(
        "\(node) partition 1024 0 -2\n",
        sys:
          "mount --bind '\(sys)' /sys/dev/block && { [ -e '\(node)' ] || mknod '\(node)' b \(major) \(minor); } && ")
    }
    #expect(try await device("250:7") == "ok", "dm-crypt")
    #expect(try await device("251:7") == "ok", "zram")
    #expect(try await device("250:8") == "warn", "LVM on nothing that is known")
    #expect(symlink("../../dm-7", "\(sys)/real/dm-8/slaves/dm-7") == 0)
    #expect(try await device("250:8") == "ok", "LVM on dm-crypt")
  }

  @Test("a swap file on btrfs is only as safe as all devices of the volume", .enabled(if: geteuid() == 0))
  func swapOnBtrfs() async throws {
    let root = home.folder.path
    let (sys, volume, place) = (root + "/block", root + "/fs/btrfs/uuid/devices", root + "/a place")
    for folder in [volume, place, root + "/fs/btrfs/features"] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    for (number, device, uuid) in [("250:7", "dm-7", "CRYPT-LUKS2-x"), ("250:8", "dm-8", "LVM-x")] {
      try FileManager.default.createDirectory(atPath: "\(sys)/real/\(device)/dm", withIntermediateDirectories: true)
      try uuid.write(toFile: "\(sys)/real/\(device)/dm/uuid", atomically: false, encoding: .utf8)
      #expect(symlink("real/\(device)", "\(sys)/\(number)") == 0)
    }
    let escaped = place.replacingOccurrences(of: " ", with: "\\040")
    try "Filename\tType\n\(escaped)/swapfile file 1024 0 -2\n".write(
      toFile: root + "/swaps", atomically: false, encoding: .utf8)
    let mounts =
      "22 1 0:21 / / rw - btrfs \(root)/node-8 rw\n40 22 0:50 /@ \(escaped) rw shared:1 - btrfs \(root)/node-7 rw\n"
    try mounts.write(toFile: root + "/mounts", atomically: false, encoding: .utf8)
    // A tmpfs has a device number without a device, as btrfs has.
    let script = """
      cd '\(root)'; mount --bind swaps /proc/swaps; mount --bind mounts /proc/$$/mountinfo
      mount --bind block /sys/dev/block; mount --bind fs /sys/fs
      for n in 7 8; do [ -e node-$n ] || mknod node-$n b 250 $n; done
      mount -t tmpfs tmpfs 'a place'; touch 'a place/swapfile'; exec "$@"
      """
    func outcome() async throws -> String? {
      try await home.doctor(through: ["/usr/bin/unshare", "-m", "/bin/sh", "-ec", script, "sh"]).outcome("swap")
    }
    #expect(try await outcome() == "warn", "no volume is known to have the device")
    #expect(symlink("\(sys)/real/dm-7", volume + "/dm-7") == 0)
    #expect(try await outcome() == "ok")
    #expect(symlink("\(sys)/real/dm-8", volume + "/dm-8") == 0)
    #expect(try await outcome() == "warn", "one of two devices is open")
  }
}
