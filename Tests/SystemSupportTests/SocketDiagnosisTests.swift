import Glibc
import Testing

@testable import SystemSupport

/// The kernel's answers about real sockets.
@Suite struct SocketDiagnosisTests {
  /// A connection over loopback between two sockets of this process. Closes what is open at its end.
  private final class Pair {
    let listener: Int32
    private(set) var client: Int32
    let server: Int32
    let connection: TCPConnection

    /// - Parameter family: AF_INET6 for a client that connects to `::ffff:127.0.0.1`.
    init(_ family: Int32 = AF_INET) throws {
      let listener = try Self.bound(to: 0)
      try systemCall("listen") { listen(listener, 1) }
      let client = try systemCall("socket") { socket(family, Int32(SOCK_STREAM.rawValue), 0) }
      let port = try Self.end(listener).port
      if family == AF_INET6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin6_addr) { bytes in
          bytes.copyBytes(from: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1])
        }
        try Self.connect(client, &address)
      } else {
        var address = Self.address(port)
        try Self.connect(client, &address)
      }
      server = try systemCall("accept") { accept(listener, nil, nil) }
      connection = TCPConnection(client: try Self.end(server, ofPeer: true), server: try Self.end(server))
      (self.listener, self.client) = (listener, client)
    }

    deinit {
      for descriptor in [listener, client, server] where descriptor >= 0 { close(descriptor) }
    }

    func endClient() {
      close(client)
      client = -1
    }

    /// A socket that is bound to a port of 127.0.0.1.
    static func bound(to port: UInt16) throws -> Int32 {
      let descriptor = try systemCall("socket") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
      var (address, reuse) = (address(port), Int32(1))
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, 4)
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      try withUnsafePointer(to: &address) { pointer in
        _ = try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          try systemCall("bind") { bind(descriptor, address, size) }
        }
      }
      return descriptor
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return address
    }

    private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) throws {
      let size = socklen_t(MemoryLayout<Address>.size)
      try withUnsafeBytes(of: &address) { bytes in
        let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
        try systemCall("connect") { Glibc.connect(descriptor, address, size) }
      }
    }

    static func end(_ descriptor: Int32, ofPeer: Bool = false) throws -> TCPConnection.End {
      var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
      try withUnsafeMutableBytes(of: &address) { bytes in
        let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
        _ = try systemCall("getsockname") {
          ofPeer ? getpeername(descriptor, address, &size) : getsockname(descriptor, address, &size)
        }
      }
      return TCPConnection.End(
        address: UInt32(bigEndian: address.sin_addr.s_addr), port: UInt16(bigEndian: address.sin_port))
    }
  }

  @Test("finds the client's end of a connection, also on an IPv6 socket", arguments: [AF_INET, AF_INET6])
  func findsTheClient(family: Int32) throws {
    let (diagnosis, pair) = (try SocketDiagnosis(), try Pair(family))
    #expect(diagnosis.owner(of: pair.connection) == geteuid())
    for (client, server): (UInt16, UInt16) in [(1, 0), (0, 1)] {
      let other = TCPConnection(
        client: .init(address: 0x7F00_0001, port: pair.connection.client.port &+ client),
        server: .init(address: 0x7F00_0001, port: pair.connection.server.port &+ server))
      #expect(diagnosis.owner(of: other) == nil)
    }
    let elsewhere = TCPConnection(
      client: .init(address: 0x7F00_0002, port: pair.connection.client.port), server: pair.connection.server)
    #expect(diagnosis.owner(of: elsewhere) == nil)
  }

  @Test("a half-closed client has an owner, in both directions")
  func findsHalfClosed() throws {
    let (diagnosis, first, second) = (try SocketDiagnosis(), try Pair(), try Pair())
    shutdown(first.client, Int32(SHUT_WR))
    #expect(diagnosis.owner(of: first.connection) == geteuid())
    shutdown(second.server, Int32(SHUT_WR))
    #expect(diagnosis.owner(of: second.connection) == geteuid())
    shutdown(second.client, Int32(SHUT_WR))
    #expect(diagnosis.owner(of: second.connection) == nil)
  }

  @Test("a client that no process has open any more has no owner, although the kernel shows uid 0")
  func skipsOwnerless() throws {
    let (diagnosis, pair) = (try SocketDiagnosis(), try Pair())
    pair.endClient()
    #expect(diagnosis.owner(of: pair.connection) == nil)
  }

  @Test("a socket that listens on the port of a client that is gone is not the client")
  func skipsListening() throws {
    let diagnosis = try SocketDiagnosis()
    let (pair, descriptor) = try Self.listeningOnThePortOfAClient()
    defer { close(descriptor) }
    #expect(diagnosis.owner(of: pair.connection) == nil)
    let listening = TCPConnection(client: pair.connection.client, server: .init(address: 0, port: 0))
    #expect(diagnosis.owner(of: listening, in: .listening) == geteuid())
    #expect(diagnosis.owner(of: listening) == nil)
  }

  /// A pair whose client is gone, and a socket that listens on its port. A new connection of another test
  /// may get that port first: then another pair is tried.
  private static func listeningOnThePortOfAClient(attempts: Int = 50) throws -> (Pair, Int32) {
    let pair = try Pair()
    var reset = linger(l_onoff: 1, l_linger: 0)
    setsockopt(pair.client, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
    pair.endClient()
    do {
      let descriptor = try Pair.bound(to: pair.connection.client.port)
      try systemCall("listen") { listen(descriptor, 1) }
      return (pair, descriptor)
    } catch let error as SystemCallError where error.errno == EADDRINUSE && attempts > 1 {
      return try listeningOnThePortOfAClient(attempts: attempts - 1)
    }
  }

  @Test("concurrent questions get their own answers")
  func answersConcurrently() async throws {
    let (diagnosis, pair) = (try SocketDiagnosis(), try Pair())
    let (known, end) = (pair.connection, TCPConnection.End(address: 0x7F00_0001, port: 1))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            let owner = diagnosis.owner(of: number.isMultiple(of: 2) ? known : TCPConnection(client: end, server: end))
            #expect(owner == (number.isMultiple(of: 2) ? geteuid() : nil))
          }
        }
      }
    }
  }
}

