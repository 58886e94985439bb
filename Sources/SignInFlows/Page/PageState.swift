import AgentProtocol
import SessionEngine
import SystemSupport

/// The state of a flow for its page. The choice of a method and the form are separate pages.
enum PageState: Sendable {
  case choosing
  case askingForFactor
  /// Another program waits for the browser to return. Carries the error of the last rejected
  /// callback, and the button to try again, if any.
  case waiting(AgentError?, MethodButton?)
  case working
  /// The code of a second factor was sent, which cannot be taken back. `command` shows the result.
  case verifying(command: String)
  /// The page waits for the answer to a request that is no sign-in; `title` says what is requested.
  case requesting(title: String)
  /// The person must answer a question in another program.
  case deciding
  /// The person must answer, here or in another program, whether a link stays.
  case question(SignInDecision)
  case signedIn(SignedIn)
  /// `command` starts the sign-in after the confirmation.
  case confirmationSent(command: String)
  /// `command` starts the flow again; the same for the other ends. The reason is nil if a person cancelled the flow.
  case cancelled(AgentError?, command: String)
  case expired(command: String)
  case failed(AgentError, command: String)
  /// The second factor was not verified.
  case notVerified(AgentError, command: String)

  struct SignedIn: Sendable {
    /// The user's email address or name.
    let who: String?
    /// The sign-in method that the flow linked, as shown to people; nil for a sign-in.
    var linked: String?
    /// The second factor of the session; nil for a user without one.
    var factor: Factor?
  }

  enum Factor: Sendable, Hashable {
    case verified
    /// The session works without it. `command` verifies it.
    case missing(command: String)
  }
}

extension PageState {
  private static let close: HTML = "<p>You can close this tab and return to your terminal.</p>"

  /// The page of the state; nil for the choice, which requires the project's settings.
  var document: PageDocument? {
    switch self {
    case .choosing, .askingForFactor: nil
    case .waiting(let refusal, let button): Self.waiting(refusal, button)
    case .working:
      Self.plain("Signing in…", PageDrawing.progress, "<p role=\"status\">This takes a few seconds.</p>")
    case .verifying(let command): Self.verifying(command)
    case .requesting(let title):
      Self.plain(title, PageDrawing.progress, "<p role=\"status\">This takes a few seconds.</p>")
    case .deciding:
      Self.plain(
        "Confirm the sign-in", PageDrawing.clock, "<p>Answer the question where you started the sign-in.</p>")
    case .question(let decision): LinkPage(decision: decision).document
    case .signedIn(let end): Self.welcome(end)
    case .confirmationSent(let command): Self.mail(command)
    case .cancelled(let reason, let command):
      Self.plain(
        "Cancelled", PageDrawing.pause, stage: .failed,
        """
        <p>\(reason?.message ?? "Nothing was changed.") You can close this tab.</p>
        \(PageDocument.commands([command]))
        """)
    case .expired(let command):
      Self.plain(
        "Sign-in timed out", PageDrawing.clock, stage: .failed,
        "\(PageAlert(error: AgentError(.flowTimedOut)).html)\n\(PageDocument.commands([command]))")
    case .failed(let error, let command): Self.refusal("Sign-in failed", error, command)
    case .notVerified(let error, let command): Self.refusal("Not verified", error, command)
    }
  }

  private static func waiting(_ refusal: AgentError?, _ button: MethodButton?) -> PageDocument {
    PageDocument(
      title: refusal == nil ? "Sign in" : "Not signed in", heading: "Not signed in yet",
      content: """
        \(refusal.map { PageAlert(error: $0).html })
        <p>This sign-in is still waiting for an answer.</p>
        \(button?.html)
        """)
  }

  private static func plain(
    _ title: String, _ sign: HTML, stage: PageFlow.Stage = .asks, _ text: HTML
  ) -> PageDocument {
    PageDocument(title: title, heading: "\(title)", sign: sign, stage: stage, content: text)
  }

  /// The page continues by itself, like every progress. It has no button, because none could stop the verification, and
  /// says what a person may do instead of waiting.
  private static func verifying(_ command: String) -> PageDocument {
    plain(
      "Verifying the code…", PageDrawing.progress,
      """
      <p role="status">This takes a few seconds, and cannot be cancelled. You can close this tab: the verification goes \
      on without it.</p>
      \(PageDocument.commands([command], "To see its result, run in a terminal:"))
      """)
  }

  /// The heading is the one with the host.
  private static func welcome(_ end: SignedIn) -> PageDocument {
    let who: HTML? = end.who.map {
      "<p role=\"status\">You are signed in as <strong class=\"who\">\(HTML.breakable($0))</strong>.</p>\n"
    }
    let linked: HTML? = end.linked.map { "<p role=\"status\">\($0) is now linked.</p>\n" }
    return PageDocument(
      title: "Signed in", sign: PageDrawing.check, stage: .done,
      content: "\(who)\(linked)\(factor(end.factor))\(close)")
  }

  private static func factor(_ factor: Factor?) -> HTML? {
    switch factor {
    case nil: nil
    case .verified: "<p role=\"status\">Your second factor is verified.</p>\n"
    case .missing(let command):
      """
      <p role="status">Your second factor is not verified. The session works, but the project may refuse what requires \
      the second factor.</p>
      \(PageDocument.commands([command], "To verify it later, run in a terminal:"))

      """
    }
  }

  private static func mail(_ command: String) -> PageDocument {
    plain(
      "Check your email", PageDrawing.letter,
      """
      <p role="status">We sent you an email. Open the link in it, then sign in. You can close this tab.</p>
      \(PageDocument.commands([command], "To sign in, run in a terminal:"))
      """)
  }

  /// A command of the hint, such as `ritualctl unlock`, comes before the command to start over.
  private static func refusal(_ title: String, _ error: AgentError, _ command: String) -> PageDocument {
    let alert = PageAlert(error: error).html
    let next: HTML
    switch PageAlert.command(error) {
    case (let introduction?, let first)? where !command.hasPrefix(first):
      next = HTML.lines([PageDocument.commands([first], "\(introduction):"), PageDocument.commands([command])])
    case (nil, let first)? where first != command && !first.hasPrefix("ritualctl sign-in"):
      next = PageDocument.commands([first, command])
    default: next = PageDocument.commands([command])
    }
    return plain(title, PageDrawing.stop, stage: .failed, "\(alert)\n\(next)")
  }

  /// The page for a browser without the cookie. Reveals nothing about the sign-in.
  static let missingCookie = refusedWindow(
    "Wrong window", "This sign-in belongs to the window that opened it first. Go back to that window.")

  /// The page for a browser without the cookie once the sign-in has an answer, which may have come from
  /// this browser: one that keeps no cookie. It is the page of a stranger too, so it tells no result.
  static let unknownWindow = plain(
    "Result elsewhere", PageDrawing.pause,
    """
    <p role="status">This browser did not keep the cookie of this page, so the page cannot show how the sign-in ended. \
    Look where you started the sign-in. You can close this tab.</p>
    \(PageDocument.commands(["ritualctl status"], "To see the result, run in a terminal:"))
    """)

  /// The page for a launch URL that was used before.
  static let usedLaunchURL = refusedWindow(
    "Link already used", "It is valid once. Go back to the window in which the sign-in page is open.")

  /// The sign-in may still be running, so the command takes it over.
  private static func refusedWindow(_ title: String, _ text: HTML) -> PageDocument {
    plain(
      title, PageDrawing.stop,
      "<p role=\"alert\">\(text)</p>\n\(PageDocument.commands(["ritualctl sign-in --take-over"]))")
  }
}
