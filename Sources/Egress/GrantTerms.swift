import AgentConfiguration
import AgentProtocol
import SystemSupport

/// What a caller asks for when it requests a grant, validated. Pure.
struct GrantTerms: Sendable {
  /// One hour, if the caller names no time.
  static let defaultSeconds = 3600.0
  /// A day: a tool that needs more asks again.
  static let maxSeconds = 86_400.0
  /// The maximum length of all methods and paths together, in bytes, which the list of grants shows.
  static let maxScopeBytes = 4096

  let lifetime: Duration
  /// Nil for every request.
  let scope: RequestScope?
  let endsWithProcess: Bool
  let form: PlaceholderToken.Form
  let hasSocket: Bool
  /// In small letters.
  let host: String?

  /// - Throws: `invalidParams`.
  init(_ params: EgressGrant.Params) throws(AgentError) {
    let seconds = params.for ?? Self.defaultSeconds
    guard (1...Self.maxSeconds).contains(seconds) else {
      throw AgentError(.invalidParams, "A grant is valid for 1 to \(Int(Self.maxSeconds)) seconds.")
    }
    lifetime = .milliseconds(Int64(seconds * 1000))
    endsWithProcess = params.process ?? false
    scope = try Self.scope(params.methods, params.paths)
    form = try Self.form(params.form, params.prefix)
    hasSocket = params.socket ?? false
    host = params.host?.lowercased()
    guard host.map(Self.isName) ?? true else {
      throw AgentError(.invalidParams, "A host is a name of letters, digits, hyphens and dots, without a port.")
    }
  }

  /// True for a host name (RFC 1123, section 2.1).
  private static func isName(_ text: String) -> Bool {
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.count <= 253
      && labels.allSatisfy { label in
        (1...63).contains(label.count) && label.allSatisfy { isTokenByte($0) && $0 != UInt8(ascii: "_") }
          && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
      }
  }

  private static func form(_ name: String?, _ prefix: String?) throws(AgentError) -> PlaceholderToken.Form {
    switch (name, prefix) {
    case ("jwt", nil): return .jwt
    case ("key", nil), (nil, nil): return .prefixed(PlaceholderToken.prefix)
    case ("key", let prefix?), (nil, let prefix?):
      guard prefix.utf8.count <= PlaceholderToken.maxPrefixLength, prefix.utf8.allSatisfy(isTokenByte) else {
        throw AgentError(
          .invalidParams,
          "A prefix has up to \(PlaceholderToken.maxPrefixLength) letters, digits, hyphens, underscores and dots.")
      }
      return .prefixed(prefix)
    case ("jwt", _?): throw AgentError(.invalidParams, "The form jwt has no prefix.")
    default: throw AgentError(.invalidParams, "The form must be key or jwt.")
    }
  }

  /// Needs no quotes in a shell, and no escape in a URL or in JSON.
  private static func isTokenByte(_ byte: UInt8) -> Bool { byte.isASCIIAlphanumeric || "-_.".utf8.contains(byte) }

  /// An empty list is refused, because it could mean all requests or none.
  private static func scope(_ methods: [String]?, _ paths: [String]?) throws(AgentError) -> RequestScope? {
    guard methods != nil || paths != nil else { return nil }
    guard methods?.isEmpty != true, paths?.isEmpty != true else {
      throw AgentError(.invalidParams, "A list of methods or paths must not be empty.")
    }
    let all = (methods ?? []) + (paths ?? [])
    guard all.reduce(0, { $0 + $1.utf8.count }) <= maxScopeBytes else {
      throw AgentError(.invalidParams, "The methods and paths are longer than \(maxScopeBytes) bytes.")
    }
    do {
      return try RequestScope(methods: methods ?? [], paths: paths ?? [])
    } catch {
      throw AgentError(.invalidParams, "Invalid \(error.key.rawValue): \(error.message).")
    }
  }
}
