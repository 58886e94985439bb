import Glibc
import TestKit
import Testing

@testable import AuthSandbox

/// The end of a sandbox.
struct StopTests {
  @Test("stopping with connections that are not handled yet ends them")
  func unhandledConnections() async throws {
    for _ in 0..<20 {
      let sandbox = try await AuthSandbox.start()
      let port = try #require(UInt16(sandbox.url.split(separator: ":").last ?? ""))
      let clients = try (0..<32).map { _ in try connectedSocket(loopback: port) }
      await sandbox.stop()
      for client in clients {
        // Only detects a hang.
        limitReads(of: client, to: 10)
        var byte: UInt8 = 0
        // The end of the stream, or a reset.
        let count = read(client, &byte, 1)
        let reason = errno
        #expect(count == 0 || count < 0 && reason == ECONNRESET, "\(count), errno \(reason)")
        close(client)
      }
    }
  }
}
