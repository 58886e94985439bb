import AgentProtocol
import SessionEngine
import SupabaseAuth

/// A field of one line, with its label, and a line of help.
struct FormField: Sendable {
  let name: String
  let label: String
  /// The attributes that are particular to this field.
  let attributes: HTML
  var value = ""
  var help: HTML?
  /// True for a page with an error, which then describes the field.
  var isRefused = false
  /// True for the field to fill in next.
  var hasFocus = true

  var html: HTML {
    let helpID: String? = help == nil ? nil : "\(name)-help"
    let ids = (isRefused ? [PageAlert.id] : []) + (helpID.map { [$0] } ?? [])
    let description: HTML? = ids.isEmpty ? nil : " aria-describedby=\"\(ids.joined(separator: " "))\""
    let text: HTML? = help.map { "<p class=\"small\" id=\"\(helpID ?? "")\">\($0)</p>\n" }
    let focus: HTML? = hasFocus ? " autofocus" : nil
    return """
      <div>
      <label for="\(name)">\(label)</label>
      \(text)<input id="\(name)" name="\(name)" \(attributes) required value="\(value)"\(description)\(focus)>
      </div>
      """
  }

  /// Returns the field for an email address. `role` is `username` next to a password.
  static func email(
    _ value: String, role: String = "email", isRefused: Bool, hasFocus: Bool = true
  ) -> FormField {
    FormField(
      name: "email", label: "Email",
      attributes: """
        type="email" inputmode="email" autocomplete="\(role)" autocapitalize="none" spellcheck="false" \
        maxlength="\(String(FirstTimeFacts.emailLength))"
        """, value: value, isRefused: isRefused, hasFocus: hasFocus)
  }
}

/// The links that the project and the flow allow beside a form.
struct PageOffers: Sendable {
  /// True if the page links to the counterpart of its form: from sign-in to sign-up, or the reverse.
  var counterpart = true
  var emailCodes = true
  /// The address of the code that the flow waits for, if any.
  var codeAddress: CodeAddress?
  /// The project's page for a forgotten password, if one is configured.
  var passwordResetPage: String?

  /// Returns whether a page with this error links to the form for a code that was requested elsewhere, which a CAPTCHA
  /// does not prevent.
  func ownCode(after refusal: AgentError?) -> Bool { emailCodes && refusal?.kind == .captchaRequired }

  /// Returns the methods that work for a project with a CAPTCHA; nil for another error.
  func help(after refusal: AgentError?) -> HTML? {
    guard refusal?.kind == .captchaRequired else { return nil }
    return ownCode(after: refusal)
      ? """
      <p>These work here: a provider such as Google or GitHub, and a code that you requested on the project&#39;s own \
      page.</p>
      """
      : "<p>This works here: a provider such as Google or GitHub.</p>"
  }
}

struct FormLinks: Sendable {
  /// The form of the page, for a link to its counterpart; nil if there is none.
  var form: PagePath?
  var offersOwnCode = false
  /// The address of the flow's code, for a link back to its form.
  var codeAddress: CodeAddress?

  private var other: HTML? {
    guard let form, let link = form.counterpart?.rawValue else { return nil }
    return form.isSignUp
      ? "<p>Already have an account? <a href=\"\(link)\">Sign in</a></p>\n"
      : "<p>New here? <a href=\"\(link)\">Create an account</a></p>\n"
  }

  static let ownCode: HTML = "<p><a href=\"\(PagePath.ownCode.rawValue)\">I already have a code</a></p>\n"

  /// Returns the link to the form for the code that was sent to this address.
  static func code(_ address: CodeAddress) -> HTML {
    """
    <p><a href="\(PagePath.enterCode.rawValue)"><span>Enter the code sent to \(address.html)</span></a></p>

    """
  }

  var html: HTML {
    """
    <div class="links">
    \(codeAddress.map(Self.code))\(other)\(offersOwnCode ? Self.ownCode : nil)<p><a href="\(PagePath.home.rawValue)">Other sign-in methods</a></p>
    </div>
    """
  }
}

extension CodeAddress {
  /// The address as part of a sentence.
  var html: HTML {
    switch self {
    case .email(let email): HTML.breakable(email)
    case .phone(let number): "\(number)"
    }
  }
}

struct FormPage: Sendable {
  let title: String
  /// Nil for a page whose fields say what it is for.
  var heading: HTML?
  var stage = PageFlow.Stage.asks
  let refusal: AgentError?
  /// What to do after the refusal; nil for the refusal's own hint.
  var help: HTML?
  /// The text above the form.
  var introduction: HTML?
  let action: PagePath
  let fields: [HTML]
  /// The text of the button, and its text while the form is sent.
  let button: (text: String, busy: String)
  /// Another way to send the form.
  var otherButton: HTML?
  let links: HTML

