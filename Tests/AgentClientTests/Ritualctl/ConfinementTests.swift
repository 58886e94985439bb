import AgentProtocol
import Foundation
import Glibc
import TestKit
import Testing

@testable import ritualctl

/// The advice of `doctor` for a service that cannot be confined; see also `DoctorEndToEndTests`.
@Suite struct ConfinementTests {
  /// What a container may have in place of /proc/kmsg: nothing, a FIFO (systemd-nspawn), a device.
  @Test("a container that hides the kernel's log gets the drop-in for it")
  func kernelLog() async throws {
    try await withScratchDirectory { folder in
      let fifo = folder.path + "/kmsg"
      #expect(mkfifo(fifo, 0o600) == 0)
      for hidden in ["/proc/no-such-file", fifo, "/dev/null"] { try Self.check(hidden, isHidden: true) }
      try Self.check("/proc/self/status", isHidden: false)
    }
  }

  private static func check(_ file: String, isHidden: Bool) throws {
    let service = ["LoadState": "loaded", "PrivateUsers": "yes", "ActiveState": "failed", "ExecMainStatus": "226"]
    var confinement = ConfinementCheck(service: service)
    confinement.kernelLog = file
    let check = try #require(confinement.checks().first)
    #expect(check.outcome == .fail)
    // Restricted user namespaces, as a machine of the tests may have them, come first.
    guard !check.words.contains("restricted") else { return }
    #expect(check.words.contains("hides") == isHidden, "\(file): \(check.words)")
    #expect(check.next?.contains(#"'[Service]\nProtectKernelLogs=no\n'"#) == isHidden)
  }
}
