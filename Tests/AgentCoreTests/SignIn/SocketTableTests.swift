import Glibc
import Testing

@testable import AgentCore

@Suite struct SocketTableTests {
  // Addresses as a little-endian machine prints them; the type is asked in this machine's order.
  static let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"

  static func end(_ port: UInt16) -> SocketTable.End {
    SocketTable.End(address: UInt32(bigEndian: 0x7F00_0001), port: port)
  }

  static func row(_ local: String, _ remote: String, state: String = "01", uid: String) -> String {
    "   4: \(local) \(remote) \(state) 00000000:00000000 00:00000000 00000000  \(uid)        0 31337 1 0000000000000000 20 4 30 10 -1\n"
  }

  @Test("finds the client's own end, not the server's")
  func findsTheClient() {
    let table =
      Self.head + Self.row("0100007F:0016", "00000000:0000", state: "0A", uid: "    0")
      + Self.row("0100007F:1388", "0100007F:C350", uid: " 1000")
      + Self.row("0100007F:C350", "0100007F:1388", uid: "65534")
    #expect(SocketTable.uid(in: table, of: Self.end(50_000), connectedTo: Self.end(5000)) == 65_534)
    #expect(SocketTable.uid(in: table, of: Self.end(5000), connectedTo: Self.end(50_000)) == 1000)
    #expect(SocketTable.uid(in: table, of: Self.end(50_000), connectedTo: Self.end(5001)) == nil)
  }

  @Test("finds a client on an IPv6 socket")
  func findsMappedAddresses() {
    let mapped = "0000000000000000FFFF00000100007F"
    let table = Self.head + Self.row("\(mapped):C350", "\(mapped):1388", uid: " 1000")
    #expect(SocketTable.uid(in: table, of: Self.end(50_000), connectedTo: Self.end(5000)) == 1000)
  }

  @Test("a socket without an owner has none: TIME_WAIT shows uid 0")
  func skipsOwnerless() {
    let table = Self.head + Self.row("0100007F:C350", "0100007F:1388", state: "06", uid: "    0")
    #expect(SocketTable.uid(in: table, of: Self.end(50_000), connectedTo: Self.end(5000)) == nil)
  }

  @Test(
    "what is no table has no answer",
    arguments: ["", "\n\n", "head\n 1: x", "head\n 1: 0100007F:C350 0100007F:1388 01"])
  func survivesNonsense(table: String) {
    #expect(SocketTable.uid(in: table, of: Self.end(50_000), connectedTo: Self.end(5000)) == nil)
  }
}
