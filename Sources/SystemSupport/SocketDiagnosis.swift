import Glibc
import Synchronization

/// A TCP connection over IPv4, from the perspective of the process that opened it.
package struct TCPConnection: Sendable, Hashable {
  /// One end of the connection, with its numbers in the machine's byte order.
  package struct End: Sendable, Hashable {
    package let address: UInt32
    package let port: UInt16

    package init(address: UInt32, port: UInt16) { (self.address, self.port) = (address, port) }
  }

  package let client: End
  package let server: End

  package init(client: End, server: End) { (self.client, self.server) = (client, server) }
}

/// A set of states of a TCP socket; bit n is state n of include/net/tcp_states.h.
package struct TCPStates: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The states in which a process has the client's end open: established, the two states after a half
  /// close by this side, and the state after a half close by the other side.
  package static let open = TCPStates(rawValue: 1 << 1 | 1 << 4 | 1 << 5 | 1 << 8)
  package static let listening = TCPStates(rawValue: 1 << 10)
}

/// Asks the kernel for the owner of a single TCP socket (sock_diag(7)). A question takes some
/// microseconds, however many sockets the machine has. Thread-safe.
///
/// - Warning: The first question on a machine may load a kernel module, which blocks. No later one
///   blocks: the kernel answers during send(2).
package final class SocketDiagnosis: Sendable {
  /// Larger than an answer, which has about 120 bytes: `inet_diag_msg` and some attributes.
  private static let bufferSize = 1024
  /// The maximum number of messages that are read for a question: the answer, and answers to earlier
  /// questions that were not read for lack of memory.
  private static let maxMessages = 8

  private let descriptor: Int32
  /// The number of the last question. Locked during each question, so that no answer is read for another one.
  private let sequence = Mutex<UInt32>(0)

  package init() throws(SystemCallError) {
    let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    descriptor = try systemCall("socket") { socket(AF_NETLINK, type, Netlink.socketDiagnosis) }
  }

  deinit { close(descriptor) }

  /// Returns the uid of the process that has the client's end of `connection` open, as this process's
  /// user namespace maps it; nil if there is none, or if the kernel does not tell.
  package func owner(of connection: TCPConnection, in states: TCPStates = .open) -> UInt32? {
    sequence.withLock { sequence in
      // A client may have an IPv6 socket (`::ffff:127.0.0.1`).
      for family in [AF_INET, AF_INET6] {
        sequence &+= 1
        let question = SocketQuestion(connection: connection, states: states, family: family, sequence: sequence)
        if case .found(let uid)? = ask(question) { return uid }
      }
      return nil
    }
  }

  private func ask(_ question: SocketQuestion) -> SocketQuestion.Answer? {
    let message = question.message
    guard (try? systemCall("send") { send(descriptor, message, message.count, 0) }) == message.count else { return nil }
    for _ in 0..<Self.maxMessages {
      do {
        let (answer, sender) = try receive()
        // 0 is the kernel (netlink(7)).
        if sender == 0, let answer = question.answer(in: answer) { return answer }
      } catch {
        // An answer was lost earlier; the next call reads what has arrived.
        guard error.errno == ENOBUFS else { return nil }
      }
    }
    return nil
  }

  /// Reads one message, without waiting.
  private func receive() throws(SystemCallError) -> (message: [UInt8], sender: UInt32) {
    var message = [UInt8](repeating: 0, count: Self.bufferSize)
    // sockaddr_nl: family and padding, 16 bits each, then the port id.
    var (sender, length) = ([UInt32](repeating: .max, count: 3), socklen_t(12))
    let count = try systemCall("recvfrom") {
      sender.withUnsafeMutableBytes { sender in
        recvfrom(
          descriptor, &message, message.count, Int32(MSG_DONTWAIT),
          sender.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
      }
    }
    message.removeLast(message.count - count)
    return (message, sender[1])
  }
}

/// Numbers of linux/netlink.h and linux/sock_diag.h, which the Glibc module does not have.
private enum Netlink {
  static let socketDiagnosis: Int32 = 4
  static let socketDiagnosisByFamily: UInt16 = 20
  static let error: UInt16 = 2
  static let request: UInt16 = 1
  /// The size of `nlmsghdr`.
  static let headerSize = 16
}

/// A question about one socket, as bytes: `inet_diag_req_v2` in a netlink message (sock_diag(7)).
struct SocketQuestion {
  enum Answer: Equatable {
    /// The socket of the connection. The uid is nil if its state is another one, or no process has it open.
    case found(UInt32?)
    /// An error, or another socket: without a match the kernel describes the socket that listens on
    /// the client's port.
    case notFound
  }

  let connection: TCPConnection
  let states: TCPStates
  let family: Int32
  let sequence: UInt32

  private static let tcp: UInt8 = 6
  private static let questionSize = 56
  /// The size of `inet_diag_msg`, and where its fields are that follow the id.
  private static let (answerSize, uidOffset, inodeOffset) = (72, 64, 68)
  /// The ports and addresses, where `inet_diag_sockid` begins in a question and in an answer.
  private static let (endsSize, endsOffset) = (36, 4)

  var message: [UInt8] {
    let header = Netlink.headerSize
    var bytes: [UInt8] = []
    bytes.reserveCapacity(header + Self.questionSize)
    bytes.append(UInt32(header + Self.questionSize))
    bytes.append(Netlink.socketDiagnosisByFamily)
    bytes.append(Netlink.request)
    bytes.append(sequence)
    bytes.append(UInt32(0))
    bytes += [UInt8(family), Self.tcp, 0, 0]
    bytes.append(states.rawValue)
    bytes += Self.ends(of: connection, family)
    bytes.append(UInt32(0))
    // Any cookie (INET_DIAG_NOCOOKIE).
    bytes.append(UInt64.max)
    return bytes
  }

  /// Returns the answer; nil if `message` answers another question.
  func answer(in message: [UInt8]) -> Answer? {
    guard let length: UInt32 = message.number(at: 0), let type: UInt16 = message.number(at: 4),
      message.number(at: 8) == sequence
    else { return nil }
    let answer = message.dropFirst(Netlink.headerSize)
    // A shorter message is truncated.
    guard type == Netlink.socketDiagnosisByFamily, length <= message.count,
      length >= Netlink.headerSize + Self.answerSize, answer.count >= Self.answerSize
    else { return .notFound }
    let start = answer.startIndex
    let (family, state) = (Int32(answer[start]), answer[start + 1])
    // A question of one family may find a socket of the other one.
    guard [AF_INET, AF_INET6].contains(family),
      answer.dropFirst(Self.endsOffset).prefix(Self.endsSize).elementsEqual(Self.ends(of: connection, family))
    else { return .notFound }
    // A socket without an inode is one that no process has open any more. Kernels show uid 0 for it.
    guard state < 32, states.contains(TCPStates(rawValue: 1 << state)),
      let uid: UInt32 = message.number(at: start + Self.uidOffset),
      let inode: UInt32 = message.number(at: start + Self.inodeOffset), inode != 0
    else { return .found(nil) }
    return .found(uid)
  }

  /// Both ports and both addresses of `inet_diag_sockid`, in network byte order.
  private static func ends(of connection: TCPConnection, _ family: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(endsSize)
    let ends = [connection.client, connection.server]
    for end in ends { bytes.append(end.port.bigEndian) }
    for end in ends {
      // `::ffff:a.b.c.d` for an IPv6 socket.
      if family == AF_INET6 { bytes += [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] }
      bytes.append(end.address.bigEndian)
      if family != AF_INET6 { bytes += [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
    }
    return bytes
  }
}

extension [UInt8] {
  /// Appends the bytes of a number in the machine's order.
  fileprivate mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
  }

  /// Returns the number at `offset` in the machine's order; nil if it is not inside.
  fileprivate func number<Number: FixedWidthInteger>(at offset: Int) -> Number? {
    guard offset + MemoryLayout<Number>.size <= count else { return nil }
    return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
  }
}
