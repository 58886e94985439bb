import AgentProtocol
import SessionEngine
import SystemSupport

/// The state of a flow for its page. The choice of a method and the form are separate pages.
enum PageState: Sendable {
  case choosing
  /// Another program waits for the browser to return; the page offers only to cancel. Carries the
  /// error of the last rejected callback, if any.
  case waiting(AgentError?)
  case working
  /// The person must answer a question in another program.
  case deciding
  /// The person must answer, here or in another program, whether a link stays (LK-2).
  case question(SignInDecision)
  case signedIn(account: String, who: String?)
  case confirmationSent
  case cancelled
  case expired
  case failed(AgentError)
}

extension PageState {
  private static let close: HTML = "<p>You can close this page.</p>"

  /// The button to cancel, on every page that waits for the person (SI-10).
  static let cancelForm: HTML = """
    <form class="cancel" method="post" action="/sign-in/cancel"><button class="quiet" data-busy="Cancelling…">Cancel\
    </button></form>
    """

  /// The page of the state; nil for the choice, which requires the project's settings.
  var document: PageDocument? {
    switch self {
    case .choosing: nil
    case .waiting(let refusal): Self.waiting(refusal)
    case .working:
      Self.plain("Signing in…", PageDrawing.progress, "<p role=\"status\">This takes a few seconds.</p>")
    case .deciding:
      Self.plain("Confirm linking", PageDrawing.clock, "<p>Answer the question where you started the sign-in.</p>")
    case .question(let decision): LinkPage(decision: decision).document
    case .signedIn(let account, let who): Self.welcome(account, who)
    case .confirmationSent: Self.mail
    case .cancelled: Self.plain("Cancelled", PageDrawing.pause, "<p>Nothing was changed.</p>\(Self.close)")
    case .expired: Self.late
    case .failed(let error): Self.refusal(error)
    }
  }

  private static func waiting(_ refusal: AgentError?) -> PageDocument {
    PageDocument(
      title: refusal == nil ? "Sign in" : "Not signed in",
      content: """
        <h1>Not signed in yet</h1>
        \(refusal.map { PageAlert(error: $0).html })
        <p class="lead">This sign-in is still waiting for an answer.</p>
        \(cancelForm)
        """, hasControls: true)
  }

  private static func plain(_ title: String, _ sign: HTML, _ text: HTML) -> PageDocument {
    PageDocument(title: title, content: "<div class=\"end\">\(sign)\n<h1>\(title)</h1>\n\(text)</div>")
  }

  private static func welcome(_ account: String, _ who: String?) -> PageDocument {
    let name: HTML? = who.map { " as <strong class=\"who\">\($0)</strong>" }
    return plain(
      "Signed in", PageDrawing.check,
      "<p role=\"status\">You are signed in\(name).</p><p>Account <strong>\(account)</strong></p>\(close)")
  }

  private static let mail = plain(
    "Check your email", PageDrawing.letter,
    "<p role=\"status\">We sent you an email. Open the link in it, then sign in.</p>\(close)")

  private static let late = plain(
    "Sign-in timed out", PageDrawing.clock,
    alert(AgentError(.flowTimedOut, hint: "go back to where you started, and try again")))

  private static func refusal(_ error: AgentError) -> PageDocument {
    plain(
      "Sign in failed", PageDrawing.stop,
      "\(alert(error))<p>Go back to where you started, and try again.</p>")
  }

  private static func alert(_ error: AgentError) -> HTML { PageAlert(error: error).html }

  /// The page for a browser without the cookie. Reveals nothing about the sign-in.
  static let missingCookie = plain(
    "Wrong window", PageDrawing.stop,
    alert(
      AgentError(
        .callbackInvalid,
        hint: "this sign-in belongs to the window that opened it first; go back to that window, or start again")
    ))

  /// The page for a launch URL that was used before.
  static let usedLaunchURL = plain(
    "Link already used", PageDrawing.stop,
    alert(
      AgentError(
        .callbackInvalid, "This link has already been used.",
        hint: "it opens the sign-in only once; go back to the window that it opened, or start again")))
}
