import Glibc
import NIOPosix
import TestKit

/// A plain HTTP client on a blocking socket of its own, like another program on this machine.
enum LoopbackClient {
  struct Reply: Sendable {
    let status: Int
    let headers: [String: String]
    let body: String
  }

  /// Threads that may block, enough for the concurrent requests of parallel tests.
  private static let threads: NIOThreadPool = {
    let pool = NIOThreadPool(numberOfThreads: 16)
    pool.start()
    return pool
  }()

  /// Requests `target` with a browser's headers. `headers` overrides them; an empty value omits a
  /// header.
  static func get(
    _ port: Int, _ target: String, method: String = "GET", headers: [String: String] = [:], body: String = "",
    uid: UInt32? = nil
  ) async throws -> Reply {
    var all = [
      "Host": "127.0.0.1:\(port)", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
      "Sec-Fetch-Site": "cross-site", "Accept": "text/html", "Connection": "close",
    ]
    all.merge(headers) { $1 }
    let lines = all.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return try await send(
      port, "\(method) \(target) HTTP/1.1\r\n" + lines.joined(separator: "\r\n") + "\r\n\r\n" + body, uid: uid)
  }

  /// Follows redirects within the listener with a cookie jar of its own, as a browser does.
  static func browse(_ port: Int, _ target: String) async throws -> Reply {
    try await PageVisitor(port: port).get(target)
  }

  static func browse(_ url: String) async throws -> Reply {
    let (port, target) = place(of: url)
    return try await browse(port, target)
  }

  /// The port and the target of a URL on loopback.
  static func place(of url: String) -> (port: Int, target: String) {
    let parts = url.split(separator: "/", maxSplits: 2)
    let port = parts.dropFirst().first?.split(separator: ":").last.flatMap { Int($0) }
    return (port ?? 0, "/" + (parts.dropFirst(2).first ?? ""))
  }

  /// Sends `text` and reads until the server closes the connection. With `uid` the socket belongs
  /// to that user: the kernel takes the owner from the thread's filesystem uid (setfsuid(2)), which
  /// only root may set.
  static func send(_ port: Int, _ text: String, uid: UInt32? = nil) async throws -> Reply {
    let bytes = try await threads.runIfActive { try exchange(port, Array(text.utf8), uid) }
    return parse(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns a connected socket. The caller closes it.
  static func connect(_ port: Int, uid: UInt32? = nil) throws -> Int32 {
    if let uid { try setFilesystemUID(uid) }
    defer { if uid != nil { try? setFilesystemUID(geteuid()) } }
    let descriptor = try connectedSocket(loopback: UInt16(port))
    limitReads(of: descriptor, to: 60)
    return descriptor
  }

  /// Calls setfsuid(2) for this thread only. The Glibc module does not declare it, but the library
  /// has it.
  private static func setFilesystemUID(_ uid: UInt32) throws {
    typealias Function = @convention(c) (UInt32) -> Int32
    guard let symbol = dlsym(nil, "setfsuid") else { throw ConditionTimeout(what: "setfsuid(2)") }
    _ = unsafeBitCast(symbol, to: Function.self)(uid)
  }

  private static func exchange(_ port: Int, _ bytes: [UInt8], _ uid: UInt32?) throws -> [UInt8] {
    let descriptor = try connect(port, uid: uid)
    defer { close(descriptor) }
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    return readAll(descriptor)
  }

  /// Returns all bytes until the peer closes the connection.
  static func readAll(_ descriptor: Int32) -> [UInt8] {
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { return all }
      all += piece[..<count]
    }
  }

  private static func parse(_ text: String) -> Reply {
    let halves = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = (halves.first ?? "").split(separator: "\r\n")
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
    return Reply(status: status, headers: headers, body: halves.count > 1 ? String(halves[1]) : "")
  }
}
