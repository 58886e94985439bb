/// What a person does on a consent page.
struct Consent: Sendable {
  enum Action: String, Sendable {
    case allow
    case cancel
    case error
  }

  var action: Action
  /// A known account or a typed address.
  var email: String
  var firstName: String
  var lastName: String
  var hidesEmail: Bool
  /// Google only: tells the address as not verified.
  var isUnverified: Bool

  /// The fields of the form; a typed `email` wins over the chosen `account`.
  init?(fields: [(name: String, value: String)]) {
    func field(_ name: String) -> String { fields.last { $0.name == name }?.value ?? "" }
    guard let action = Action(rawValue: field("action")) else { return nil }
    self.action = action
    email = field("email").isEmpty ? field("account") : field("email")
    (firstName, lastName) = (field("first_name"), field("last_name"))
    hidesEmail = field("hide_my_email") == "yes"
    isUnverified = field("unverified") == "yes"
  }

  /// Consent without a page.
  init(account: String) {
    (action, email, firstName, lastName, hidesEmail, isUnverified) = (.allow, account, "", "", false, false)
  }
}

extension ProviderDirectory {
  /// Turns a consent into an authorization code.
  mutating func consent(_ consent: Consent, at provider: String) -> (code: String, grant: ProviderGrant) {
    var account = findOrCreate(consent.email, at: provider, name: (consent.firstName, consent.lastName))
    var grant = ProviderGrant(account: account, isBroken: consent.action == .error)
    if provider == "apple", account.toldEmail == nil {
      // The first choice stays, and the name is told this once.
      account.toldEmail = consent.hidesEmail ? Self.relayAddress() : account.email
      let first = consent.firstName.isEmpty ? account.givenName : consent.firstName
      let last = consent.lastName.isEmpty ? account.familyName : consent.lastName
      grant.firstTimeName = (first, last)
    }
    if provider == "google" { account.isEmailVerified = account.isEmailVerified && !consent.isUnverified }
    grant.account = account
    put(account)
    return (issueCode(for: grant), grant)
  }
}
