import AgentProtocol
import SystemSupport

/// The fields of `api -f KEY=VALUE`, with the keys of `gh api`: `a`, `a[b]` for a member of an
/// object, and `a[]` for an element of an array. All values are strings.
struct RequestFields {
  private struct Field {
    /// The key as written.
    let name: String
    /// The names in the key. The last is empty for `[]`.
    let path: [String]
    let value: String

    /// - Returns: Nil if the field has no `=` or its key is malformed.
    init?(_ text: String) {
      guard let equals = text.firstIndex(of: "=") else { return nil }
      name = String(text[..<equals])
      value = String(text[text.index(after: equals)...])
      // "a[b][]" is split into "a", "b]" and "]".
      let parts = name.split(separator: "[", omittingEmptySubsequences: false)
      guard let first = parts.first, !first.isEmpty, !first.contains("]"),
        parts.dropFirst().allSatisfy({ $0.last == "]" && !$0.dropLast().contains("]") })
      else { return nil }
      path = [String(first)] + parts.dropFirst().map { String($0.dropLast()) }
      guard !path.dropLast().contains("") else { return nil }
    }
  }

  private let fields: [Field]

  var isEmpty: Bool { fields.isEmpty }

  /// - Throws: wrong usage for a malformed field.
  init(_ texts: [String]) throws {
    fields = try texts.map { text in
      guard let field = Field(text) else {
        throw Failure(.usage, "write a field as key=value, a[b]=value or a[]=value: \(text)")
      }
      return field
    }
  }

  /// The fields as a JSON object.
  ///
  /// - Throws: wrong usage if two fields conflict with each other.
  var json: [UInt8] {
    get throws {
      var object = JSONValue.object([:])
      for field in fields {
        guard let changed = Self.adding(field.value, at: field.path[...], to: object) else {
          throw Failure(.usage, "the field \(field.name) conflicts with an earlier field")
        }
        object = changed
      }
      return Array(try WireCoding.encode(object))
    }
  }

  /// Appends the fields to the query of a path or URL.
  func added(toQueryOf path: String) -> String {
    let query = PercentEncoding.query(fields.map { ($0.name, $0.value) })
    return path.contains("?") ? path + "&" + query.dropFirst() : path + query
  }

  /// Adds a string at `path`; nil if there is already another kind of value.
  private static func adding(_ text: String, at path: ArraySlice<String>, to value: JSONValue?) -> JSONValue? {
    guard let name = path.first else { return value == nil ? .string(text) : nil }
    if name.isEmpty {
      guard case .array(let elements) = value ?? .array([]) else { return nil }
      return .array(elements + [.string(text)])
    }
    guard case .object(var members) = value ?? .object([:]),
      let member = adding(text, at: path.dropFirst(), to: members[name])
    else { return nil }
    members[name] = member
    return .object(members)
  }
}
