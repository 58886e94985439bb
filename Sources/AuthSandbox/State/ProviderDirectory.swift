/// An account at a provider.
struct ProviderAccount: Sendable {
  var provider: String
  var subject: String
  /// Empty for an account without an address.
  var email: String
  var isEmailVerified = true
  var givenName: String
  var familyName: String
  /// Apple: the address reported at the first consent, a relay address or the real one.
  var reportedEmail: String?

  var name: String { [givenName, familyName].filter { !$0.isEmpty }.joined(separator: " ") }
}

/// The result of a consent, stored under the provider's authorization code.
struct ProviderGrant: Sendable {
  var account: ProviderAccount
  /// Apple's `user` form field, at the first consent only.
  var firstTimeName: (first: String, last: String)?
  /// True if the provider refuses to exchange the code.
  var isBroken = false
}

/// The providers: their accounts and the codes that they have issued.
struct ProviderDirectory: Sendable {
  private(set) var accounts: [ProviderAccount]
  private var grants: [String: ProviderGrant] = [:]

  /// Creates demonstration accounts.
  init() {
    accounts = [
      ProviderAccount(
        provider: "google", subject: "108000000000000000001", email: "anna@example.org", givenName: "Anna",
        familyName: "Example"),
      ProviderAccount(
        provider: "apple", subject: "001042.0c0ffee0c0ffee0c0ffee0c0ffee0c0f.0815", email: "alex@example.org",
        givenName: "Alex", familyName: "Example"),
    ]
  }

  /// The accounts at a provider. A provider without one offers a demonstration account.
  func accounts(of provider: String) -> [ProviderAccount] {
    let known = accounts.filter { $0.provider == provider }
    return known.isEmpty ? [Self.demonstration(at: provider)] : known
  }

  private static func demonstration(at provider: String) -> ProviderAccount {
    ProviderAccount(
      provider: provider, subject: subject(for: provider), email: "anna@example.org", givenName: "Anna",
      familyName: "Example")
  }

  func account(_ email: String, at provider: String) -> ProviderAccount? {
    accounts.first { $0.provider == provider && $0.email == email.lowercased() }
  }

  /// The account with that address, created if it does not exist.
  mutating func findOrCreate(_ email: String, at provider: String, name: (first: String, last: String))
    -> ProviderAccount
  {
    if let known = account(email, at: provider) ?? accounts(of: provider).first(where: { $0.email == email }) {
      put(known)
      return known
    }
    let account = ProviderAccount(
      provider: provider, subject: Self.subject(for: provider), email: email.lowercased(), givenName: name.first,
      familyName: name.last)
    accounts.append(account)
    return account
  }

  /// Adds an account, or replaces the one with the same provider and subject.
  mutating func put(_ account: ProviderAccount) {
    if let index = accounts.firstIndex(where: { $0.provider == account.provider && $0.subject == account.subject }) {
      accounts[index] = account
    } else {
      accounts.append(account)
    }
  }

  /// Issues the code that the browser carries to `/callback`.
  mutating func issueCode(for grant: ProviderGrant) -> String {
    let code = Text.random(32, from: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    grants[code] = grant
    return code
  }

  /// Redeems a code, which is valid once.
  mutating func redeem(_ code: String) -> ProviderGrant? { grants.removeValue(forKey: code) }

  /// A random subject in the provider's format.
  static func subject(for provider: String) -> String {
    provider == "apple"
      ? "001042.\(Text.random(32, from: "0123456789abcdef")).0815" : "10\(Text.random(19, from: "0123456789"))"
  }

  /// A random relay address of Hide My Email.
  static func relayAddress() -> String {
    Text.random(10, from: "abcdefghijklmnopqrstuvwxyz0123456789") + "@privaterelay.appleid.com"
  }
}

extension ProviderAccount {
  /// The provider's data about the account. `name` is nil or empty if the provider reports none.
  func identity(name: String?) -> ExternalIdentity {
    var profile: [String: JSON] = [:]
    profile["iss"] = ProviderFacts.issuers(of: provider).first.map(JSON.string)
    if let name, !name.isEmpty {
      profile["full_name"] = .string(name)
      profile["name"] = .string(name)
    }
    if provider == "google" {
      let picture: JSON = "https://example.org/picture.png"
      profile["avatar_url"] = picture
      profile["picture"] = picture
    }
    return ExternalIdentity(
      provider: provider, subject: subject, email: reportedEmail ?? email, isEmailVerified: isEmailVerified,
      profile: profile)
  }
}
