import AgentProtocol
import SessionEngine
import SupabaseAuth

/// The form for email and password, for sign-in or sign-up.
struct EmailForm: Sendable {
  /// The names of the form's fields, in order.
  static let fields = ["email", "password"]

  /// The minimum of Supabase Auth. A project may require more, but its settings do not say so
  /// before a password is refused.
  private static let minPasswordLength = 6

  let isSignUp: Bool
  /// The email address of the last attempt.
  var email = ""
  var refusal: AgentError?
  /// True if the page links to the other form: from sign-in to sign-up, or the reverse.
  var offersOther = true

  private var words: (title: String, button: String, busy: String, password: String) {
    isSignUp
      ? ("Create an account", "Sign up", "Signing up…", "new-password")
      : ("Sign in with email", "Sign in", "Signing in…", "current-password")
  }

  var document: PageDocument {
    PageDocument(
      title: refusal == nil ? words.title : "Not signed in",
      content: """
        <h1>\(words.title)</h1>
        \(refusal.map { PageAlert(error: $0).html })
        \(form)
        <div class="links">
        \(other)<p><a href="\(PagePath.home.rawValue)">Other sign-in methods</a></p>
        </div>
        """)
  }

  private var form: HTML {
    let invalid: HTML? = refusal == nil ? nil : " aria-describedby=\"\(PageAlert.id)\""
    return """
      <form class="fields" method="post" action="\(PagePath.form(signUp: isSignUp).rawValue)">
      <div>
      <label for="email">Email</label>
      <input id="email" name="email" type="email" inputmode="email" autocomplete="username" autocapitalize="none" \
      spellcheck="false" maxlength="\(String(FirstTimeFacts.emailLength))" required value="\(email)"\(invalid)>
      </div>
      <div>
      <label for="password">Password</label>
      \(rule)<div class="revealed"><input id="password" name="password" type="password" autocomplete="\(words.password)" \
      required\(passwordDescription)><button class="show" id="show" type="button" aria-label="Show password" \
      aria-pressed="false" aria-controls="password" hidden>\(PageDrawing.eye)</button></div>
      </div>
      <button class="button primary" data-busy="\(words.busy)">\(words.button)</button>
      </form>
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

  private var other: HTML? {
    guard offersOther else { return nil }
    let link = PagePath.form(signUp: !isSignUp).rawValue
    return isSignUp
      ? "<p>Already have an account? <a href=\"\(link)\">Sign in</a></p>\n"
      : "<p>New here? <a href=\"\(link)\">Create an account</a></p>\n"
  }
}

/// The page with the project's enabled sign-in methods (SI-12): Apple first, then Google, then
/// email (SI-1).
struct ChoicePage: Sendable {
  let methods: [MethodButton]
  /// The error of the last rejected callback.
  let refusal: AgentError?

  var document: PageDocument {
    PageDocument(
      title: refusal == nil ? "Sign in" : "Not signed in",
      content: """
        <h1>Choose how to sign in</h1>
        \(refusal.map { PageAlert(error: $0).html })
        \(list)
        """)
  }

  private var list: HTML {
    guard !methods.isEmpty else { return "<p>Apple, Google and email are all disabled for this project.</p>" }
    return "<div class=\"methods\">\n\(HTML.lines(methods.map(\.html)))\n</div>"
  }
}

/// Asks whether an identity that the server linked automatically stays linked (LK-2).
///
/// To undo is the primary answer, and the first one: it restores what was before and can be
/// repeated as a new sign-in, while a link that stays lets someone else's identity, if it is one,
/// into the account for good. To undo is also to cancel, so the page has no other Cancel.
struct LinkPage: Sendable {
  let decision: SignInDecision

  private var provider: String { Self.shown(decision.identity?.provider ?? decision.user.provider ?? "") }
  private var others: String { (decision.others ?? []).map { Self.shown($0.provider) }.joined(separator: ", ") }

  var document: PageDocument {
    PageDocument(
      title: "Confirm linking",
      content: """
        <h1>Keep \(provider) linked?</h1>
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
        """, hasCancel: false)
  }

  private var address: HTML? { decision.identity?.email.map { " (\($0))" } }

  /// Returns the name of a sign-in method as the pages show it.
  static func shown(_ provider: String) -> String {
    switch provider {
    case "apple": "Apple"
    case "google": "Google"
    case "email": "email"
    default: provider
    }
  }
}
