import AgentProtocol
import FoundationEssentials
package import Logging
import ServiceLifecycle
import SessionEngine
import SupabaseAuth

/// A profile from the API, and the onboarding state that it implies. Pure.
package struct ProfileDocument: Sendable, Equatable {
  /// The members; nil if there is no profile.
  let members: [String: JSONValue]?

  /// The member in which the product records that onboarding is done. A profile without this member
  /// is complete.
  private static let flag = "onboarding_complete"
  /// Members that hold a name; the first one that the profile has is filled in.
  private static let names = ["display_name", "full_name", "name"]
  private static let email = "email"

  /// The onboarding state of an account: `needed` or `complete`.
  package var onboarding: String {
    guard let members else { return "needed" }
    guard case .bool(let isDone)? = members[Self.flag] else { return "complete" }
    return isDone ? "complete" : "needed"
  }

  /// Returns the facts from the first sign-in that the profile lacks. An existing row has
  /// only the columns that it shows; for a document or a missing row, the usual member names are
  /// used.
  func prefill(_ facts: FirstTimeFacts?, _ form: ProfileAddress.Form) -> [String: JSONValue] {
    guard let facts else { return [:] }
    var missing: [String: JSONValue] = [:]
    let known = Self.names.first { members?[$0] != nil }
    if let name = facts.name, let member = member(known ?? Self.names[0], form) { missing[member] = .string(name) }
    if let email = facts.email, let member = member(Self.email, form) { missing[member] = .string(email) }
    return missing
  }

  /// Returns the name if the member must be filled in, else nil.
  private func member(_ name: String, _ form: ProfileAddress.Form) -> String? {
    switch members?[name] {
    case .null?: name
    case .string(let text)?: text.isEmpty ? name : nil
    case nil: form == .row && members != nil ? nil : name
    default: nil
    }
  }
}

/// Classifies responses of the profile API. The status takes precedence: the page of a gateway or a
/// captive portal is not a profile.
enum ProfileAnswer {
  /// Returns the profile that was read. It has no members after a 404 for a document, or if the
  /// table has no row.
  ///
  /// - Throws: `noAPI` for a 404 or 405, unless the configuration declares a profile API: the paths of a
  ///   Supabase project include none.
  static func document(
    _ answer: APIResponse, _ form: ProfileAddress.Form, isDeclared: Bool = true
  ) throws(AgentError) -> ProfileDocument {
    if [404, 405].contains(answer.status), !isDeclared { throw noAPI }
    if answer.status == 404, form == .document { return ProfileDocument(members: nil) }
    guard (200...299).contains(answer.status) else { throw refusal(answer, isChange: false) }
    return try parse(answer)
  }

  static func changed(_ answer: APIResponse) throws(AgentError) -> ProfileDocument {
    guard (200...299).contains(answer.status) else { throw refusal(answer, isChange: true) }
    return try parse(answer)
  }

  private static func parse(_ answer: APIResponse) throws(AgentError) -> ProfileDocument {
    guard !answer.body.isEmpty else { return ProfileDocument(members: nil) }
    switch try? WireCoding.decode(JSONValue.self, from: Data(answer.body)) {
    case .object(let members)?: return ProfileDocument(members: members)
    case .array(let rows)?:
      guard let row = rows.first else { return ProfileDocument(members: nil) }
      guard case .object(let members) = row else { break }
      return ProfileDocument(members: members)
    case .null?: return ProfileDocument(members: nil)
    default: break
    }
    throw AgentError(
      .serviceUnavailable, "The profile API did not return a profile.", hint: place)
  }

  static let noAPI = AgentError(
    .misconfigured, "This project has no profile API.",
    hint: "if it has one, set api_url or profile_path of the project in the configuration")
  private static let place = "check profile_path and api_url of the project in the configuration"

  private static func refusal(_ answer: APIResponse, isChange: Bool) -> AgentError {
    switch answer.status {
    case 401, 403: AgentError(.denied, "The profile API does not accept this account.", hint: place)
    case 404, 405: AgentError(.misconfigured, "There is no profile API at this URL.", hint: place)
    case 408, 409, 500...599: AgentError(.serviceUnavailable)
    case 429: AgentError(.rateLimited)
    case 300...399: AgentError(.misconfigured, "The profile API redirects to another URL.", hint: place)
    case _ where isChange: AgentError(.invalidParams, "The profile API rejected the change." + apiMessage(of: answer))
    default: AgentError(.serviceUnavailable, "The profile API returned HTTP \(answer.status).", hint: place)
    }
  }

  /// Returns the API's own message, if any: it names the member that the API rejects.
  private static func apiMessage(of answer: APIResponse) -> String {
    let body = try? WireCoding.decode(JSONValue.self, from: Data(answer.body))
    let text = body?["error"]?["message"]?.text ?? body?["message"]?.text ?? body?["error"]?.text
    return text.map { " Message: \(ForeignText.shown($0))" } ?? ""
  }
}

/// Reads profiles in the background. A shutdown cancels running reads; they are repeated
/// after the next start.
package struct ProfileReader: Service {
  package let profiles: ProfileService
  package let logger: Logger

  package init(profiles: ProfileService, logger: Logger) {
    (self.profiles, self.logger) = (profiles, logger)
  }

  func run() async throws {
    await withDiscardingTaskGroup { group in
      group.addTask { await cancelWhenGracefulShutdown { await serve() } }
    }
  }

  private func serve() async {
    await withTaskGroup(of: Void.self) { group in
      var running = 0
      for await name in profiles.accounts.profileRequests.names {
        if running == ProfileLimits.maxConcurrentReads {
          await group.next()
          running -= 1
        }
        running += 1
        group.addTask { await read(name) }
      }
      group.cancelAll()
    }
  }

  private func read(_ name: String) async {
    do throws(AgentError) {
      try await profiles.readInBackground(name)
    } catch {
      guard error.kind != .cancelled else { return }
      logger.notice(
        "the profile could not be read; the next attempt follows the next refresh",
        metadata: ["account": "\(name)", "kind": "\(error.kind.rawValue)"])
    }
  }
}
