import AgentProtocol
import Testing

@testable import ritualctl

/// The advice of `doctor` for a service that cannot be confined; see also `DoctorEndToEndTests`.
@Suite struct ConfinementTests {
  @Test("a container that hides the kernel's log gets the drop-in for it", arguments: [true, false])
  func kernelLog(isHidden: Bool) throws {
    let service = ["LoadState": "loaded", "PrivateUsers": "yes", "ActiveState": "failed", "ExecMainStatus": "226"]
    var confinement = ConfinementCheck(service: service)
    confinement.kernelLog = isHidden ? "/proc/no-such-file" : "/proc/self/status"
    let check = try #require(confinement.checks().first)
    #expect(check.outcome == .fail)
    // Restricted user namespaces, as a machine of the tests may have them, come first.
    guard !check.words.contains("restricted") else { return }
    #expect(check.words.contains("hides") == isHidden)
    #expect(check.next?.contains(#"'[Service]\nProtectKernelLogs=no\n'"#) == isHidden)
  }
}