  var document: PageDocument {
    PageDocument(
      title: refusal == nil ? title : "Not signed in", heading: heading, stage: stage,
      content: """
        \(refusal.map { PageAlert(error: $0, help: help, hasFocus: fields.isEmpty).html })
        \(introduction)
        <form class="fields" method="post" action="\(action.rawValue)">
        \(HTML.lines(fields))
        <button class="button primary" data-busy="\(button.busy)">\(button.text)</button>
        \(otherButton)
        </form>
        \(links)
        """)
  }
}

/// The form for an email address, with a password or for a code; for sign-in or sign-up.
struct EmailForm: Sendable {
  /// The names of the form's fields, in order.
  static let fields = ["email", "password"]

  /// The minimum of Supabase Auth. A project may require more, but its settings do not say so
  /// before a password is refused.
  private static let minPasswordLength = 6

  private static let codeButton = "by-code"

  let isSignUp: Bool
  /// The email address of the last attempt.
  var email = ""
  var refusal: AgentError?
  var offers = PageOffers()

  private var path: PagePath { isSignUp ? .newUser : .email }

  private var offersOwnCode: Bool { !isSignUp || offers.ownCode(after: refusal) }

  /// True if the address stands, and the password is what to enter next.
  private var needsPassword: Bool {
    guard let refusal else { return !email.isEmpty }
    return !email.isEmpty && [.invalidCredentials, .weakPassword].contains(refusal.kind)
  }

  var document: PageDocument {
    let address = FormField.email(
      email, role: "username", isRefused: refusal != nil, hasFocus: !needsPassword)
    return FormPage(
      title: isSignUp ? "Create an account" : "Sign in with email", stage: isSignUp ? .createsUser : .asks,
      refusal: refusal, help: help, action: path, fields: [address.html, password],
      button: isSignUp ? ("Sign up", "Signing up…") : ("Sign in", "Signing in…"), otherButton: sendsCode,
      links: FormLinks(
        form: offers.counterpart ? path : nil, offersOwnCode: offersOwnCode, codeAddress: offers.codeAddress
      ).html
    ).document
  }

  /// The page has the form's password as well, which its receiver drops.
  private var sendsCode: HTML {
    """
    <div class="instead">
    <p class="small" id="code-help">Or without a password: you get an email with a code, a link, or both.</p>
    <button class="button secondary" id="\(Self.codeButton)" formnovalidate \
    formaction="\((isSignUp ? PagePath.newUserByEmail : .emailCode).rawValue)" aria-describedby="code-help" \
    data-busy="Sending…">Email me a code</button>
    </div>
    """
  }

  private var help: HTML? {
    let code: HTML = "<p><a href=\"#\(Self.codeButton)\">Sign in with a code instead</a></p>"
    switch refusal?.kind {
    case .invalidCredentials?:
      let reset: HTML? = offers.passwordResetPage.map {
        "\n<p><a href=\"\($0)\" target=\"_blank\" rel=\"noopener noreferrer\">Reset your password</a></p>"
      }
      return "<div class=\"links\">\n\(code)\(reset)\n</div>"
    case .emailNotConfirmed?: return "<p>Open the link in the email.</p>\n<div class=\"links\">\n\(code)\n</div>"
    default: return offers.help(after: refusal)
    }
  }

  private var password: HTML {
    let focus: HTML? = needsPassword ? " autofocus" : nil
    return """
      <div>
      <label for="password">Password</label>
      \(rule)<div class="revealed"><input id="password" name="password" type="password" \
      autocomplete="\(isSignUp ? "new-password" : "current-password")" \
      required\(passwordDescription)\(focus)><button class="show" id="show" type="button" aria-label="Show password" \
      aria-pressed="false" aria-controls="password" hidden>\(PageDrawing.eye)</button></div>
      </div>
      """
  }

  private var rule: HTML? {
    guard isSignUp else { return nil }
    return """
      <p class="small" id="rule">At least \(String(Self.minPasswordLength)) characters. This project may require \
      more.</p>

      """
  }

  private var passwordDescription: HTML? {
    let ids = (refusal == nil ? [] : [PageAlert.id]) + (isSignUp ? ["rule"] : [])
    return ids.isEmpty ? nil : " aria-describedby=\"\(ids.joined(separator: " "))\""
  }
}

struct SingleSignOnForm: Sendable {
  /// The names of the form's fields, in order.
  static let fields = ["organization"]

  /// The domain or email address of the last attempt.
  var organization = ""
  var refusal: AgentError?
  var offers = PageOffers()

  var document: PageDocument {
    let field = FormField(
      name: "organization", label: "Work email or domain",
      attributes: """
        type="text" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" \
        maxlength="\(String(FirstTimeFacts.emailLength))"
        """, value: organization, help: "For example anna@example.org, or example.org.", isRefused: refusal != nil)
    return FormPage(
      title: "Single sign-on", refusal: refusal, help: offers.help(after: refusal),
      introduction: """
        <p>Your organization&#39;s sign-in page opens next. <strong>Finish there within 2 minutes</strong>; \
        after that, the project refuses the sign-in.</p>
        """, action: .singleSignOn, fields: [field.html], button: ("Continue", "One moment…"),
      links: FormLinks(offersOwnCode: offers.ownCode(after: refusal)).html
    ).document
  }

