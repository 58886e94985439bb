import FoundationEssentials
import TestKit
import Testing

@testable import SessionEngine

@Suite(.timeLimit(.minutes(10))) struct WorkThreadTests {
  private func exists(_ name: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").contains {
      (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == name + "\n"
    }
  }

  @Test("the thread starts with the first work, and can be ended")
  func beginsLate() async throws {
    let thread = WorkThread("begins-late")
    await thread.completeBegun()
    #expect(try !exists("begins-late"))
    #expect(try await thread.run { 7 } == 7)
    try await eventually("its name") { try exists("begins-late") }
    await thread.end()
    try await eventually("its end") { try !exists("begins-late") }
  }

  @Test("no work starts after the end, even before the first work")
  func staysEnded() async throws {
    let thread = WorkThread("stays-ended")
    await thread.end()
    await #expect(throws: CancellationError.self) { try await thread.run {} }
    await thread.end()
    #expect(try !exists("stays-ended"))
  }
}
