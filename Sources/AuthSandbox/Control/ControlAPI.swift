import FoundationEssentials
import Synchronization

/// The control API under `/sandbox`: the functions of `AuthSandbox` over HTTP. It is open to any
/// process that can reach the loopback port.
struct ControlAPI: Sendable {
  let sandbox: AuthSandbox

  init(backend: Backend) { sandbox = AuthSandbox(backend: backend, server: nil) }

  func answer(_ request: Incoming) async -> Answer {
    let name = request.path.dropFirst("/sandbox".count).drop { $0 == "/" }
    do {
      let method = request.method == "HEAD" ? "GET" : request.method
      return try await perform("\(method) \(name)", request)
    } catch let error as ControlFailure {
      return Answer(status: error.status, json: ["error": .string(error.message)])
    } catch {
      return Answer(status: 400, json: ["error": .string("\(error)")])
    }
  }

  private func perform(_ command: String, _ request: Incoming) async throws -> Answer {
    if let answer = try read(command, request) { return answer }
    switch command {
    case "PATCH settings": return Answer(json: try patchSettings(body(request)))
    case "POST faults": try injectFault(body(request))
    case "DELETE faults": sandbox.clearFaults()
    case "POST release": sandbox.releaseHangs()
    case "POST clock": sandbox.advanceClock(by: .seconds(try seconds(body(request)["advance"], "advance")))
    case "POST expire-tokens": sandbox.expireAccessTokens()
    case "POST accounts": return try addAccount(body(request))
    case "POST id-token":
      return Answer(json: ["id_token": .string(try await sandbox.mintIDToken(idToken(body(request))))])
    default: return try changeUser(command, request)
    }
    return Answer(json: ["ok": true])
  }

  private func read(_ command: String, _ request: Incoming) throws -> Answer? {
    switch command {
    case "GET ":
      let kind = [(name: "content-type", value: "text/markdown; charset=utf-8")]
      return Answer(status: 200, headers: kind, body: Array(ControlDocument.text.utf8))
    case "GET settings": return Answer(json: try encode(sandbox.settings))
    case "GET clock": return Answer(json: ["unix_time": .int(sandbox.unixTime)])
    case "GET counters": return Answer(json: counters)
    case "GET requests": return Answer(json: try encode(sandbox.recentRequests))
    case "GET users": return Answer(json: try encode(sandbox.users))
    case "GET factors": return Answer(json: try encode(sandbox.factors))
    case "GET totp": return try totp(request)
    case "GET mail": return Answer(json: try encode(sandbox.mails))
    default: return nil
    }
  }

  private func changeUser(_ command: String, _ request: Incoming) throws -> Answer {
    switch command {
    case "POST users":
      let body = try body(request)
      let id = sandbox.addUser(
        email: try text(body["email"], "email"), password: try text(body["password"], "password"),
        confirmed: body["confirmed"]?.bool ?? true)
      return Answer(json: ["id": .string(id)])
    case "POST users/confirm": try sandbox.confirmUser(text(body(request)["email"], "email"))
    case "POST users/ban":
      let body = try body(request)
      let time = try body["seconds"].map { Duration.seconds(try seconds($0, "seconds")) }
      try sandbox.banUser(text(body["email"], "email"), for: time ?? .seconds(315_360_000))
    case "POST users/unban": try sandbox.unbanUser(text(body(request)["email"], "email"))
    case "POST users/delete": try sandbox.deleteUser(text(body(request)["email"], "email"))
    case "POST factors":
      let body = try body(request)
      let factor = try sandbox.addFactor(
        to: text(body["email"], "email"), name: body["name"]?.string ?? "", phone: body["phone"]?.string,
        isPasskey: body["passkey"]?.bool ?? false)
      return Answer(json: try encode(factor))
    case "POST revoke":
      if let email = request.body.isEmpty ? nil : try body(request)["email"]?.string {
        try sandbox.revokeSessions(of: email)
      } else {
        sandbox.revokeAllSessions()
      }
    default: throw ControlFailure(status: 404, message: "no such command: \(command); see GET /sandbox")
    }
    return Answer(json: ["ok": true])
  }

  private func totp(_ request: Incoming) throws -> Answer {
    guard let factor = sandbox.factors.first(where: { $0.id == request.parameter("factor") }), factor.code != nil else {
      throw ControlFailure(status: 404, message: "?factor=ID must be the ID of a TOTP factor; see GET /sandbox/factors")
    }
    return Answer(json: try encode(factor))
  }

