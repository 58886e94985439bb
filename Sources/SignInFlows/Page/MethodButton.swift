import AgentProtocol
import SupabaseAuth

enum PageMethod: Sendable, Hashable {
  case provider(Provider)
  /// With a password or a code.
  case email
  case phone
  case singleSignOn
  case anonymous

  /// Returns the methods that the project has on, in display order.
  /// - Parameter settings: nil if the project could not be asked. Then the most common methods are
  ///   offered, and the server rejects those that are disabled.
  static func offered(_ settings: ProjectSettings?) -> [PageMethod] {
    guard let settings else { return [.provider(.apple), .provider(.google), .email] }
    return settings.signInProviders.compactMap { (provider: Provider) -> PageMethod? in
      switch provider {
      case .email: .email
      case .phone: .phone
      case .sso: .singleSignOn
      // An anonymous user is a new user.
      case .anonymous: settings.disableSignup ? nil : .anonymous
      default: .provider(provider)
      }
    }
  }

  var isProvider: Bool { if case .provider = self { true } else { false } }

  /// The button of the method; nil for the anonymous user, who has a link instead.
  var button: MethodButton? {
    switch self {
    case .provider(.apple): .apple
    case .provider(.google): .google
    case .provider(let provider): MethodButton(provider)
    case .email: .email
    case .phone: MethodButton(at: .phoneCode, "Phone")
    case .singleSignOn: MethodButton(at: .singleSignOn, ProviderName.shown(Provider.sso.rawValue))
    case .anonymous: nil
    }
  }
}

/// The button of a sign-in method. Only Apple and Google have a logo, which their guidelines demand:
/// a sign that this program invents for another provider would be no help. All labels are centred, and
/// the logos are in one column. A link and not a form: Chromium applies `form-action` to redirects as
/// well.
struct MethodButton: Sendable {
  let address: String
  /// The classes of the button.
  let style: String
  let logo: HTML?
  /// The method's name.
  let name: String
  /// The text after a click, for a button that leaves the page; nil for a page of the listener,
  /// which appears at once.
  let busy: String?

  var words: String { "Continue with \(name)" }

  /// Human Interface Guidelines, "Sign in with Apple", custom buttons: one of the given titles,
  /// black on light and white on dark, not smaller than the other buttons, above them, and with the
  /// logo file at the full height of the button. Size and corners of the title and button may be
  /// adjusted, and the horizontal padding of the logo, too, to align it with other logos.
  static let apple = MethodButton(.apple, style: "apple", logo: Self.appleLogo)

  /// "Sign in with Google" branding guidelines, custom buttons: the standard colours of the G on
  /// the light and the dark theme, Roboto Medium if available, text of 14 and a logo of 20 in a
  /// button of 40, everything scaled by 1.14.
  static let google = MethodButton(.google, style: "google", logo: Self.googleLogo)

  static let email = MethodButton(at: .email, "Email")

  /// Returns the button that opens the provider's page, or the form for a password; nil for a
  /// method that has no such button.
  static func of(_ provider: Provider) -> MethodButton? {
    if provider == .email { return email }
    return Provider.named(provider.rawValue) == nil ? nil : PageMethod.provider(provider).button
  }

  fileprivate init(_ provider: Provider, style: String = "secondary", logo: HTML? = nil) {
    (address, name) = (PagePath.provider(provider), ProviderName.shown(provider.rawValue))
    (self.style, self.logo, busy) = (style, logo, "One moment…")
  }

  fileprivate init(at page: PagePath, _ name: String) {
    (address, self.name) = (page.rawValue, name)
    (style, logo, busy) = ("other", nil, nil)
  }

  var html: HTML {
    let busyText: HTML? = busy.map { " data-busy=\"\($0)\"" }
    return """
      <a class="button method \(style)" href="\(address)"\(busyText)>\(logo)<span>\(words)</span></a>
      """
  }

  private static let appleLogo: HTML = """
    <svg viewBox="3.5 0 24 44" aria-hidden="true" focusable="false"><path fill="currentColor" d="M15.7099491,14.8846154 \
    C16.5675461,14.8846154 17.642562,14.3048315 18.28274,13.5317864 C18.8625238,12.8312142 19.2852829,11.852829 \
    19.2852829,10.8744437 C19.2852829,10.7415766 19.2732041,10.6087095 19.2490464,10.5 C18.2948188,10.5362365 \
    17.1473299,11.140178 16.4588366,11.9494596 C15.9152893,12.56548 15.4200572,13.5317864 15.4200572,14.5222505 \
    C15.4200572,14.6671964 15.4442149,14.8121424 15.4562937,14.8604577 C15.5166879,14.8725366 15.6133185,14.8846154 \
    15.7099491,14.8846154 Z M12.6902416,29.5 C13.8618881,29.5 14.3812778,28.714876 15.8428163,28.714876 \
    C17.3285124,28.714876 17.6546408,29.4758423 18.9591545,29.4758423 C20.2395105,29.4758423 21.0971074,28.292117 \
    21.9063891,27.1325493 C22.8123013,25.8038779 23.1867451,24.4993643 23.2109027,24.4389701 C23.1263509,24.4148125 \
    20.6743484,23.4122695 20.6743484,20.5979021 C20.6743484,18.1579784 22.6069612,17.0588048 22.7156707,16.974253 \
    C21.4353147,15.1382708 19.490623,15.0899555 18.9591545,15.0899555 C17.5217737,15.0899555 16.3501271,15.9596313 \
    15.6133185,15.9596313 C14.8161157,15.9596313 13.7652575,15.1382708 12.521138,15.1382708 C10.1536872,15.1382708 \
    7.75,17.0950413 7.75,20.7911634 C7.75,23.0861411 8.64383344,25.513986 9.74300699,27.0842339 C10.6851558,28.4129053 \
    11.5065162,29.5 12.6902416,29.5 Z"/></svg>
    """

  private static let googleLogo: HTML = """
    <svg viewBox="-1 -1 50 50" aria-hidden="true" focusable="false"><path fill="#EA4335" d="M24 9.5c3.54 0 6.71 1.22 9.21 \
    3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"/>\
    <path fill="#4285F4" d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 \
    6c4.51-4.18 7.09-10.36 7.09-17.65z"/><path fill="#FBBC05" d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14\
    .76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"/><path fill="#34A853" d="M24 \
    48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 \
    42.62 14.62 48 24 48z"/></svg>
    """
}
