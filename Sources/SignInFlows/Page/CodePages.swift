import AgentProtocol
import SupabaseAuth

/// The form that requests a code by text message.
struct PhoneForm: Sendable {
  /// The names of the form's fields, in order.
  static let fields = ["phone"]

  /// The maximum length of a typed phone number, in characters: 15 digits (E.164) and the signs
  /// between them.
  private static let maxPhoneText = 32

  let isSignUp: Bool
  /// The number of the last attempt.
  var phone = ""
  var refusal: AgentError?
  var offers = PageOffers()

  private var path: PagePath { isSignUp ? .newUserByPhone : .phoneCode }

  var document: PageDocument {
    FormPage(
      title: isSignUp ? "Create an account" : "Sign in by phone", stage: isSignUp ? .createsUser : .asks,
      refusal: refusal, help: offers.help(after: refusal), action: path, fields: [field.html],
      button: ("Text me a code", "Sending…"),
      links: FormLinks(
        form: offers.counterpart ? path : nil, offersOwnCode: offers.ownCode(after: refusal),
        codeAddress: offers.codeAddress
      ).html
    ).document
  }

  private var field: FormField {
    FormField(
      name: "phone", label: "Phone number",
      attributes:
        "type=\"tel\" inputmode=\"tel\" autocomplete=\"tel\" maxlength=\"\(String(Self.maxPhoneText))\"",
      value: phone, help: "With the country code, such as +49&nbsp;151&nbsp;23456789.", isRefused: refusal != nil)
  }
}

/// The form for the address of a code that was requested elsewhere, such as on the project's own
/// page.
struct OwnCodeForm: Sendable {
  /// The names of the form's fields, in order.
  static let fields = ["email"]

  var email = ""
  var refusal: AgentError?
  var offers = PageOffers()

  var document: PageDocument {
    FormPage(
      title: "Use a code that you have", heading: "Use a code that you have", refusal: refusal,
      introduction: "<p>Enter the email address to which the code was sent. No other email is sent.</p>",
      action: .ownCode, fields: [FormField.email(email, isRefused: refusal != nil).html],
      button: ("Continue", "One moment…"), links: FormLinks(codeAddress: offers.codeAddress).html
    ).document
  }
}

/// The form for a code that was sent. Never contains a code: a refused one is typed again.
struct CodeForm: Sendable {
  /// The names of the form's fields, in order.
  static let fields = ["code"]

  /// The maximum length of a typed code, in characters: 10 digits, and spaces between them.
  private static let maxCodeText = 24

  enum Origin: Sendable, Hashable {
    case requested
    /// The page requested the code, for a new user if there is none with the address.
    case newUser
    /// The code confirms a sign-up with a password.
    case signUp
    /// The code was requested elsewhere.
    case elsewhere
  }

  let address: CodeAddress
  let origin: Origin
  /// The seconds until the project sends another code to this address; 0 or less if it does now.
  let pause: Int
  var refusal: AgentError?
  var offers = PageOffers()

  private var offersOwnCode: Bool { offers.ownCode(after: refusal) }

  var document: PageDocument {
    FormPage(
      title: "Enter the code", heading: "Enter the code", refusal: refusal,
      help: AgainForm.help(after: refusal, pause: pause) ?? offers.help(after: refusal), action: .enterCode,
      fields: [Self.field(help: sent, isRefused: refusal != nil).html], button: ("Sign in", "Signing in…"),
      links: "\(AgainForm(action: .resend, pause: pause).html)\n\(links)"
    ).document
  }

  static func field(help: HTML, isRefused: Bool) -> FormField {
    FormField(
      name: "code", label: "Code",
      attributes: """
        type="text" inputmode="numeric" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" \
        maxlength="\(String(maxCodeText))"
        """, help: help, isRefused: isRefused)
  }

  private var shown: HTML { "<strong>\(address.html)</strong>" }

  private var sent: HTML {
    switch (origin, address) {
    case (.elsewhere, _): "The code that was sent to \(shown). It has 6 to 10 digits."
    case (.requested, .phone), (.newUser, .phone): "We sent a text message with a code to \(shown)."
    case (.requested, .email), (.newUser, .email):
      "We sent an email to \(shown). Opening the link in it on this computer works, too."
    case (.signUp, _):
      "We sent an email to \(shown). If it has a link and no code, open the link, then sign in with your password."
    }
  }

  /// The form for another address: the one from which this code was requested.
  private var change: PagePath {
    switch (origin, address.isPhone) {
    case (.elsewhere, _): .ownCode
    case (.newUser, true): .newUserByPhone
    case (.newUser, false): .newUser
    case (_, true): .phoneCode
    case (_, false): .email
    }
  }

  private var links: HTML {
    let first: HTML =
      origin == .signUp
      ? """
      <p>No email? You may have an account already. <a href="\(PagePath.email.rawValue)">Sign in with your password\
      </a></p>
      <form method="post" action="\(PagePath.later.rawValue)"><button class="quiet">Confirm later</button></form>
      """
      : "<p><a href=\"\(change.rawValue)\">Change the \(address.isPhone ? "number" : "address")</a></p>"
    return """
      <div class="links">
      \(first)
      \(offersOwnCode ? FormLinks.ownCode : nil)<p><a href="\(PagePath.home.rawValue)">Other sign-in methods</a></p>
      </div>
      """
  }
}

/// The button for another code. While the project would refuse to send one, it is disabled, and the
/// script counts the seconds.
struct AgainForm: Sendable {
  let action: PagePath
  /// The ID of the second factor to which the code is sent; nil for a sign-in.
  var factor: String?
  /// The seconds until the project sends another code; 0 or less if it does now.
  let pause: Int

  var html: HTML {
    let paused: HTML? = pause > 0 ? " paused" : nil
    let disabled: HTML? = pause > 0 ? " disabled aria-describedby=\"pause\"" : nil
    return """
      <div class="again">
      \(pause > 0 ? note : nil)<form method="post" action="\(action.rawValue)">\(factor.map(FactorPage.hidden))<button \
      class="button secondary\(paused)" id="again" data-busy="Sending…"\(disabled)>Send another code</button></form>
      </div>
      """
  }

  /// Returns what to do after a wrong code: what the page can do now; nil for another error.
  static func help(after refusal: AgentError?, pause: Int) -> HTML? {
    guard refusal?.kind == .codeInvalid else { return nil }
    return pause > 0
      ? "<p>Check the digits and try again.</p>" : "<p>Check the digits and try again, or send another code.</p>"
  }

  private var note: HTML {
    """
    <p class="small" id="pause" data-seconds="\(String(pause))">You can request another code in \(Self.seconds(pause)).</p>
    <noscript><p class="small">Then reload this page.</p></noscript>

    """
  }

  /// Returns the number with its unit; `PageScript` repeats this rule.
  static func seconds(_ count: Int) -> String { count == 1 ? "1 second" : "\(count) seconds" }
}
