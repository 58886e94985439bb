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

  @Test(
    "doctor names an older installation that the shell or the service uses, and how to remove it", .scratchDirectory)
  func installations() async throws {
    let folder = scratchDirectory.path
    for (name, version) in [("old", "0.9.1"), ("new", "0.10.0")] {
      for directory in ["bin", "lib/ritual-agent"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(name)/\(directory)", withIntermediateDirectories: true)
      }
      try await ShellScript.install("echo \(version)", as: "\(folder)/\(name)/bin/ritualctl")
    }
    try await ShellScript.install("", as: "\(folder)/old/lib/ritual-agent/install.sh")
    let (old, new) = (folder + "/old/bin", folder + "/new/bin")
    func checks(_ path: [String], _ service: String?) -> [DiagnosticCheck] {
      InstallationCheck(path: path, service: service.map { $0 + "/ritual-agentd" }).checks()
    }
    #expect(checks([new, "/nonexistent", new], new).isEmpty)
    #expect(checks([old], nil).isEmpty)
    #expect(checks([new, old], new).map(\.outcome) == [.ok])
    let shell = try #require(checks([old, new], new).first)
    #expect(shell.outcome == .warn)
    #expect(shell.words == "your shell finds version 0.9.1 in \(old), but \(new) has 0.10.0")
    #expect(
      shell.next
        == "to remove the old one: \(folder)/old/lib/ritual-agent/install.sh --uninstall --prefix \(folder)/old")
    #expect(
      checks([new], old).map(\.words) == ["ritual-agent.service runs version 0.9.1 in \(old), but \(new) has 0.10.0"])
    #expect(checks([old], new).first?.next?.hasPrefix("to remove the old one: ") == true)
    #expect(checks([new], new + "/../../old/bin").count == 1)
  }

  @Test("doctor compares the installations also where no user manager runs")
  func installationsWithoutManager() async throws {
    try await withBench(StatusTests.status("")) { bench in
      let folders = ["old", "new"].map { bench.folder.path + "/" + $0 }
      for (folder, version) in zip(folders, ["0.9.1", "0.10.0"]) {
        try await ShellScript.install("echo \(version)", as: folder + "/ritualctl")
      }
      let path = (folders + ["/usr/bin", "/bin"]).joined(separator: ":")
      let output = try await bench.start(["doctor"], environment: ["PATH": path]).end().stdout
      #expect(output.contains("warn  units: unknown: no systemd user manager"), "\(output)")
      #expect(
        output.contains("warn  installations: your shell finds version 0.9.1 in ~/old, but ~/new has 0.10.0"),
        "\(output)")
    }
  }

  @Test("the program of the service is read from ExecStart")
  func serviceProgram() {
    let start = "{ path=/usr/bin/ritual-agentd ; argv[]=/usr/bin/ritual-agentd ; ignore_errors=no ; pid=7 }"
    #expect(UnitStates(socket: [:], service: ["ExecStart": start]).program == "/usr/bin/ritual-agentd")
    #expect(UnitStates(socket: [:], service: ["ExecStart": ""]).program == nil)
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
