/// The received requests: counters since the start, and full records of the last ones.
struct RequestJournal: Sendable {
  /// More than any test inspects; limited, because a sandbox may run for days.
  private static let capacity = 500

  private(set) var recent: [RequestRecord] = []
  private(set) var counts: [SandboxEndpoint: Int] = [:]
  /// Requests by path, for the first paths.
  private(set) var paths: [String: Int] = [:]
  /// More than any test uses; limited for the same reason.
  private static let maxPaths = 1000
  private var total = 0
  private var waiters: [(endpoint: SandboxEndpoint, count: Int, id: UInt64, wake: CheckedContinuation<Void, Never>)] =
    []

  func count(_ endpoint: SandboxEndpoint) -> Int {
    switch endpoint {
    case .any: total
    default: counts.filter { endpoint.covers($0.key) }.values.reduce(0, +)
    }
  }

  /// Records a request and returns the waiters, to be resumed outside the lock.
  mutating func note(_ request: Incoming, _ endpoint: SandboxEndpoint) -> [CheckedContinuation<Void, Never>] {
    total += 1
    counts[endpoint, default: 0] += 1
    if paths[request.path] != nil || paths.count < Self.maxPaths { paths[request.path, default: 0] += 1 }
    recent.append(RequestRecord(number: total, request, endpoint))
    if recent.count > Self.capacity { recent.removeFirst(recent.count - Self.capacity) }
    let due = waiters.filter { count($0.endpoint) >= $0.count }
    waiters.removeAll { waiter in due.contains { $0.id == waiter.id } }
    return due.map(\.wake)
  }

  /// Registers a waiter. Returns false, without registering it, if the count is already reached.
  mutating func wait(
    for endpoint: SandboxEndpoint, count wanted: Int, id: UInt64, _ wake: CheckedContinuation<Void, Never>
  ) -> Bool {
    if count(endpoint) >= wanted { return false }
    waiters.append((endpoint, wanted, id, wake))
    return true
  }

  mutating func stopWaiting(_ id: UInt64) -> CheckedContinuation<Void, Never>? {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return nil }
    return waiters.remove(at: index).wake
  }
}

/// A request, with its secrets replaced by their hashes.
public struct RequestRecord: Sendable, Codable {
  /// The request's number; the first request of the sandbox is 1.
  public let number: Int
  /// The method, such as GET or POST.
  public let method: String
  /// The path without its query.
  public let path: String
  /// Names of the query parameters, in order.
  public let queryNames: [String]
  /// The endpoint that the request was for.
  public let endpoint: SandboxEndpoint
  /// Header names in lowercase with their values. For `authorization`, `apikey`, `x-api-key` and `cookie`, the
  /// value is `sha256:` and the digest of the value (of the token alone for a bearer token).
  public let headers: [String: String]

  init(number: Int, _ request: Incoming, _ endpoint: SandboxEndpoint) {
    (self.number, method, path, self.endpoint) = (number, request.method, request.path, endpoint)
    queryNames = request.query.map(\.name)
    headers = Dictionary(request.redactedHeaders.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
  }
}

extension Incoming {
  /// The headers with names in lowercase, and keys and tokens replaced by their SHA-256.
  var redactedHeaders: [(name: String, value: String)] {
    headers.map { header in
      let name = header.name.lowercased()
      let secret = name == "authorization" ? (bearer ?? header.value) : header.value
      let isSecret = ["authorization", "apikey", "x-api-key", "cookie"].contains(name)
      return (name, isSecret ? "sha256:" + Text.sha256Hex(secret) : header.value)
    }
  }
}
