import AgentProtocol
import FoundationEssentials
import SessionEngine
import SupabaseAuth

/// What an answer of the profile's API means. The statuses come first: what a gateway or a captive portal says is no profile.
enum ProfileAnswer {
  /// The profile that was read; none for 404 of a document, and for a table without the row.
  static func document(_ answer: APIResponse, _ form: ProfileAddress.Form) throws(AgentError) -> ProfileDocument {
    if answer.status == 404, form == .document { return ProfileDocument(members: nil) }
    guard (200...299).contains(answer.status) else { throw refusal(answer, isChange: false) }
    return try parse(answer)
  }

  /// The profile after a change, as far as the answer tells it.
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
      .serviceUnavailable, "The profile API answers with something else than a profile.", hint: place)
  }

  private static let place = "check profile_path and api_url of the project in the configuration"

  private static func refusal(_ answer: APIResponse, isChange: Bool) -> AgentError {
    switch answer.status {
    case 401, 403: AgentError(.denied, "The profile API does not accept this account.", hint: place)
    case 404, 405: AgentError(.misconfigured, "There is no profile API at this address.", hint: place)
    case 408, 409, 500...599: AgentError(.serviceUnavailable)
    case 429: AgentError(.rateLimited)
    case 300...399: AgentError(.misconfigured, "The profile API sends elsewhere.", hint: place)
    case _ where isChange: AgentError(.invalidParams, "The profile API refuses the change." + words(of: answer))
    default: AgentError(.serviceUnavailable, "The profile API answers with HTTP \(answer.status).", hint: place)
    }
  }

  /// The API's own words, where it has some: it knows which member it does not take.
  private static func words(of answer: APIResponse) -> String {
    let body = try? WireCoding.decode(JSONValue.self, from: Data(answer.body))
    let text = body?["error"]?["message"]?.text ?? body?["message"]?.text ?? body?["error"]?.text
    return text.map { " It says: \(ForeignText.shown($0))" } ?? ""
  }
}
