import Foundation
import Glibc
import TestKit

/// A network namespace with loopback only, whose routes a test can remove and restore. Requires
/// root.
final class NetworkNamespace: Sendable {
  static var isPossible: Bool { geteuid() == 0 }

  private let holder: RunningProgram
  private let folder: URL

  init(folder: URL) async throws {
    self.folder = folder
    holder = try RunningProgram("/usr/bin/unshare", ["-n", "/bin/sleep", "infinity"], environment: [:], folder: folder)
    try await eventually("the namespace is there") { [pid = holder.pid] in
      let ours = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/net")
      return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/ns/net") != ours
    }
  }

  /// The command that runs a program in the namespace.
  var launcher: [String] { ["/usr/bin/nsenter", "-t", "\(holder.pid)", "-n"] }

  /// Sets loopback up or down; its routes follow.
  func setLoopback(up: Bool) async throws {
    let words = Array(launcher.dropFirst()) + ["/usr/sbin/ip", "link", "set", "lo", up ? "up" : "down"]
    let output = try await RunningProgram(launcher[0], words, environment: [:], folder: folder).end()
    guard output.status == 0 else { throw ConditionTimeout(what: "loopback: \(output.stderr)") }
  }

  func end() async { await holder.stop() }
}
