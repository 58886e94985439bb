import Synchronization

/// Something that goes wrong with a request. "Commit" is the moment at which the sandbox changes its tables: what
/// strikes before it has no effect there, what strikes after it is a lost or spoilt answer.
public struct Fault: Sendable {
  enum Effect: Sendable {
    case drop
    case delay(Double)
    case hang
    case answer(Answer)
    case error(APIError)
    /// Half of the body, with a `Content-Length` that fits the half: HTTP is sound, the JSON is not.
    case truncate
    /// Half of the body under the full `Content-Length`, then the connection ends.
    case cut
  }

  let afterCommit: Bool
  let effect: Effect

  /// The connection is closed without an answer and without an effect.
  public static let dropBeforeCommit = Fault(afterCommit: false, effect: .drop)
  /// The request takes effect, then the connection is closed without an answer.
  public static let dropAfterCommit = Fault(afterCommit: true, effect: .drop)
  /// No answer and no effect until `releaseHangs()`; then the request goes on as usual.
  public static let hangBeforeCommit = Fault(afterCommit: false, effect: .hang)
  /// The request takes effect, the answer is held back until `releaseHangs()`.
  public static let hangAfterCommit = Fault(afterCommit: true, effect: .hang)
  /// The request takes effect, half of the answer's body arrives as if it were whole.
  public static let truncatedBody = Fault(afterCommit: true, effect: .truncate)
  /// The request takes effect, the connection ends in the middle of the answer's body.
  public static let cutBody = Fault(afterCommit: true, effect: .cut)

  /// The request waits, real seconds, and then goes on.
  public static func delayBeforeCommit(seconds: Double) -> Fault {
    Fault(afterCommit: false, effect: .delay(seconds))
  }

  /// The request takes effect, its answer waits, real seconds.
  public static func delayAfterCommit(seconds: Double) -> Fault {
    Fault(afterCommit: true, effect: .delay(seconds))
  }

  /// Another answer than the server's own.
  public static func answer(
    status: Int, contentType: String = "application/json", body: String = "", headers: [String: String] = [:],
    afterCommit: Bool = false
  ) -> Fault {
    var fields = headers.map { (name: $0.key, value: $0.value) }
    if !body.isEmpty { fields.append((name: "content-type", value: contentType)) }
    return Fault(
      afterCommit: afterCommit, effect: .answer(Answer(status: status, headers: fields, body: Array(body.utf8))))
  }

  /// A failure of Supabase Auth with that code, in the shape that the request's version header asks for.
  public static func error(status: Int, code: String, message: String = "", afterCommit: Bool = false) -> Fault {
    Fault(afterCommit: afterCommit, effect: .error(APIError(status, code, message)))
  }

  /// The OAuth shape, always 400: `{"error":…,"error_description":…}`.
  public static func oauthError(_ error: String, description: String) -> Fault {
    Fault(afterCommit: false, effect: .error(.oauth(error, description)))
  }
}

/// The failures that section 6 of the protocol's description asks a client to tell apart.
extension Fault {
  /// 502 with a proxy's HTML.
  public static let badGatewayHTML = answer(
    status: 502, contentType: "text/html", body: "<html><head><title>502 Bad Gateway</title></head></html>")
  /// 521, "web server is down", with Cloudflare's HTML.
  public static let webServerDownHTML = answer(
    status: 521, contentType: "text/html; charset=UTF-8",
    body: "<!DOCTYPE html><html><head><title>521: Web server is down</title></head></html>")
  /// 504 `request_timeout` although the request took effect.
  public static let timeoutAfterCommit = error(
    status: 504, code: "request_timeout", message: "Processing this request timed out", afterCommit: true)
  /// 409 `conflict`: too many refreshes of one session at once.
  public static let conflict = error(
    status: 409, code: "conflict", message: "Too many concurrent token refresh requests on the same session")
  /// The gateway's 401 for a key that it does not know.
  public static let gatewayUnauthorized = answer(
    status: 401, body: #"{"message":"Invalid API key","hint":"Double check your Supabase `anon` key."}"#)
  /// 422 `hook_timeout`: a hook of the project did not answer.
  public static let hookTimeout = error(
    status: 422, code: "hook_timeout", message: "Failed to reach hook within maximum time of 5.000000 seconds")
  /// 540: the project is paused.
  public static let projectPaused = answer(
    status: 540, contentType: "text/plain", body: "Project paused")
  /// 500 as with a database that is down.
  public static let databaseDown = error(
    status: 500, code: "unexpected_failure", message: "Database error querying schema")

  /// 429 `over_request_rate_limit`; Supabase Auth itself sends no `Retry-After`, a gateway may.
  public static func rateLimited(retryAfter seconds: Int? = nil) -> Fault {
    let headers = seconds.map { [(name: "retry-after", value: String($0))] } ?? []
    return Fault(
      afterCommit: false,
      effect: .error(APIError(429, "over_request_rate_limit", "Request rate limit reached", headers: headers)))
  }

  /// The refresh failure of servers before v2.164: OAuth shape, code `invalid_grant`. `reason` is one of
  /// "Already Used", "Not Found", "Session Expired", "No Valid Session Found".
  public static func invalidGrant(_ reason: String) -> Fault {
    oauthError("invalid_grant", description: "Invalid Refresh Token: " + reason)
  }
}

/// The faults that wait for their request, first come, first served.
struct FaultQueue: Sendable {
  /// One fault on one endpoint.
  struct Entry: Sendable {
    var endpoint: SandboxEndpoint
    var fault: Fault
    /// nil for ever.
    var remaining: Int?
  }

  private(set) var entries: [Entry] = []

  mutating func add(_ fault: Fault, at endpoint: SandboxEndpoint, count: Int?) {
    entries.append(Entry(endpoint: endpoint, fault: fault, remaining: count))
  }

  mutating func clear() { entries = [] }

  /// The first fault that strikes a request for `endpoint`.
  mutating func take(for endpoint: SandboxEndpoint) -> Fault? {
    guard let index = entries.firstIndex(where: { $0.endpoint.covers(endpoint) }) else { return nil }
    let fault = entries[index].fault
    if let remaining = entries[index].remaining {
      entries[index].remaining = remaining - 1
      if remaining <= 1 { entries.remove(at: index) }
    }
    return fault
  }
}

/// Where requests hang until they are let go.
final class HangGate: Sendable {
  private struct Waiters {
    var held: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var next: UInt64 = 0
  }

  private let waiters = Mutex(Waiters())

  /// Requests that hang now.
  var count: Int { waiters.withLock { $0.held.count } }

  /// Returns when the gate is opened, or throws where the task is cancelled (the sandbox stops).
  func wait() async throws {
    let id = waiters.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { wake in
        let isCancelled = waiters.withLock { state in
          if Task.isCancelled { return true }
          state.held[id] = wake
          return false
        }
        if isCancelled { wake.resume() }
      }
    } onCancel: {
      waiters.withLock { $0.held.removeValue(forKey: id) }?.resume()
    }
    try Task.checkCancellation()
  }

  /// Lets all go that hang now; later ones hang again.
  func open() {
    let held = waiters.withLock { state in
      defer { state.held = [:] }
      return state.held
    }
    for wake in held.values { wake.resume() }
  }
}
