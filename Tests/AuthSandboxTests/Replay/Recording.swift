import Foundation

@testable import AuthSandbox

/// An exchange with a real Supabase Auth v2.196.0, from Recorded/exchanges.json and
/// Recorded/more-exchanges.json. Long tokens are shortened in the files; `"{…user…}"` stands for a
/// user object and `"{…session…}"` for a complete session.
struct Exchange: Decodable, Sendable {
  var id: String
  var method: String
  var path: String
  var requestHeaders: [String: String]
  var requestBody: String?
  var status: Int
  var headers: [String: String]
  var body: JSON
  /// True if the recording shows only some headers and members of the response, and of an error's
  /// request only its path.
  var isPartial: Bool?
  /// Claims of the response's access token, and its life as the difference of `iat` and `exp`.
  var claims: JSON?

  var hasVersionHeader: Bool { requestHeaders["X-Supabase-Api-Version"] != nil }
}

enum Recording {
  static let all = read("exchanges") + read("more-exchanges")

  private static func read(_ name: String) -> [Exchange] {
    guard let file = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Recorded"),
      let data = try? Data(contentsOf: file), let all = try? JSONDecoder().decode([Exchange].self, from: data)
    else { fatalError("Recorded/\(name).json is missing or not readable") }
    return all
  }

  static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}
