import AgentProtocol
import SessionEngine

/// The form for e-mail and password, for those who have an account and for those who are new.
struct EmailForm: Sendable {
  /// The names of its fields, in their order.
  static let fields = ["email", "password"]

  let isSignUp: Bool
  /// What was typed the last time.
  var email = ""
  var refusal: AgentError?
  /// Whether the other of the two is offered.
  var offersOther = true

  private var words: (title: String, button: String, busy: String, password: String) {
    isSignUp
      ? ("Create an account", "Sign up", "Signing up…", "new-password")
      : ("Sign in with e-mail", "Sign in", "Signing in…", "current-password")
  }

  var document: PageDocument {
    PageDocument(
      title: refusal == nil ? words.title : "Not signed in",
      content: """
        <h1>\(words.title)</h1>
        \(refusal.map { PageAlert(error: $0).html })
        \(form)
        \(other)
        <p class="back"><a href="\(PageAddress.home.rawValue)">Other ways to sign in</a></p>
        """, hasControls: true)
  }

  private var form: HTML {
    let faulty: HTML? = refusal == nil ? nil : " aria-describedby=\"\(PageAlert.id)\""
    return """
      <form method="post" action="\(PageAddress.form(signUp: isSignUp).rawValue)">
      <label for="email">E-mail</label>
      <input id="email" name="email" type="email" inputmode="email" autocomplete="username" autocapitalize="none" \
      spellcheck="false" maxlength="\(String(FirstTimeFacts.emailLength))" required value="\(email)"\(faulty)>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="\(words.password)" required\(faulty)>
      <button class="main" data-busy="\(words.busy)">\(words.button)</button>
      </form>
      """
  }

  private var other: HTML? {
    guard offersOther else { return nil }
    let link = PageAddress.form(signUp: !isSignUp).rawValue
    return isSignUp
      ? "<p class=\"other\">Already have an account? <a href=\"\(link)\">Sign in</a></p>"
      : "<p class=\"other\">New here? <a href=\"\(link)\">Create an account</a></p>"
  }
}
