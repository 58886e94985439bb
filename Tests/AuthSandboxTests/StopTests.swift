import Glibc
import Testing

@testable import AuthSandbox

/// The end of a sandbox.
struct StopTests {
  @Test("stopping with connections that are not handled yet ends them")
  func unhandledConnections() async throws {
    for _ in 0..<20 {
      let sandbox = try await AuthSandbox.start()
      let port = try #require(UInt16(sandbox.url.split(separator: ":").last ?? ""))
      let clients = (0..<32).map { _ in connected(to: port) }
      await sandbox.stop()
      for client in clients {
        #expect(client >= 0)
        var byte: UInt8 = 0
        // The end of the stream, or a reset.
        let count = read(client, &byte, 1)
        let reason = errno
        #expect(count == 0 || count < 0 && reason == ECONNRESET, "\(count), errno \(reason)")
        close(client)
      }
    }
  }

  /// A connection whose reads give up after 10 s, or -1.
  private func connected(to port: UInt16) -> Int32 {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return result == 0 ? client : -1
  }
}
