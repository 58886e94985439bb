/// A flow through the browser, from `/authorize` to the exchange of its code.
struct Flow: Sendable {
  /// Seconds from the request to `/authorize`, including the exchange; the real server allows no
  /// less.
  static let lifetime: Double = 300

  /// The `state` that is sent to the provider.
  var state = Text.uuid()
  /// The provider's name, or `email` for a link in an email.
  var provider: String
  /// The method that the session of the exchange gets: see `SessionRecord`.
  var method = "oauth"
  var methodProvider: String?
  /// The final redirect URL, already checked against the rules.
  var redirectTo: String
  var challenge: Challenge?
  /// The user who asked to link an identity; nil for a sign-in.
  var linkingUser: String?
  /// The start of the flow's lifetime: the request, or for a magic link the opening of the link.
  var createdAt: Moment
  var isStateUsed = false
  var authCode: String?
  var userID: String?
  var providerTokens: ProviderTokens?

  func isExpired(at now: Moment) -> Bool { now > createdAt.adding(seconds: Self.lifetime) }
}

/// The provider's tokens, issued once, with the session.
struct ProviderTokens: Sendable {
  var token = "ya29." + Text.random(40, from: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
  var refreshToken = "1//" + Text.random(27, from: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
}

/// A PKCE challenge (RFC 7636).
struct Challenge: Sendable {
  var value: String
  var isPlain: Bool

  /// Parses the two parameters; nil if neither was sent, which selects the implicit flow.
  static func parse(_ challenge: String, method: String) throws(APIError) -> Challenge? {
    if challenge.isEmpty, method.isEmpty { return nil }
    guard !challenge.isEmpty, !method.isEmpty else {
      throw .validation("PKCE flow requires code_challenge_method and code_challenge")
    }
    guard (43...128).contains(challenge.utf8.count) else {
      throw .validation("code challenge has to be between 43 and 128 characters")
    }
    switch method.lowercased() {
    case "s256": return Challenge(value: challenge, isPlain: false)
    case "plain": return Challenge(value: challenge, isPlain: true)
    default: throw .validation("Invalid code_challenge_method")
    }
  }

  func accepts(verifier: String) -> Bool {
    isPlain ? verifier == value : Text.base64URL(Digest.sha256(Array(verifier.utf8))) == value
  }
}

/// The flows by state. Flows are never removed; an exchanged flow has no code.
struct FlowTable: Sendable {
  private var flows: [String: Flow] = [:]
  /// The states in the order of creation.
  private var order: [String] = []

  subscript(state: String) -> Flow? {
    get { flows[state] }
    set {
      if flows[state] == nil { order.append(state) }
      flows[state] = newValue
    }
  }

  /// The newest flow of that method that waits for the user to open a link.
  func newest(ofUser id: String, method: String) -> Flow? {
    order.reversed().lazy.compactMap { flows[$0] }.first { $0.userID == id && $0.method == method }
  }

  func withAuthCode(_ code: String) -> Flow? { flows.values.first { $0.authCode == code } }
}

/// The rules for accepting `redirect_to`. A URL that is not accepted is silently replaced by
/// SITE_URL.
struct RedirectRules: Sendable {
  var siteURL: String
  var allowList: [String]

  /// The final redirect URL.
  func resolve(_ wanted: String?) -> String {
    guard let wanted, !wanted.isEmpty, accepts(wanted) else { return siteURL }
    return wanted
  }

  func accepts(_ wanted: String) -> Bool {
    guard let target = Target(wanted) else { return false }
    if let site = Target(siteURL), !site.host.isEmpty, site == target { return true }
    // The list is not consulted for an IP literal: only loopback is accepted (since v2.171).
    if let isLoopback = target.isLoopbackLiteral { return isLoopback }
    let compared = wanted.prefix { $0 != "#" }
    return allowList.contains { Glob($0).matches(compared) }
  }

  /// Scheme, host and port of a URL.
  private struct Target: Equatable {
    var scheme: String
    var host: String
    var port: String

    init?(_ address: String) {
      guard let colon = address.firstIndex(of: ":"), colon != address.startIndex else { return nil }
      scheme = address[..<colon].lowercased()
      let rest = address[address.index(after: colon)...]
      guard rest.hasPrefix("//") else {
        (host, port) = ("", "")
        return
      }
      let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
      // The part before an @ is not the host: "http://127.0.0.1@evil.test" leads to evil.test.
      let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
      if place.hasPrefix("["), let end = place.firstIndex(of: "]") {
        host = String(place[place.index(after: place.startIndex)..<end]).lowercased()
        port = String(place[place.index(after: end)...].drop { $0 == ":" })
      } else {
        let halves = place.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        host = halves.first.map { $0.lowercased() } ?? ""
        port = halves.count > 1 ? String(halves[1]) : ""
      }
    }

    /// True for a loopback IP literal, false for another IP literal; nil if the host is a name.
    var isLoopbackLiteral: Bool? {
      if host.contains(":") { return host == "::1" }
      let parts = host.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 4, parts.allSatisfy({ UInt8($0) != nil }) else { return nil }
      return parts[0] == "127"
    }
  }
}

/// A glob for a complete URL: `*` and `?` stop at `.` and `/`, `**` does not.
struct Glob: Sendable {
  private enum Piece: Equatable {
    case literal(Character)
    case one
    case many
    case all
  }

  private let pieces: [Piece]

  init(_ pattern: String) {
    var pieces: [Piece] = []
    for character in pattern {
      switch (character, pieces.last) {
      case ("*", .many): pieces[pieces.count - 1] = .all
      case ("*", .all): break
      case ("*", _): pieces.append(.many)
      case ("?", _): pieces.append(.one)
      default: pieces.append(.literal(character))
      }
    }
    self.pieces = pieces
  }

  func matches(_ text: some StringProtocol) -> Bool { Self.match(pieces[...], Array(text)[...]) }

  private static func match(_ pieces: ArraySlice<Piece>, _ text: ArraySlice<Character>) -> Bool {
    guard let piece = pieces.first else { return text.isEmpty }
    switch piece {
    case .literal(let wanted): return text.first == wanted && match(pieces.dropFirst(), text.dropFirst())
    case .one: return text.first.map { !isSeparator($0) } == true && match(pieces.dropFirst(), text.dropFirst())
    case .many, .all:
      if match(pieces.dropFirst(), text) { return true }
      guard let next = text.first, piece == .all || !isSeparator(next) else { return false }
      return match(pieces, text.dropFirst())
    }
  }

  private static func isSeparator(_ character: Character) -> Bool { character == "." || character == "/" }
}
