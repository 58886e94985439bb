import Synchronization

/// A failure to inject into a request. "Commit" is the moment at which the sandbox changes its
/// tables: a fault before it leaves the tables unchanged, a fault after it loses or damages the
/// response.
public struct Fault: Sendable {
  enum Effect: Sendable {
    case drop
    case delay(Double)
    case hang
    case answer(Answer)
    case error(APIError)
    /// Half of the body, with a `Content-Length` that matches the half: valid HTTP, invalid JSON.
    case truncate
    /// Half of the body under the full `Content-Length`, then the connection closes.
    case cut
  }

  let afterCommit: Bool
  let effect: Effect

  /// Closes the connection without a response or an effect.
  public static let dropBeforeCommit = Fault(afterCommit: false, effect: .drop)
  /// Closes the connection without a response, after the request took effect.
  public static let dropAfterCommit = Fault(afterCommit: true, effect: .drop)
  /// Holds the request, without an effect, until `releaseHangs()`; the request then proceeds as
  /// usual.
  public static let hangBeforeCommit = Fault(afterCommit: false, effect: .hang)
  /// Holds the response until `releaseHangs()`, after the request took effect.
  public static let hangAfterCommit = Fault(afterCommit: true, effect: .hang)
  /// Sends half of the response body as if it were complete, after the request took effect.
  public static let truncatedBody = Fault(afterCommit: true, effect: .truncate)
  /// Closes the connection in the middle of the response body, after the request took effect.
  public static let cutBody = Fault(afterCommit: true, effect: .cut)

  /// Delays the request, in seconds of real time.
  public static func delayBeforeCommit(seconds: Double) -> Fault {
    Fault(afterCommit: false, effect: .delay(seconds))
  }

  /// Delays the response, in seconds of real time, after the request took effect.
  public static func delayAfterCommit(seconds: Double) -> Fault {
    Fault(afterCommit: true, effect: .delay(seconds))
  }

  /// Replaces the server's response.
  public static func answer(
    status: Int, contentType: String = "application/json", body: String = "", headers: [String: String] = [:],
    afterCommit: Bool = false
  ) -> Fault {
    var fields = headers.map { (name: $0.key, value: $0.value) }
    if !body.isEmpty { fields.append((name: "content-type", value: contentType)) }
    return Fault(
      afterCommit: afterCommit, effect: .answer(Answer(status: status, headers: fields, body: Array(body.utf8))))
  }

  /// An error of Supabase Auth with that code, in the shape that the request's version header
  /// selects.
  public static func error(status: Int, code: String, message: String = "", afterCommit: Bool = false) -> Fault {
    Fault(afterCommit: afterCommit, effect: .error(APIError(status, code, message)))
  }

  /// An error in the OAuth shape, always status 400: `{"error":…,"error_description":…}`.
  public static func oauthError(_ error: String, description: String) -> Fault {
    Fault(afterCommit: false, effect: .error(.oauth(error, description)))
  }
}

/// The failures that a client must distinguish (section 6 of the protocol's description).
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
  /// 409 `conflict`: too many concurrent refreshes of one session.
  public static let conflict = error(
    status: 409, code: "conflict", message: "Too many concurrent token refresh requests on the same session")
  /// The gateway's 401 for an unknown key.
  public static let gatewayUnauthorized = answer(
    status: 401, body: #"{"message":"Invalid API key","hint":"Double check your Supabase `anon` key."}"#)
  /// 422 `hook_timeout`: a hook of the project did not answer.
  public static let hookTimeout = error(
    status: 422, code: "hook_timeout", message: "Failed to reach hook within maximum time of 5.000000 seconds")
  /// 540: the project is paused.
  public static let projectPaused = answer(
    status: 540, contentType: "text/plain", body: "Project paused")
  /// 500, as returned when the database is down.
  public static let databaseDown = error(
    status: 500, code: "unexpected_failure", message: "Database error querying schema")

  /// 429 `over_request_rate_limit`. Supabase Auth itself sends no `Retry-After`; a gateway may.
  public static func rateLimited(retryAfter seconds: Int? = nil) -> Fault {
    let headers = seconds.map { [(name: "retry-after", value: String($0))] } ?? []
    return Fault(
      afterCommit: false,
      effect: .error(APIError(429, "over_request_rate_limit", "Request rate limit reached", headers: headers)))
  }

  /// The refresh error of servers before v2.164: OAuth shape, code `invalid_grant`. `reason` is one
  /// of "Already Used", "Not Found", "Session Expired", "No Valid Session Found".
  public static func invalidGrant(_ reason: String) -> Fault {
    oauthError("invalid_grant", description: "Invalid Refresh Token: " + reason)
  }
}

/// Pending faults, applied in the order of insertion.
struct FaultQueue: Sendable {
  /// A fault placed on an endpoint.
  struct Entry: Sendable {
    var endpoint: SandboxEndpoint
    var fault: Fault
    /// Number of requests left to affect; nil means no limit.
    var remaining: Int?
  }

  private(set) var entries: [Entry] = []

  mutating func add(_ fault: Fault, at endpoint: SandboxEndpoint, count: Int?) {
    entries.append(Entry(endpoint: endpoint, fault: fault, remaining: count))
  }

  mutating func clear() { entries = [] }

  /// Returns the first fault for `endpoint`, and counts it as used once.
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

/// A gate at which requests wait until it is opened.
final class HangGate: Sendable {
  private struct Waiters {
    var held: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var next: UInt64 = 0
  }

  private let waiters = Mutex(Waiters())

  /// The number of waiting requests.
  var count: Int { waiters.withLock { $0.held.count } }

  /// Waits until the gate is opened.
  /// - Throws: `CancellationError` if the task is cancelled, as when the sandbox stops.
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

  /// Releases all waiting requests. Later requests wait again.
  func open() {
    let held = waiters.withLock { state in
      defer { state.held = [:] }
      return state.held
    }
    for wake in held.values { wake.resume() }
  }
}