/// The parser of the kernel's answers.
@Suite struct SocketQuestionTests {
  private static let question = SocketQuestion(
    connection: TCPConnection(
      client: .init(address: 0x7F00_0001, port: 0xC350), server: .init(address: 0x7F00_0001, port: 0x1388)),
    states: .open, family: AF_INET, sequence: 7)

  /// An answer as the kernel writes it (`inet_diag_msg`), with attributes after it.
  private static func answer(
    type: UInt16 = 20, family: Int32 = AF_INET, state: UInt8 = 1, uid: UInt32 = 1000, inode: UInt32 = 31337
  ) -> [UInt8] {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1]
    let address = family == AF_INET6 ? mapped : [127, 0, 0, 1] + [UInt8](repeating: 0, count: 12)
    var body: [UInt8] = [UInt8(family), state, 0, 0, 0xC3, 0x50, 0x13, 0x88] + address + address
    // The interface, the cookie, the timer and both queues.
    body += [UInt8](repeating: 0xAB, count: 24)
    body += bytes(uid) + bytes(inode) + [5, 0, 8, 0, 0, 0, 0, 0]
    return bytes(UInt32(16 + body.count)) + bytes(type) + bytes(UInt16(0)) + bytes(UInt32(7)) + bytes(UInt32(99)) + body
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }

  @Test("reads the uid of an IPv4 and of an IPv6 socket", arguments: [AF_INET, AF_INET6])
  func readsOwners(family: Int32) {
    #expect(Self.question.answer(in: Self.answer(family: family)) == .found(1000))
    #expect(Self.question.answer(in: Self.answer(family: family, uid: 0)) == .found(0))
  }

  @Test("only four states have an owner, and only a socket with an inode")
  func checksStates() {
    for state in UInt8.min...UInt8.max {
      let answer = Self.question.answer(in: Self.answer(state: state))
      #expect(answer == .found([1, 4, 5, 8].contains(state) ? 1000 : nil), "state \(state)")
    }
    #expect(Self.question.answer(in: Self.answer(uid: 0, inode: 0)) == .found(nil))
  }

  @Test("an error and another type are no answer that names an owner", arguments: [1, 2, 3, 16] as [UInt16])
  func readsErrors(type: UInt16) {
    #expect(Self.question.answer(in: Self.answer(type: type)) == .notFound)
  }

  @Test("a truncated answer names no owner, at any length")
  func survivesTruncation() {
    let whole = Self.answer()
    for length in 0..<whole.count {
      let answer = Self.question.answer(in: Array(whole.prefix(length)))
      #expect(answer == (length < 12 ? nil : .notFound), "\(length) bytes")
    }
    // The header names fewer bytes than an answer has.
    for length in UInt32(0)..<88 {
      #expect(Self.question.answer(in: Self.bytes(length) + whole.dropFirst(4)) == .notFound)
    }
    #expect(Self.question.answer(in: Self.bytes(UInt32.max) + whole.dropFirst(4)) == .notFound)
  }

  @Test("an answer with any byte of its identity changed names no owner")
  func checksEveryByte() {
    for family in [AF_INET, AF_INET6] {
      let whole = Self.answer(family: family)
      // The type, the sequence number; then family, state, and both ends.
      for offset in [4, 5, 8, 9, 10, 11, 16] + Array(20..<56) {
        for change in 1...UInt8.max {
          var message = whole
          message[offset] ^= change
          let answer = Self.question.answer(in: message)
          #expect(answer == nil || answer == .notFound, "byte \(offset) of family \(family)")
        }
      }
    }
  }
}
