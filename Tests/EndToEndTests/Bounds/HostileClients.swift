import Foundation
import Glibc
import Synchronization
import TestKit

/// Hostile clients of all kinds at once, on a separate thread until `stop`.
final class HostileClients: Sendable {
  /// The behavior of one kind of client; `again` is sent repeatedly.
  private struct Kind {
    var once = ""
    var again: [UInt8] = []
    var reads = true
    var drips = false
    var churns = false
  }

  private struct Client {
    let kind: Int
    var descriptor: Int32 = -1
    var sent = 0
  }

  private static let token = #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":{}}"# + "\n"
  private static let status = #"{"jsonrpc":"2.0","id":1,"method":"agent.status","params":{}}"# + "\n"
  private static let subscribe = #"{"jsonrpc":"2.0","id":1,"method":"events.subscribe","params":{}}"# + "\n"

  private static let kinds = [
    Kind(once: #"{"jsonrpc":"2.0","#),
    Kind(again: Array(token.utf8), drips: true),
    Kind(again: [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)),
    Kind(again: [UInt8](repeating: UInt8(ascii: "["), count: 5000) + [0x0A]),
    Kind(again: [UInt8](repeating: 0xFF, count: 4000) + [0x0A]),
    Kind(once: subscribe, reads: false),
    Kind(again: Array(String(repeating: token, count: 200).utf8), reads: false),
    Kind(again: Array(String(repeating: token, count: 200).utf8)),
    Kind(again: Array(String(repeating: status, count: 200).utf8)),
    Kind(once: token, churns: true),
  ]

  private let path: String
  private let count: Int
  private let isOver = Atomic<Bool>(false)
  private let sent = Atomic<Int>(0)
  private let ended = DispatchSemaphore(value: 0)

  /// Number of bytes sent by all clients.
  var bytesSent: Int { sent.load(ordering: .relaxed) }

  /// Starts `count` clients of each kind.
  init(_ path: String, ofEachKind count: Int) {
    (self.path, self.count) = (path, count)
    // `join` uses no thread of Swift's tasks.
    Thread.detachNewThread { self.run() }
  }

  /// Stops all clients, and returns when their connections are closed.
  func stop() async {
    isOver.store(true, ordering: .relaxed)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        self.ended.wait()
        continuation.resume()
      }
    }
  }

  private func run() {
    var clients = Self.kinds.indices.flatMap { kind in (0..<count).map { _ in Client(kind: kind) } }
    var round = 0
    while !isOver.load(ordering: .relaxed) {
      for index in clients.indices { serve(&clients[index], round) }
      round += 1
      // The clients share the processor with the agent: the test is about the agent, not the
      // scheduler.
      usleep(500)
    }
    for client in clients where client.descriptor >= 0 { close(client.descriptor) }
    ended.signal()
  }

  private func serve(_ client: inout Client, _ round: Int) {
    let kind = Self.kinds[client.kind]
    if client.descriptor < 0 { connect(&client, kind) }
    guard client.descriptor >= 0 else { return }
    var lives = !kind.reads || pull(client.descriptor)
    if lives, !kind.again.isEmpty, !kind.drips || round % 100 == 0 { lives = push(&client, kind) }
    if !lives || kind.churns { leave(&client) }
  }

  private func leave(_ client: inout Client) {
    close(client.descriptor)
    client.descriptor = -1
    client.sent = 0
  }

  private func connect(_ client: inout Client, _ kind: Kind) {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    client.descriptor = socket(AF_UNIX, type, 0)
    guard withUnixAddress(path, { Glibc.connect(client.descriptor, $0, $1) }) == 0 else { return leave(&client) }
    let once = Array(kind.once.utf8)
    if !once.isEmpty, send(client.descriptor, once, once.count, Int32(MSG_NOSIGNAL)) < 0 { leave(&client) }
  }

  private func push(_ client: inout Client, _ kind: Kind) -> Bool {
    let count = kind.drips ? 1 : kind.again.count - client.sent
    let bytes = kind.again[client.sent...].prefix(count)
    let written = bytes.withUnsafeBytes { send(client.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard written >= 0 else { return errno == EAGAIN }
    client.sent = (client.sent + written) % kind.again.count
    sent.add(written, ordering: .relaxed)
    return true
  }

  private func pull(_ descriptor: Int32) -> Bool {
    var sink = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &sink, sink.count, 0)
    return count > 0 || count < 0 && errno == EAGAIN
  }
}
