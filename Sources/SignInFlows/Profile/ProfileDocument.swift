import AgentProtocol
import SessionEngine

/// A profile as the API has it, and what it says about the first steps in the product. Pure.
package struct ProfileDocument: Sendable, Equatable {
  /// Nil where there is none.
  let members: [String: JSONValue]?

  /// The member by which the product says that its first steps are done. A profile without it is complete by being there.
  private static let flag = "onboarding_complete"
  /// Members that hold a name; the first one that the profile knows is the one to fill.
  private static let names = ["display_name", "full_name", "name"]
  private static let email = "email"

  /// `needed` or `complete`, as an account shows it.
  package var onboarding: String {
    guard let members else { return "needed" }
    guard case .bool(let isDone)? = members[Self.flag] else { return "complete" }
    return isDone ? "complete" : "needed"
  }

  /// What was told at the first sign-in and is not in the profile (SI-4). A row has the columns that it shows and no others; a
  /// document, or a row that is not there yet, is asked for the usual ones.
  func prefill(_ facts: FirstTimeFacts?, _ form: ProfileAddress.Form) -> [String: JSONValue] {
    guard let facts else { return [:] }
    var missing: [String: JSONValue] = [:]
    let known = Self.names.first { members?[$0] != nil }
    if let name = facts.name, let member = member(known ?? Self.names[0], form) { missing[member] = .string(name) }
    if let email = facts.email, let member = member(Self.email, form) { missing[member] = .string(email) }
    return missing
  }

  /// The member's name, if it is to be filled.
  private func member(_ name: String, _ form: ProfileAddress.Form) -> String? {
    switch members?[name] {
    case .null?: name
    case .string(let text)?: text.isEmpty ? name : nil
    case nil: form == .row && members != nil ? nil : name
    default: nil
    }
  }
}
