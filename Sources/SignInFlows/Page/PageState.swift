import AgentProtocol
import SessionEngine
import SystemSupport

/// The state of a flow for its page. The choice of a method and the form are separate pages.
enum PageState: Sendable {
  case choosing
  /// Another program waits for the browser to return. Carries the error of the last rejected
  /// callback, and the button to try again, if any.
  case waiting(AgentError?, MethodButton?)
  case working
  /// The person must answer a question in another program.
  case deciding
  /// The person must answer, here or in another program, whether a link stays (LK-2).
  case question(SignInDecision)
  case signedIn(SignedIn)
  /// `command` starts the sign-in after the confirmation.
  case confirmationSent(command: String)
  /// `command` starts the flow again; the same for the other ends.
  case cancelled(command: String)
  case expired(command: String)
  case failed(AgentError, command: String)

  struct SignedIn: Sendable {
    /// The user's email address or name.
    let who: String?
    /// The sign-in method that the flow linked, as shown to people; nil for a sign-in.
    var linked: String?
  }
}

extension PageState {
  private static let close: HTML = "<p>You can close this tab.</p>"

  /// The page of the state; nil for the choice, which requires the project's settings.
  var document: PageDocument? {
    switch self {
    case .choosing: nil
    case .waiting(let refusal, let button): Self.waiting(refusal, button)
    case .working:
      Self.plain("Signing in…", PageDrawing.progress, "<p role=\"status\">This takes a few seconds.</p>")
    case .deciding:
      Self.plain(
        "Confirm the sign-in", PageDrawing.clock, "<p>Answer the question where you started the sign-in.</p>")
    case .question(let decision): LinkPage(decision: decision).document
    case .signedIn(let end): Self.welcome(end)
    case .confirmationSent(let command): Self.mail(command)
    case .cancelled(let command):
      Self.plain(
        "Cancelled", PageDrawing.pause,
        "<p>Nothing was changed. You can close this tab.</p>\n\(PageDocument.commands([command]))")
    case .expired(let command):
      Self.plain(
        "Sign-in timed out", PageDrawing.clock,
        "\(PageAlert(error: AgentError(.flowTimedOut)).html)\n\(PageDocument.commands([command]))")
    case .failed(let error, let command): Self.refusal(error, command)
    }
  }

  private static func waiting(_ refusal: AgentError?, _ button: MethodButton?) -> PageDocument {
    PageDocument(
      title: refusal == nil ? "Sign in" : "Not signed in",
      content: """
        <h1>Not signed in yet</h1>
        \(refusal.map { PageAlert(error: $0).html })
        <p>This sign-in is still waiting for an answer.</p>
        \(button?.html)
        """)
  }

  private static func plain(_ title: String, _ sign: HTML, _ text: HTML, heading: HTML? = nil) -> PageDocument {
    PageDocument(
      title: title, content: "<div class=\"title\">\(sign)<h1>\(heading ?? "\(title)")</h1></div>\n\(text)")
  }

  /// The header of the page names the account.
  private static func welcome(_ end: SignedIn) -> PageDocument {
    let heading: HTML? = end.who.map { "Signed in as <span class=\"who\">\(HTML.breakable($0))</span>" }
    let linked: HTML? = end.linked.map { "<p role=\"status\">\($0) is now linked.</p>\n" }
    return plain("Signed in", PageDrawing.check, "\(linked)\(close)", heading: heading)
  }

  private static func mail(_ command: String) -> PageDocument {
    plain(
      "Check your email", PageDrawing.letter,
      """
      <p role="status">We sent you an email. Open the link in it, then sign in. You can close this tab.</p>
      \(PageDocument.commands([command], "To sign in, run in a terminal:"))
      """)
  }

  /// A hint that is a command, such as `ritualctl unlock`, comes before the command to start over.
  private static func refusal(_ error: AgentError, _ command: String) -> PageDocument {
    let first = PageAlert.command(error).flatMap { $0.hasPrefix("ritualctl sign-in") ? nil : $0 }
    return plain(
      "Sign-in failed", PageDrawing.stop,
      "\(PageAlert(error: error).html)\n\(PageDocument.commands((first.map { [$0] } ?? []) + [command]))")
  }

  /// The page for a browser without the cookie. Reveals nothing about the sign-in.
  static let missingCookie = refusedWindow(
    "Wrong window", nil, "this sign-in belongs to the window that opened it first; go back to that window")

  /// The page for a launch URL that was used before.
  static let usedLaunchURL = refusedWindow(
    "Link already used", "This link has already been used.",
    "it opens the sign-in only once; go back to the window that it opened")

  /// The sign-in may still be running, so the command takes it over.
  private static func refusedWindow(_ title: String, _ message: String?, _ hint: String) -> PageDocument {
    plain(
      title, PageDrawing.stop,
      """
      \(PageAlert(error: AgentError(.callbackInvalid, message, hint: hint)).html)
      \(PageDocument.commands(["ritualctl sign-in --take-over"]))
      """)
  }
}
