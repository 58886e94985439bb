import AgentProtocol
import SupabaseAuth
import SystemSupport

/// The paths of the sign-in page, except for its launch path and the providers' paths. All but the
/// script are for a person's own navigation.
enum PagePath: String, Sendable, CaseIterable {
  /// Shows the state of the sign-in: the choice, progress or the result.
  case home = "/sign-in"
  /// Show the forms for an email address, and receive them with a password. The second creates a user, as below.
  case email = "/sign-in/email"
  case newUser = "/sign-in/email/new"
  /// Receive the same forms as requests for a code.
  case emailCode = "/sign-in/code"
  case newUserByEmail = "/sign-in/code/new"
  /// Show and receive the forms that request a code by text message.
  case phoneCode = "/sign-in/phone"
  case newUserByPhone = "/sign-in/phone/new"
  /// Shows and receives the form for the address of a code that was requested elsewhere.
  case ownCode = "/sign-in/code/own"
  /// Shows and receives the form for the code.
  case enterCode = "/sign-in/code/enter"
  /// Requests another code.
  case resend = "/sign-in/code/again"
  /// Ends a sign-up before its confirmation.
  case later = "/sign-in/code/later"
  /// Receive the second factor to use, the request for a code by text message, and the code.
  case chooseFactor = "/sign-in/factor"
  case sendFactorCode = "/sign-in/factor/send"
  case verifyFactor = "/sign-in/factor/verify"
  case postponeFactor = "/sign-in/factor/later"
  /// Shows and receives the form for single sign-on.
  case singleSignOn = "/sign-in/sso"
  /// Says where the browser goes next, then continues to `identityProvider`.
  case leave = "/sign-in/sso/leave"
  /// Redirects to the organization's identity provider, once. A separate request and no redirect of
  /// the form, because Chromium applies `form-action` to redirects as well.
  case identityProvider = "/sign-in/sso/go"
  /// Shows the consequences of an anonymous user, and creates one.
  case anonymous = "/sign-in/anonymous"
  /// Responds when the running operation has ended. The progress page stays visible until then,
  /// without any script.
  case wait = "/sign-in/wait"
  case cancel = "/sign-in/cancel"
  /// Receive the answer to the question whether a link stays.
  case keep = "/sign-in/keep"
  case undo = "/sign-in/undo"
  case script = "/sign-in/page.js"

  static let cookiePath = "/sign-in"

  private static let providers = "/sign-in/with/"

  /// Returns the path that redirects to the provider's page.
  static func provider(_ provider: Provider) -> String {
    [.apple, .google].contains(provider) ? "\(home.rawValue)/\(provider.rawValue)" : providers + provider.rawValue
  }

  /// Returns the provider to whose page the path redirects; nil for any other path.
  static func provider(at path: String) -> Provider? {
    if let known = [Provider.apple, .google].first(where: { provider($0) == path }) { return known }
    guard path.hasPrefix(providers), let named = Provider.named(String(path.dropFirst(providers.count))) else {
      return nil
    }
    // One spelling for each provider.
    return provider(named) == path ? named : nil
  }

  /// The other form of a pair: sign-up for sign-in, or the reverse; nil for any other path.
  var counterpart: PagePath? {
    switch self {
    case .email: .newUser
    case .newUser: .email
    case .phoneCode: .newUserByPhone
    case .newUserByPhone: .phoneCode
    default: nil
    }
  }

  /// The path that shows the form which this path receives.
  var form: PagePath {
    switch self {
    case .emailCode: .email
    case .newUserByEmail: .newUser
    default: self
    }
  }

  /// True for a form that creates a user.
  var isSignUp: Bool { [.newUser, .newUserByEmail, .newUserByPhone].contains(self) }

  /// True for a form of the page for a second factor.
  var isOfFactor: Bool { [.chooseFactor, .sendFactorCode, .verifyFactor, .postponeFactor].contains(self) }

