import SystemSupport
import Testing

@testable import AccessControl

@Suite struct SocketTableTests {
  // Rows print addresses as a little-endian machine does.
  static let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"

  static func end(_ port: UInt16) -> TCPConnection.End { TCPConnection.End(address: 0x7F00_0001, port: port) }

  static func row(_ local: String, _ remote: String, state: String = "01", uid: String, inode: Int = 31337) -> String {
    "   4: \(local) \(remote) \(state) 00000000:00000000 00:00000000 00000000  \(uid)        0 \(inode) 1 0000000000000000 20 4 30 10 -1\n"
  }

  private static func uid(in table: String, of client: UInt16, connectedTo server: UInt16) -> UInt32? {
    let connection = TCPConnection(client: end(client), server: end(server))
    return SocketTable.uids(in: table, of: [connection])[connection]
  }

  @Test("finds the client's end of the connection, not the server's")
  func findsTheClient() {
    let table =
      Self.head + Self.row("0100007F:0016", "00000000:0000", state: "0A", uid: "    0")
      + Self.row("0100007F:1388", "0100007F:C350", uid: " 1000")
      + Self.row("0100007F:C350", "0100007F:1388", uid: "65534")
    #expect(Self.uid(in: table, of: 50_000, connectedTo: 5000) == 65_534)
    #expect(Self.uid(in: table, of: 5000, connectedTo: 50_000) == 1000)
    #expect(Self.uid(in: table, of: 50_000, connectedTo: 5001) == nil)
  }

  @Test("one scan finds all requested connections")
  func findsSeveral() {
    let table =
      Self.head
      + (0..<100).map {
        Self.row("0100007F:\(String(0xC350 + $0, radix: 16, uppercase: true))", "0100007F:1388", uid: "\($0)")
      }.joined()
    let wanted = (0..<200).map { TCPConnection(client: Self.end(50_000 + UInt16($0)), server: Self.end(5000)) }
    let found = SocketTable.uids(in: table, of: wanted)
    #expect(found.count == 100 && wanted.prefix(100).enumerated().allSatisfy { found[$1] == UInt32($0) })
  }

  @Test("a listening socket is found only if it is asked for")
  func findsListening() {
    let table = Self.head + Self.row("0100007F:1388", "00000000:0000", state: "0A", uid: " 1000")
    let socket = TCPConnection(client: Self.end(5000), server: TCPConnection.End(address: 0, port: 0))
    #expect(SocketTable.uids(in: table, of: [socket], in: .listening) == [socket: 1000])
    #expect(SocketTable.uids(in: table, of: [socket]).isEmpty)
  }

  private static let mapped = "0000000000000000FFFF00000100007F"

  @Test(
    "the owner of one row: an IPv6 socket has one; one in TIME_WAIT or without a process shows uid 0, but has none",
    arguments: [
      (head + row("\(mapped):C350", "\(mapped):1388", uid: " 1000"), 1000),
      (head + row("0100007F:C350", "0100007F:1388", state: "06", uid: "    0"), nil),
      (head + row("0100007F:C350", "0100007F:1388", state: "05", uid: "    0", inode: 0), nil),
      ("", nil), ("\n\n", nil), ("head\n 1: x", nil), ("head\n 1: 0100007F:C350 0100007F:1388 01", nil),
    ] as [(String, UInt32?)])
  func findsOwners(table: String, uid: UInt32?) {
    #expect(Self.uid(in: table, of: 50_000, connectedTo: 5000) == uid)
  }
}
