import SupabaseAuth

/// Where a user's profile lies (`profile_path`): one document at a path of the product's own API, or one row of a table that
/// PostgREST serves. Pure.
package struct ProfileAddress: Sendable, Equatable {
  package enum Form: Sendable {
    /// `GET` and `PUT` at the path; a `PUT` merges members.
    case document
    /// `GET`, `PATCH` and `POST` of a row whose `id` is the user's (Supabase's habit for `profiles`).
    case row
  }

  package let form: Form
  /// The path for reading and changing, with its filter.
  package let path: String
  /// The path for a new row.
  package let table: String

  private static let tablePrefix = "/rest/v1/"

  init(_ configured: String, userID: String) {
    table = configured
    guard configured.hasPrefix(Self.tablePrefix) else {
      form = .document
      path = configured
      return
    }
    form = .row
    let query = configured.split(separator: "?", maxSplits: 1).dropFirst().first
    path = configured + (query == nil ? "?" : "&") + "id=eq." + Self.encoded(userID)
  }

  /// What is unreserved in RFC 3986, section 2.3, stays: a UUID does as it is.
  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain =
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._~".utf8.contains(byte)
      guard !isPlain else { return String(Unicode.Scalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
    }.joined()
  }
}
