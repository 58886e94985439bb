/// A plain HTTP client of a grant.
struct LoopbackHTTP: Sendable {
  struct Reply: Sendable {
    let status: Int
    let head: String
    let body: String

    init(_ text: String) {
      let halves = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
      head = halves.first.map { $0.lowercased() } ?? ""
      body = halves.count > 1 ? String(halves[1]) : ""
      status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
  }

  private let socket: BlockingSocket
  let port: UInt16

  init(_ port: UInt16) throws {
    self.port = port
    socket = try BlockingSocket(loopback: port)
  }

  /// Sends a request and reads until the connection is closed.
  func get(_ target: String, _ headers: [String: String], method: String = "GET") async -> Reply {
    let all = ["Host": "127.0.0.1:\(port)", "Connection": "close"].merging(headers) { $1 }
    let lines = all.map { "\($0.key): \($0.value)\r\n" }.joined()
    return Reply(await exchange("\(method) \(target) HTTP/1.1\r\n\(lines)\r\n", until: nil))
  }

  /// Sends `text` and reads up to `end`, or until the connection is closed.
  func exchange(_ text: String, until end: String?) async -> String { await socket.exchange(text, until: end) }
}
