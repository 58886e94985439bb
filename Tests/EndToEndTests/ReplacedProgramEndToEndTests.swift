import Foundation
import Glibc
import TestKit
import Testing

/// An upgrade that keeps the version number leaves the old agent running, which only the agent
/// itself can notice.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ReplacedProgramEndToEndTests {
  private static let words = "the program of the running agent was replaced after its start"

  @Test("an agent whose program was replaced says so, in status and doctor, until it is restarted")
  func replaced() async throws {
    try await withPrograms { home, program in
      #expect(try await !isReplaced(home))
      // What an administrator may do to the file leaves the program as it is.
      #expect(chmod(program, 0o700) == 0 && link(program, program + ".linked") == 0)
      #expect(try await !isReplaced(home))
      #expect(try await !home.ctl("status").stdout.contains(Self.words))
      #expect(try await home.doctor().outcome("socket") == "ok")

      // As dpkg and tar do, although another name of the old file is left.
      try await home.copyProgram("ritual-agentd", to: program + ".new")
      #expect(rename(program + ".new", program) == 0)
      #expect(try await isReplaced(home))
      let status = try await home.ctl("status").stdout
      #expect(status.contains("! \(Self.words): "), "\(status)")
      let report = try await home.doctor()
      #expect(report.outcome("socket") == "warn" && report.words("socket").hasPrefix(Self.words + " "))
      #expect(report.words("socket").contains("restart"))

      await home.stopAgent()
      try await start(home, program)
      #expect(try await !isReplaced(home))
      #expect(unlink(program) == 0)
      #expect(try await isReplaced(home), "as install(1) does before it writes the new file")
    }
  }

  @Test("an agent whose program was moved aside, or is reached by a link that now leads elsewhere, says so, too")
  func movedAside() async throws {
    try await withPrograms { home, program in
      let folder = (program as NSString).deletingLastPathComponent
      let (bin, next) = (folder + "-link", folder + "-next")
      try FileManager.default.createDirectory(atPath: next, withIntermediateDirectories: true)
      try await home.copyProgram("ritual-agentd", to: next + "/ritual-agentd")
      #expect(symlink(folder, bin) == 0)
      await home.stopAgent()
      try await start(home, bin + "/ritual-agentd")
      #expect(try await !isReplaced(home), "as /bin leads to /usr/bin")
      #expect(unlink(bin) == 0 && symlink(next, bin) == 0)
      #expect(try await isReplaced(home))
      #expect(unlink(bin) == 0 && symlink(folder, bin) == 0)
      #expect(try await !isReplaced(home), "the upgrade was taken back")
      #expect(rename(program, program + ".old") == 0 && rename(next + "/ritual-agentd", program) == 0)
      #expect(try await isReplaced(home))
    }
  }

  /// Runs `body` with an agent that was started from a copy of its program.
  private func withPrograms(_ body: (TestHome, String) async throws -> Void) async throws {
    try await withTestHome { home in
      try await home.fakeManager()
      let program = home.folder.path + "/bin/ritual-agentd"
      try FileManager.default.createDirectory(atPath: home.folder.path + "/bin", withIntermediateDirectories: true)
      try await home.copyProgram("ritual-agentd", to: program)
      await home.stopAgent()
      try await start(home, program)
      try await body(home, program)
    }
  }

  private func start(_ home: TestHome, _ program: String) async throws {
    try await home.startAgent(through: ["/bin/sh", "-c", "exec '\(program)'"])
  }

  private func isReplaced(_ home: TestHome) async throws -> Bool {
    let status = try await home.ctl("status", "--json").json()
    return try #require(status["programReplaced"] as? Bool, "\(status)")
  }
}