  /// The page from which the browser goes to the organization's identity provider.
  static func leaving(to organization: String) -> PageDocument {
    PageDocument(
      title: "Single sign-on", heading: "Sign in at your organization",
      content: """
        <p role="status">The sign-in page of <strong>\(HTML.breakable(organization))</strong> opens now. Finish there \
        within 2 minutes.</p>
        <a class="button primary" href="\(PagePath.identityProvider.rawValue)" data-busy="One moment…">Continue</a>
        \(FormLinks().html)
        """)
  }
}

/// The page before an anonymous user is created.
struct AnonymousPage: Sendable {
  var refusal: AgentError?
  var offers = PageOffers()

  var document: PageDocument {
    FormPage(
      title: "Continue without an account", heading: "Continue without an account", refusal: refusal,
      help: offers.help(after: refusal),
      introduction: """
        <p>The project creates a user without an email address. <strong>A sign-out loses this user and all its data for \
        good</strong>, unless you have added an email address or a provider:</p>
        <code class="command">ritualctl link email --email ADDRESS</code>
        """, action: .anonymous, fields: [], button: ("Continue", "Signing in…"),
      links: FormLinks(offersOwnCode: offers.ownCode(after: refusal)).html
    ).document
  }
}

/// The page with the project's enabled sign-in methods in three groups: Apple, Google and the other providers; the
/// ways with an address; and, as a link only, the user without an address.
struct ChoicePage: Sendable {
  let methods: [PageMethod]
  /// The error of the last rejected callback.
  let refusal: AgentError?
  /// The address of the code that the flow waits for, for a way back to its form.
  var codeAddress: CodeAddress?

  var document: PageDocument {
    PageDocument(
      title: refusal == nil ? "Sign in" : "Not signed in",
      content: """
        \(refusal.map { PageAlert(error: $0).html })
        \(codeAddress.map { "<div class=\"links\">\n\(FormLinks.code($0))</div>" as HTML })
        \(methods.isEmpty ? Self.nothing : groups)
        """)
  }

  private var groups: HTML {
    let (providers, others) = (methods.filter(\.isProvider), methods.filter { !$0.isProvider })
    let lists = [providers, others].map { $0.compactMap(\.button?.html) }.filter { !$0.isEmpty }
    let groups = lists.map { "<div class=\"methods\">\n\(HTML.lines($0))\n</div>" as HTML }
    return HTML.lines(groups + (methods.contains(.anonymous) ? [Self.guest] : []))
  }

  private static let guest: HTML = """
    <div class="links">
    <p class="small"><a href="\(PagePath.anonymous.rawValue)" aria-describedby="guest">Continue without an account</a></p>
    <p class="small" id="guest">Creates a user without an address. A sign-out loses this user and its data.</p>
    </div>
    """

  /// Only the project's owner can change this.
  private static let nothing: HTML = """
    <p>No sign-in method of this project is enabled.</p>
    <p>If the project is yours, enable one in the Supabase dashboard, under Authentication, Sign In / Providers. Then \
    reload this page, or check the project:</p>
    <code class="command">ritualctl doctor</code>
    """
}

/// Asks whether an identity that the server linked automatically stays linked.
///
/// To undo is the primary answer, and the first one: it restores what was before and can be
/// repeated as a new sign-in, while a link that stays lets someone else's identity, if it is one,
/// into the account for good. To undo is also to cancel, so the page has no other Cancel.
struct LinkPage: Sendable {
  let decision: SignInDecision

  private var provider: String { ProviderName.shown(decision.identity?.provider ?? decision.user.provider ?? "") }
  private var others: String { (decision.others ?? []).map { ProviderName.shown($0.provider) }.joined(separator: ", ") }

  var document: PageDocument {
    PageDocument(
      title: "Confirm linking", heading: "Keep \(provider) linked?",
      content: """
        <p role="status">\(provider)\(address) was linked to the account of \
        <strong class="who">\(decision.user.email ?? decision.user.id)</strong>. Its other sign-in methods: \
        \(others).</p>
        <p>If you did not expect this, undo the sign-in: \(provider) is unlinked, and no session is stored.</p>
        <div class="answers">
        <form method="post" action="\(PagePath.undo.rawValue)"><button class="button primary" data-busy="Undoing…">\
        Undo the sign-in</button></form>
        <form method="post" action="\(PagePath.keep.rawValue)"><button class="button secondary" \
        data-busy="Signing in…">Keep and sign in</button></form>
        </div>
        """, wayOut: nil)
  }

  private var address: HTML? { decision.identity?.email.map { " (\($0))" } }
}
