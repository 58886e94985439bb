import AgentClient
import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport

/// A client of the agent's HTTP proxy (docs/egress.md). It sends one request on one connection.
struct EgressClient {
  /// The agent's own socket, which is next to the proxy's.
  let agent: String
  /// The maximum time that a call waits for a stopped agent, as that of `AgentConnection`.
  var maxSilence = Duration.seconds(10)
  /// The maximum wait for the head of the response, and for more of a body. The agent's own limits end
  /// an exchange earlier (900 s), so that the agent reports the error.
  var maxWait = Duration.seconds(930)

  struct Request {
    var method = "GET"
    /// Path and query.
    var target: String
    var account: String?
    /// The headers besides those of the account and the framing.
    var headers: [(name: String, value: String)] = []
    var body: RequestBody?
  }

  /// The maximum size of a problem document, which the agent writes itself.
  private static let maxProblem = 64 * 1024

  /// Sends a request, and passes each piece of the response's body to `show`.
  ///
  /// - Returns: the head of the response of the project or the API, whatever its status.
  /// - Throws: a failure with the exit status of its kind for a response of the agent itself;
  ///   `AgentClientError`, also for a response that is cut off; and what `show` throws.
  func send(_ request: Request, _ show: (HTTPReader.Head, [UInt8]) throws -> Void) throws -> HTTPReader.Head {
    let (head, host) = (try Self.head(of: request), Self.host(of: request))
    let exchange = EgressExchange(
      self, try connect(), Upload(head, request.body), HTTPReader(method: request.method))
    var problem: [UInt8] = []
    let answer = try exchange.run { head, piece in
      guard head.isOwn else { return try show(head.withPaths(of: host), piece) }
      problem += piece.prefix(Self.maxProblem - problem.count)
    }
    guard answer.isOwn else { return answer.withPaths(of: host) }
    throw Failure(ownAnswer: answer, problem)
  }

  // MARK: - The request

  /// The host that selects the account, unless its name is not a host.
  private static func host(of request: Request) -> String {
    request.account.flatMap { AccountName.isValidForNew($0) ? $0 : nil } ?? "localhost"
  }

