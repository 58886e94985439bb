import Foundation
import TestKit
import Testing

/// Programs whose caller has closed a standard stream, as some supervisors and scripts do.
@Suite(.home, .timeLimit(.minutes(5))) struct ClosedStreamsEndToEndTests {
  private func shell(_ line: String, _ home: TestHome) async throws -> Output {
    try await RunningProgram(
      "/bin/sh", ["-c", "exec \"$0\" \(line)", Programs.path("ritualctl")], environment: home.environment,
      folder: home.folder
    ).end()
  }

  @Test("a closed stream is an error, and never the agent's socket")
  func reportsClosedStreams() async throws {
    try await home.signIn()
    for (line, words) in [
      ("sign-in email --email a@example.org --password-stdin --account other <&-", "cannot be read"),
      ("unlock --passphrase-stdin <&-", "cannot be read"),
      ("events >&-", "cannot be written"),
      ("status >&-", "cannot be written"),
    ] {
      let result = try await shell(line, home)
      #expect(result.status == 1 && result.stderr.contains(words), "\(line): \(result)")
    }
    #expect(try await shell("token 2>&-", home).status == 0)
  }
}
