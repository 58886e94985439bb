import Foundation

@testable import AuthSandbox

/// An exchange with a real Supabase Auth v2.196.0, from Recorded/exchanges.json. Long tokens are
/// shortened in the file, and `"{…user…}"` stands for a user object.
struct Exchange: Decodable, Sendable {
  var id: String
  var method: String
  var path: String
  var requestHeaders: [String: String]
  var requestBody: String?
  var status: Int
  var headers: [String: String]
  var body: JSON

  var hasVersionHeader: Bool { requestHeaders["X-Supabase-Api-Version"] != nil }
}

enum Recording {
  static let all: [Exchange] = {
    guard let file = Bundle.module.url(forResource: "exchanges", withExtension: "json", subdirectory: "Recorded"),
      let data = try? Data(contentsOf: file), let all = try? JSONDecoder().decode([Exchange].self, from: data)
    else { fatalError("Recorded/exchanges.json is missing or not readable") }
    return all
  }()

  static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}