  private static func head(of request: Request) throws -> [UInt8] {
    let host = host(of: request)
    var headers = [("Connection", "close"), ("Host", host)]
    if let account = request.account, account != host {
      guard AccountName.isValid(account) else { throw AgentError(.unknownAccount) }
      headers.append(("Ritual-Account", account))
    }
    if !request.headers.contains(where: { $0.name.lowercased() == "user-agent" }) {
      headers.append(("User-Agent", "ritualctl/\(AgentVersion.current)"))
    }
    headers += request.headers.map { ($0.name, $0.value) }
    if let body = request.body {
      headers.append(body.length.map { ("Content-Length", "\($0)") } ?? ("Transfer-Encoding", "chunked"))
    }
    let lines = ["\(request.method) \(request.target) HTTP/1.1"] + headers.map { "\($0): \($1)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  // MARK: - The connection

  private func connect() throws -> UnixStream {
    let path = AgentPaths.egressSocket(nextTo: agent)
    do throws(AgentClientError) { return try open(path) } catch {
      guard error.unusedSocket != nil else { throw error }
    }
    // Without an agent, its error says how to start one. An agent that starts answers once it has bound
    // all of its sockets.
    try askAgent(within: CommonOptions.connectTimeout)
    do throws(AgentClientError) { return try open(path) } catch {
      guard error.unusedSocket != nil else { throw error }
      throw Failure(
        .unreachable, "the agent does not serve \(path)", hint: "\(AdapterChecks.enableSockets)")
    }
  }

  private func open(_ path: String) throws(AgentClientError) -> UnixStream {
    try UnixStream.connect(to: path, within: CommonOptions.connectTimeout, uid: geteuid())
  }

  /// Checks that the agent runs.
  fileprivate func askAgent(within limit: Duration) throws {
    let end = ContinuousClock.now + limit
    let connection = try AgentConnection(to: agent, timeout: limit)
    connection.maxSilence = nil
    let left = ContinuousClock.now.duration(to: end)
    _ = try connection.call(
      AgentHello.self, AgentHello.Params(client: "liveness"), timeout: max(.milliseconds(1), left))
  }
}

/// The exchange on one connection. The body is sent while the response arrives, because a server may
/// answer before it has read everything.
private final class EgressExchange {
  /// In practice, the maximum that one read of a Unix socket returns.
  private static let pieceSize = 64 * 1024

  private let client: EgressClient
  private let stream: UnixStream
  private var upload: Upload
  private var reader: HTTPReader

  init(_ client: EgressClient, _ stream: consuming UnixStream, _ upload: Upload, _ reader: HTTPReader) {
    self.client = client
    self.stream = stream
    self.upload = upload
    self.reader = reader
  }

  func run(_ show: (HTTPReader.Head, [UInt8]) throws -> Void) throws -> HTTPReader.Head {
    var end = ContinuousClock.now + client.maxWait
    while true {
      if reader.isComplete, let head = reader.head { return head }
      let ready = try wait(until: end)
      if ready & POLLOUT != 0, try send() { end = ContinuousClock.now + client.maxWait }
      // An error of the connection is seen by the read.
      guard ready & ~POLLOUT != 0, let piece = try receive() else { continue }
      let body = try take(piece)
      guard let head = reader.head else { continue }
      end = ContinuousClock.now + client.maxWait
      if !body.isEmpty { try show(head, body) }
    }
  }

  /// Waits for the connection. Asks a silent agent whether it still runs.
  private func wait(until end: ContinuousClock.Instant) throws -> Int32 {
    while true {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { throw AgentClientError.timedOut(after: client.maxWait, stream.silence) }
      let pause = min(left, client.maxSilence / 3)
      let ready = stream.ready(upload.isOver ? POLLIN : POLLIN | POLLOUT, deadline: PollDeadline(after: pause))
      guard ready == 0 else { return ready }
      do { try client.askAgent(within: client.maxSilence - client.maxSilence / 3) } catch is AgentClientError {
        throw AgentClientError.timedOut(after: client.maxSilence, stream.silence)
      } catch {
        // A refusal is an answer, too.
      }
    }
  }

  /// Returns true if something was sent. A server that reads no more has answered, or has gone: the next
  /// read tells.
  private func send() throws -> Bool {
    let part = try upload.next()
    do throws(AgentClientError) {
      let count = try part.withUnsafeBytes { bytes in
        Result { () throws(AgentClientError) in try self.stream.sendSome(of: bytes) }
      }.get()
      upload.sent(count)
      return count > 0
    } catch {
      upload.stop()
      return false
    }
  }

  private func receive() throws -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    let count = try piece.withUnsafeMutableBytes { try stream.receive(into: $0, deadline: PollDeadline(after: .zero)) }
    guard let count else { return nil }
    piece.removeLast(piece.count - count)
    return piece
  }

  /// - Parameter piece: empty at the end of the stream.
  private func take(_ piece: [UInt8]) throws -> [UInt8] {
    if piece.isEmpty { reader.takeEnd() }
    guard !piece.isEmpty || reader.isComplete else {
      guard reader.head != nil else { throw AgentClientError.disconnected() }
      throw Failure(.cutOff, "the response was cut off: the agent or the server closed the connection")
    }
    do throws(HTTPReader.Malformed) { return try reader.take(piece[...]) } catch {
      throw AgentClientError.protocolViolation(error.what)
    }
  }
}

/// The body of a request: its beginning, and a stream that has the rest.
struct RequestBody {
  /// The part that is read before the request is sent: as much as the agent keeps to repeat a request.
  private static let maxStart = 1 << 20

  let start: [UInt8]
  /// nil if `start` is everything. It is read once, and closed by the end of the program.
  let rest: Int32?
  /// nil if it is not known before the end.
  let length: Int?

