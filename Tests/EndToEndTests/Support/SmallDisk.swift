import Foundation
import Glibc
import TestKit

/// A mount namespace with a small tmpfs, which a test can fill and empty. It outlives the programs that
/// run in it. Requires root.
final class SmallDisk: Sendable {
  static var isPossible: Bool { geteuid() == 0 }

  private let holder: RunningProgram
  private let folder: URL
  private let path: String

  /// Mounts a tmpfs of 1 MiB at `path`.
  init(at path: String, _ folder: URL) async throws {
    (self.folder, self.path) = (folder, path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let ready = folder.path + "/small-disk"
    holder = try RunningProgram(
      "/usr/bin/unshare",
      [
        "-m", "/bin/sh", "-ec",
        "mount --make-rprivate /; mount -t tmpfs -o size=1m,mode=700 tmpfs \"$1\"; touch \"$2\"; exec sleep infinity",
        "sh", path, ready,
      ], environment: [:], folder: folder)
    try await eventually("the disk is mounted: \(holder.stderr)") { FileManager.default.fileExists(atPath: ready) }
  }

  /// The command that runs a program with the disk.
  var launcher: [String] { ["/usr/bin/nsenter", "-t", "\(holder.pid)", "-m"] }

  /// Leaves no space.
  func fill() async throws { try await run("cat /dev/zero > \"$1/filler\" 2> /dev/null || true") }

  /// Frees the space again.
  func free() async throws { try await run("rm \"$1/filler\"") }

  private func run(_ script: String) async throws {
    let words = Array(launcher.dropFirst()) + ["/bin/sh", "-c", script, "sh", path]
    let output = try await RunningProgram(launcher[0], words, environment: [:], folder: folder).end()
    guard output.status == 0 else { throw ConditionTimeout(what: "\(script): \(output.stderr)") }
  }

  func end() async { await holder.stop() }
}
