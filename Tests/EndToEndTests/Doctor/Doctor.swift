import Foundation
import TestKit
import Testing

/// The output of `ritualctl doctor --json`.
struct DoctorReport: Decodable {
  struct Check: Decodable {
    var name: String
    var project: String?
    var outcome: String
    var words: String
    var next: String?
  }

  var checks: [Check]
  var formatVersion: Int
  var isHealthy: Bool

  /// The worst outcome of the checks with that name.
  func outcome(_ name: String) -> String? {
    let found = checks.filter { $0.name == name }.map(\.outcome)
    return ["fail", "warn", "ok"].first(where: found.contains)
  }

  func words(_ name: String) -> String {
    checks.filter { $0.name == name }.map { "\($0.words) \($0.next ?? "")" }.joined(separator: "\n")
  }

  var failed: Set<String> { Set(checks.filter { $0.outcome == "fail" }.map(\.name)) }
}

extension TestHome {
  /// The test home's environment with a desktop, and with the test's own tools first in PATH.
  nonisolated var doctorEnvironment: [String: String] {
    var environment = environment
    environment["PATH"] = folder.path + "/tools:" + (environment["PATH"] ?? "")
    environment["XDG_CURRENT_DESKTOP"] = "X-Generic"
    environment["XDG_DATA_DIRS"] = "/usr/share"
    environment["XDG_CONFIG_DIRS"] = "/etc/xdg"
    return environment
  }

  /// Installs a shell script that replaces a tool.
  nonisolated func fake(_ tool: String, _ script: String) async throws {
    try await ShellScript.install(script, as: folder.path + "/tools/\(tool)")
  }

  /// Installs a `systemctl` whose units have these properties; the defaults are correct ones.
  nonisolated func fakeManager(
    socket: String = "ActiveState=active\nUnitFileState=enabled",
    service: String = "ActiveState=active\nPrivateUsers=yes"
  ) async throws {
    let units = "LoadState=loaded\nSubState=running\nResult=exit-code\n"
    try await fake("systemctl", "cat <<'END'\n\(units)\(socket)\n\n\(units)\(service)\nEND")
  }

  nonisolated func doctorOutput(_ arguments: String..., through launcher: [String] = []) async throws -> Output {
    let command = launcher + [Programs.path("ritualctl"), "doctor"] + arguments
    return try await RunningProgram(
      command[0], Array(command.dropFirst()), environment: doctorEnvironment, folder: folder
    ).end()
  }

  nonisolated func doctor(through launcher: [String] = []) async throws -> DoctorReport {
    let output = try await doctorOutput("--json", through: launcher)
    let report = try JSONDecoder().decode(DoctorReport.self, from: Data(output.stdout.utf8))
    #expect(output.status == (report.failed.isEmpty ? 0 : 1), "\(output.stdout)")
    #expect(report.isHealthy == report.failed.isEmpty && report.formatVersion == 1)
    return report
  }
}

extension Trait where Self == FixtureTrait {
  /// A home on which every check of `ritualctl doctor` can be ok.
  static var doctor: Self {
    Self { test in
      try await withTestHome { home in
        try await home.fakeManager()
        try await Current.home.run(home, test)
      }
    }
  }
}