  init(_ bytes: [UInt8]) { (start, rest, length) = (bytes, nil, bytes.count) }

  /// Reads the beginning of a stream.
  init(from descriptor: Int32) throws {
    start = try Streams.readStart(from: descriptor, limit: Self.maxStart)
    guard start.count > Self.maxStart else {
      (rest, length) = (nil, start.count)
      return
    }
    rest = descriptor
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let left = isFile ? Int(status.st_size) - lseek(descriptor, 0, SEEK_CUR) : -1
    length = left >= 0 ? start.count + left : nil
  }
}

/// The bytes of a request that are to be sent.
private struct Upload {
  private static let pieceSize = 64 * 1024

  private var pending: ArraySlice<UInt8>
  private var rest: Int32?
  /// The bytes that `rest` must have; nil for a body in chunks.
  private var left: Int?

  init(_ head: [UInt8], _ body: RequestBody?) {
    (pending, rest) = (head[...], body?.rest)
    left = body?.length.map { $0 - (body?.start.count ?? 0) }
    if let body { pending += left == nil ? Self.chunk(body.start) : body.start }
    if left == 0 { rest = nil }
  }

  var isOver: Bool { pending.isEmpty && rest == nil }

  /// Returns what is to be sent next. Reads from the stream, and may wait for it.
  mutating func next() throws -> ArraySlice<UInt8> {
    guard pending.isEmpty, let rest else { return pending }
    let part = try Streams.read(from: rest, count: min(Self.pieceSize, left ?? .max))
    guard let left else {
      if part.isEmpty { self.rest = nil }
      pending = Self.chunk(part)[...]
      return pending
    }
    guard !part.isEmpty else { throw Failure(.failed, "the file became shorter while it was sent") }
    self.left = left - part.count
    if left == part.count { self.rest = nil }
    pending = part[...]
    return pending
  }

  mutating func sent(_ count: Int) { pending = pending.dropFirst(count) }

  mutating func stop() { (pending, rest) = ([], nil) }

  /// A chunk (RFC 9112, section 7.1); the last one is empty.
  private static func chunk(_ part: [UInt8]) -> [UInt8] {
    Array((String(part.count, radix: 16) + "\r\n").utf8) + part + Array("\r\n".utf8)
  }
}

extension HTTPReader.Head {
  /// True for a response of the agent itself. The agent removes the header from other responses.
  fileprivate var isOwn: Bool { values("proxy-status").contains { $0.hasPrefix("ritual-agent") } }

  /// The head with a path where the proxy gives a URL of its own, which nobody else can open.
  fileprivate func withPaths(of host: String) -> Self {
    let base = "http://\(host)/"
    return HTTPReader.Head(
      status: status,
      headers: headers.map { name, value in
        let isURL = ["location", "content-location"].contains(name.lowercased())
        return (name, isURL && value.hasPrefix(base) ? String(value.dropFirst(base.utf8.count - 1)) : value)
      })
  }
}

extension Failure {
  /// The problem document of the agent (RFC 9457).
  private struct Problem: Decodable {
    let kind: String
    let detail: String
    let hint: String?
    let account: String?
  }

  /// The failure that a response of the agent itself describes, with the exit status of its kind.
  fileprivate init(ownAnswer head: HTTPReader.Head, _ body: [UInt8]) {
    let problem = try? WireCoding.decode(Problem.self, from: Data(body))
    // A response to HEAD has no body, but the kind is also in the header.
    let named = head.values("proxy-status").joined().split(separator: "\"").dropFirst().first ?? ""
    let kind = ErrorKind(rawValue: problem?.kind ?? String(named))
    var error = AgentError(
      kind, problem?.detail, account: problem?.account,
      retryAfter: head.values("retry-after").first.flatMap { Double($0) })
    if let problem { error.data.hint = problem.hint }
    self.init(error)
    // The proxy's own kind for a request that is wrong in itself.
    if kind.rawValue == "badRequest" { exit = .usage }
  }
}
