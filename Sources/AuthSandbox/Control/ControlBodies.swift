import FoundationEssentials

/// A refusal of the control API, in words.
struct ControlFailure: Error {
  var status: Int
  var message: String
}

extension ControlAPI {
  func body(_ request: Incoming) throws -> JSON {
    guard let json = try? JSON(parsing: request.body), json.object != nil else {
      throw ControlFailure(status: 400, message: "the body has to be a JSON object; see GET /sandbox")
    }
    return json
  }

  func text(_ value: JSON?, _ name: String) throws -> String {
    guard let text = value?.string else { throw ControlFailure(status: 400, message: "\(name) has to be a string") }
    return text
  }

  func integer(_ value: JSON?, _ name: String) throws -> Int {
    guard let number = value?.int else { throw ControlFailure(status: 400, message: "\(name) has to be an integer") }
    return number
  }

  func seconds(_ value: JSON?, _ name: String) throws -> Double {
    guard let number = value?.number else {
      throw ControlFailure(status: 400, message: "\(name) has to be a number of seconds")
    }
    return number
  }

  func encode(_ value: some Encodable) throws -> JSON { try JSON(parsing: Array(JSONEncoder().encode(value))) }

  func decode<Value: Decodable>(_ type: Value.Type, _ json: JSON) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(json.bytes))
    } catch {
      throw ControlFailure(status: 400, message: "the body does not fit: \(error)")
    }
  }
}

/// The body of `POST /sandbox/id-token`; all but `provider` is optional.
struct IDTokenBody: Decodable {
  var provider: SandboxProvider
  var email: String?
  var subject: String?
  var email_verified: Bool?
  var name: String?
  var nonce: String?
  var audience: String?
  var expires_in: Int?
  var bad_signature: Bool?
  var issuer: String?

  var request: IDTokenRequest {
    var request = IDTokenRequest(provider: provider, email: email)
    (request.subject, request.name, request.nonce) = (subject, name, nonce)
    (request.audience, request.issuer) = (audience, issuer)
    request.emailVerified = email_verified ?? true
    request.expiresIn = expires_in ?? request.expiresIn
    request.badSignature = bad_signature ?? false
    return request
  }
}

/// The body of `POST /sandbox/faults`: a fault by its name, with what it needs.
struct FaultBody {
  private let body: JSON

  init(_ body: JSON) { self.body = body }

  /// Faults that need nothing else.
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
        throw ControlFailure(status: 400, message: "no such fault; the names are \(names.joined(separator: ", "))")
      }
    }
  }
}