  /// The method to which a form belongs; nil for a path that is not the form of a method.
  var method: PageMethod? {
    switch self {
    case .email, .newUser, .emailCode, .newUserByEmail, .ownCode: .email
    case .phoneCode, .newUserByPhone: .phone
    case .singleSignOn: .singleSignOn
    case .anonymous: .anonymous
    default: nil
    }
  }
}

/// The last attempts with the forms of a flow, to fill in the forms again. Never holds a password or a code.
struct FormEntries: Sendable {
  var email = ""
  var phone = ""
  /// A domain, or an address in it.
  var organization = ""
  /// The identity provider's URL, until the browser is sent there.
  var identityProvider: String?
  /// Where the flow's code comes from. Without a meaning for a flow without a code.
  var codeOrigin = CodeForm.Origin.requested
  var refusal: Refusal?
  /// The page that shows the result of the last form, until it is shown. It comes before the
  /// choice.
  var unseen: PagePath?

  func refusal(at page: PagePath) -> AgentError? { refusal?.page.form == page ? refusal?.error : nil }

  struct Refusal: Sendable {
    let error: AgentError
    let page: PagePath
  }
}

/// The cookie for which the launch URL is exchanged.
enum PageCookie {
  /// Returns the name of the cookie. Browsers ignore the port for cookies of 127.0.0.1, so the name
  /// distinguishes flows. Servers on other ports receive the cookie, too, with requests for
  /// `/sign-in`. A server of another user cannot use it, because the listener checks its peer's
  /// uid.
  static func name(port: Int) -> String { "ritual-sign-in-\(port)" }

  /// Returns the value of `Set-Cookie`. `Lax` and not `Strict`, because another site starts the
  /// navigation back from the provider. Requests that change something also check `Origin` and
  /// `Sec-Fetch-Site`.
  /// - Parameter life: the time until the flow ends.
  static func header(_ secret: String, port: Int, life: Duration = SignInLimits.flowLifetime) -> String {
    let age = (life + SignInLimits.listenerGrace).components.seconds
    return "\(name(port: port))=\(secret); Path=\(PagePath.cookiePath); Max-Age=\(age); HttpOnly; SameSite=Lax"
  }

  /// Returns whether `cookies`, the values of the `Cookie` header (RFC 6265, section 5.4), contain
  /// the secret. Another server on 127.0.0.1 may have set a cookie with the same name, so one match
  /// is enough.
  static func isHeld(_ secret: String, port: Int, in cookies: [String]) -> Bool {
    let start = Array((name(port: port) + "=").utf8)
    let pairs = cookies.flatMap { Array($0.utf8).split(separator: UInt8(ascii: ";")) }
    return pairs.contains { pair in
      let pair = pair.drop { $0 == UInt8(ascii: " ") }
      return pair.starts(with: start)
        && ConstantTime.equal(String(decoding: pair.dropFirst(start.count), as: UTF8.self), secret)
    }
  }
}

/// The body of a form, application/x-www-form-urlencoded (WHATWG URL, section 5). Parsed strictly:
/// only what a browser writes for the expected fields is accepted. Holds a password, so it never
/// prints its content.
struct FormBody: Sendable, Redacted {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the values of `names`, in order; nil if a name is missing or repeated, if there is any
  /// other name, or for an encoding that no browser writes.
  func values(of names: [String]) -> [String]? {
    let pairs = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    guard !bytes.isEmpty else { return names.isEmpty ? [] : nil }
    guard pairs.count == names.count, pairs.allSatisfy(Self.isPair), let items = QueryItems(bytes) else { return nil }
    let values = names.compactMap(items.only)
    guard values.count == names.count, values.allSatisfy(Self.isPlain) else { return nil }
    return values
  }

  /// True for `name=value` in bytes that the serializer can produce.
  private static func isPair(_ pair: ArraySlice<UInt8>) -> Bool {
    pair.count { $0 == UInt8(ascii: "=") } == 1 && pair.first != UInt8(ascii: "=") && pair.allSatisfy(isWritten)
  }

  private static func isWritten(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "*-._+%=".utf8.contains(byte)
    }
  }

  /// True for a single line: all fields are single-line, and browsers strip line breaks from such
  /// fields.
  private static func isPlain(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
