import Foundation
import TestKit

/// An account in `ritualctl status --json`, with the members that tests need.
struct AccountReport: Decodable {
  struct Refresh: Decodable {
    var nextAt: String?
    var attempts: Int
    var clockSkew: Int?
  }

  struct Ended: Decodable { var reason: String }
  struct User: Decodable { var email: String? }

  var name: String
  var state: String
  var refresh: Refresh?
  var ended: Ended?
  var user: User?
}

/// The output of `ritualctl status --json`.
struct StatusReport: Decodable {
  var accounts: [AccountReport]
  var health: [String]
}

extension TestHome {
  nonisolated func report() async throws -> StatusReport {
    try JSONDecoder().decode(StatusReport.self, from: Data(try await ctl("status", "--json").stdout.utf8))
  }

  nonisolated func accountStatus(_ name: String) async throws -> AccountReport {
    guard let account = try await report().accounts.first(where: { $0.name == name }) else {
      throw CocoaError(.keyValueValidation)
    }
    return account
  }
}
