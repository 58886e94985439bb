import Foundation
import TestKit
import Testing

extension TestHome {
  /// The file that records a manual lock.
  nonisolated var manualLockFile: String {
    environment["XDG_STATE_HOME", default: ""] + "/ritual-agent/locked-by-hand"
  }

  /// Appends text to the configuration.
  nonisolated func append(_ text: String) throws {
    let file = environment["XDG_CONFIG_HOME", default: ""] + "/ritual-agent/config.toml"
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
  }

  /// Makes the agent reload the configuration.
  nonisolated func reload() async throws {
    let tool = try SocketTool(socket)
    try tool.send(#"{"jsonrpc":"2.0","id":1,"method":"agent.reload","params":{}}"#)
    let answer = try await tool.line()
    #expect(answer.contains("result"), "\(answer)")
  }
}
