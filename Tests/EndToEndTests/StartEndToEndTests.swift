import Foundation
import Glibc
import TestKit
import Testing

/// The cost of a start before READY=1, measured by the calls that reach the disk, because their
/// number does not depend on the machine. The agent is undumpable, so strace(1) needs root.
@Suite(
  .home, .serialized, .timeLimit(.minutes(5)), .enabled(if: geteuid() == 0, "only root can trace an undumpable process")
)
struct StartEndToEndTests {
  /// The lines of strace's file before READY=1, and those from READY=1 on.
  private func split(_ log: String) throws -> (before: [Substring], after: [Substring]) {
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    let ready = try #require(lines.firstIndex { $0.contains("READY=1") })
    return (Array(lines[..<ready]), Array(lines[ready...]))
  }

  private func syncs(_ lines: [Substring]) -> [Substring] { lines.filter { $0.contains("sync(") } }

  @Test(
    "a start without changes waits for no fsync, and writes its audit log after READY=1",
    arguments: [false, true])
  func syncsNothing(afterAKill: Bool) async throws {
    try await home.signIn()
    let token = try await home.token()
    if afterAKill { try await home.killAgent() } else { #expect(try await home.endAgent() == 0) }
    let notify = try NotifySocket(path: home.folder.path + "/notify")
    let log = home.folder.path + "/strace"
    // -D: the agent stays the direct child, which this test starts and stops.
    let strace = ["/usr/bin/strace", "-D", "-f", "-qq", "-y", "-s", "200", "-o", log]
    try await home.startAgent(
      through: strace + ["-e", "trace=fsync,fdatasync,sync_file_range,sendmsg,sendto"],
      more: ["NOTIFY_SOCKET": notify.path])
    #expect(try await home.token() == token)
    try await eventually("the audit log is synced") {
      syncs(try split(log).after).contains { $0.contains("/audit/") }
    }
    #expect(syncs(try split(log).before).isEmpty)
  }
}