  private var counters: JSON {
    let (counts, paths, total) = sandbox.backend.journal.withLock { ($0.counts, $0.paths, $0.count(.any)) }
    let ledger = sandbox.backend.state.withLock { $0.ledger }
    return [
      "total": .int(total),
      "requests": .object(Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, JSON.int($0.value)) })),
      "paths": .object(paths.mapValues(JSON.int)),
      "refresh_grants": .int(ledger.grants), "refresh_rotations": .int(ledger.rotations),
      "refresh_presentations": .object(ledger.presentations.mapValues(JSON.int)),
      "oldest_ancestor_presented": .int(ledger.oldestAncestor),
      "oldest_ancestor_by_session": .object(ledger.distances.mapValues(JSON.int)),
      "hanging": .int(sandbox.hangingRequests),
    ]
  }

  private func patchSettings(_ changes: JSON) throws -> JSON {
    let current = try encode(sandbox.settings).object ?? [:]
    let known = Set(SandboxSettings.names)
    for name in (changes.object ?? [:]).keys where !known.contains(name) {
      throw ControlFailure(status: 400, message: "unknown setting: \(name); known settings: \(SandboxSettings.names)")
    }
    let merged = current.merging(changes.object ?? [:], uniquingKeysWith: { $1 })
    let settings = try decode(SandboxSettings.self, .object(merged))
    sandbox.configure { $0 = settings }
    return try encode(settings)
  }

  private func injectFault(_ body: JSON) throws {
    let fault = try FaultBody(body).fault
    guard let endpoint = SandboxEndpoint(rawValue: try text(body["endpoint"], "endpoint")) else {
      let names = SandboxEndpoint.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlFailure(status: 400, message: "unknown endpoint; known endpoints: \(names)")
    }
    let isForever = body["count"] == .null || body["count"] == "forever"
    sandbox.inject(fault, at: endpoint, count: isForever ? nil : body["count"]?.int ?? 1)
  }

  private func idToken(_ body: JSON) throws -> IDTokenRequest {
    let provider = SandboxProvider(rawValue: try text(body["provider"], "provider"))
    var wanted = IDTokenRequest(provider: provider, email: body["email"]?.string)
    (wanted.subject, wanted.name, wanted.nonce) = (body["subject"]?.string, body["name"]?.string, body["nonce"]?.string)
    (wanted.audience, wanted.issuer) = (body["audience"]?.string, body["issuer"]?.string)
    wanted.emailVerified = body["email_verified"]?.bool ?? true
    wanted.expiresIn = body["expires_in"]?.int ?? wanted.expiresIn
    wanted.badSignature = body["bad_signature"]?.bool ?? false
    return wanted
  }

  private func addAccount(_ body: JSON) throws -> Answer {
    let provider = SandboxProvider(rawValue: try text(body["provider"], "provider").lowercased())
    let subject = sandbox.addProviderAccount(
      provider, email: try text(body["email"], "email"), firstName: body["first_name"]?.string ?? "",
      lastName: body["last_name"]?.string ?? "", emailVerified: body["email_verified"]?.bool ?? true)
    return Answer(json: ["subject": .string(subject)])
  }
}

/// An error response of the control API.
struct ControlFailure: Error {
  var status: Int
  var message: String
}

extension ControlAPI {
  func body(_ request: Incoming) throws -> JSON {
    guard let json = try? JSON(parsing: request.body), json.object != nil else {
      throw ControlFailure(status: 400, message: "the body must be a JSON object; see GET /sandbox")
    }
    return json
  }

  func text(_ value: JSON?, _ name: String) throws -> String {
    guard let text = value?.string else { throw ControlFailure(status: 400, message: "\(name) must be a string") }
    return text
  }

  func seconds(_ value: JSON?, _ name: String) throws -> Double {
    guard let number = value?.number else {
      throw ControlFailure(status: 400, message: "\(name) must be a number of seconds")
    }
    return number
  }

  func encode(_ value: some Encodable) throws -> JSON { try JSON(parsing: Array(JSONEncoder().encode(value))) }

  func decode<Value: Decodable>(_ type: Value.Type, _ json: JSON) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(json.bytes))
    } catch {
      throw ControlFailure(status: 400, message: "the body is invalid: \(error)")
    }
  }
}

/// The body of `POST /sandbox/faults`: a fault's name and its parameters.
struct FaultBody {
  private let body: JSON

  init(_ body: JSON) { self.body = body }

  /// Faults without parameters.
  static let plain: [String: Fault] = [
    "drop-before": .dropBeforeCommit, "drop-after": .dropAfterCommit, "hang": .hangBeforeCommit,
    "hang-after": .hangAfterCommit, "truncate": .truncatedBody, "cut": .cutBody, "502": .badGatewayHTML,
    "521": .webServerDownHTML, "504-after": .timeoutAfterCommit, "conflict": .conflict,
    "gateway-401": .gatewayUnauthorized, "hook-timeout": .hookTimeout, "paused": .projectPaused,
    "database-down": .databaseDown,
  ]

  var fault: Fault {
    get throws {
      let name = body["fault"]?.string ?? ""
      if let fault = Self.plain[name] { return fault }
      let seconds = body["seconds"]?.number ?? 0
      let after = body["after_commit"]?.bool ?? false
      let message = body["message"]?.string ?? ""
      switch name {
      case "delay-before": return .delayBeforeCommit(seconds: seconds)
      case "delay-after": return .delayAfterCommit(seconds: seconds)
      case "429": return .rateLimited(retryAfter: body["retry_after"]?.int)
      case "invalid-grant": return .invalidGrant(message.isEmpty ? "Already Used" : message)
      case "error":
        return .error(
          status: body["status"]?.int ?? 400, code: body["code"]?.string ?? "unexpected_failure", message: message,
          afterCommit: after)
      case "answer":
        return .answer(
          status: body["status"]?.int ?? 500, contentType: body["content_type"]?.string ?? "application/json",
          body: body["body"]?.string ?? "", headers: (body["headers"]?.object ?? [:]).compactMapValues(\.string),
          afterCommit: after)
      default:
        let names =
          Self.plain.keys.sorted() + ["delay-before", "delay-after", "429", "invalid-grant", "error", "answer"]
        throw ControlFailure(status: 400, message: "unknown fault; known faults: \(names.joined(separator: ", "))")
      }
    }
  }
}
