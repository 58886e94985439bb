import AgentProtocol
import SystemSupport

/// A fragment of a page. Interpolated text is always escaped by `ForeignText.html`, so no caller
/// can forget it.
///
///     let greeting: HTML = "<p>Hello, \(name)</p>"
struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
  let text: String

  /// The maximum length of one inserted text, in characters. The longest is an email address in the
  /// form, at most 320 bytes.
  private static let limit = 400

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  private init(raw: String) { text = raw }

  /// Returns the fragments joined by line breaks.
  static func lines(_ pieces: [HTML]) -> HTML { HTML(raw: pieces.map(\.text).joined(separator: "\n")) }

  /// Returns the fragments as a list in a sentence.
  static func list(_ pieces: [HTML]) -> HTML { HTML(raw: pieces.map(\.text).joined(separator: ", ")) }

  /// Returns a host or an email address that breaks behind dots and at signs if it has to.
  static func breakable(_ address: String) -> HTML {
    let escaped: HTML = "\(address)"
    return HTML(raw: escaped.text.map { ".@".contains($0) ? "\($0)<wbr>" : "\($0)" }.joined())
  }

  /// Returns the content of a raw text element (`style`), where nothing is escaped. Only for
  /// literals of this source.
  static func verbatim(_ source: StaticString) -> HTML { HTML(raw: "\(source)") }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate(set) var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ foreign: String) { text += ForeignText.html(foreign, limit: HTML.limit) }

    mutating func appendInterpolation(_ piece: HTML) { text += piece.text }

    mutating func appendInterpolation(_ piece: HTML?) { text += piece?.text ?? "" }
  }
}

/// The parts that all pages of one flow share: where the data goes, and the time left.
struct PageFlow: Sendable, Hashable {
  /// The project's host, with its port unless it is the default.
  let host: String
  let account: String
  var purpose = Purpose.signIn
  /// The seconds until the flow ends; nil if it is over, or a code of a second factor is being verified.
  var secondsLeft: Int?

  enum Purpose: Sendable, Hashable {
    case signIn
    /// A sign-in method is linked to the account.
    case link
    /// The account's second factor is verified.
    case secondFactor

    fileprivate var words: HTML {
      switch self {
      case .signIn: "Sign in to"
      case .link: "Link a sign-in method at"
      case .secondFactor: "Second factor for"
      }
    }
  }

  fileprivate var header: HTML {
    """
    <p class="to">\(purpose.words) <strong>\(HTML.breakable(host))</strong></p>
    <p class="small">Account <strong>\(account)</strong>. Ritual Agent on this computer stores the session, never \
    your \(purpose == .secondFactor ? "code" : "password").</p>
    """
  }

  /// The time that is left, the button to leave, and the message for a request without an
  /// answer, which the script shows; nil if the flow is over, or nothing can be done but wait.
  fileprivate func footer(_ wayOut: PageDocument.WayOut?) -> HTML? {
    guard let secondsLeft else { return nil }
    return """
      <p class="stalled" id="stalled" tabindex="-1" hidden>No answer yet. Ritual Agent may have stopped, or the network \
      may be slow. Wait, or check the agent and try again: <code class="command">ritualctl status</code></p>
      <footer>
      <p class="small" id="time" data-seconds="\(String(secondsLeft))">\(Self.timeLeft(secondsLeft))</p>
      \(wayOut?.form)
      </footer>
      """
  }

  /// Returns the time left in minutes, rounded up; `PageScript` repeats this rule.
  static func timeLeft(_ seconds: Int) -> String {
    let minutes = (max(seconds, 0) + 59) / 60
    return minutes > 1 ? "\(minutes) minutes left" : "Less than a minute left"
  }
}

/// One page: title and content. The frame adds head, style, brand, and the flow's header and footer.
struct PageDocument: Sendable {
  /// The title; browser tabs show it, and screen readers read it first.
  var title: String
  var content: HTML
  /// How a person leaves the page of a running flow; nil if an answer on the page does.
  var wayOut: WayOut? = .cancel

  enum WayOut: Sendable, Hashable {
    case cancel
    /// Leaves the second factor for later: there is nothing to cancel, because the session is stored.
    case later

    fileprivate var form: HTML {
      let (path, words): (PagePath, HTML) = self == .cancel ? (.cancel, "Cancel") : (.postponeFactor, "Later")
      return """
        <form class="cancel" method="post" action="\(path.rawValue)"><button class="quiet">\(words)</button></form>
        """
    }
  }

  /// Returns the complete page.
  /// - Parameter flow: nil for a browser that may not learn anything about a sign-in. Such a browser
  ///   cannot load the script either.
  func html(of flow: PageFlow?) -> String {
    let script: HTML? = flow == nil ? nil : "<script src=\"\(PagePath.script.rawValue)\" defer></script>"
    let document: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      <title>\(title) – Ritual Agent</title>
      <style>\(PageStyle.element)</style>
      \(script)
      </head>
      <body>
      <main>
      <header>
      <p class="brand">\(PageDrawing.mark)<span>Ritual Agent</span></p>
      \(flow?.header)
      </header>
      \(content)
      \(flow?.footer(wayOut))
      </main>
      </body>
      </html>

      """
    return document.text
  }

  /// Returns the page for a refused request. Reveals nothing about any sign-in.
  static func notServed(_ reason: String, _ explanation: String) -> PageDocument {
    PageDocument(
      title: reason,
      content: """
        <h1>\(reason)</h1>
        <p>\(explanation)</p>
        \(commands(["ritualctl sign-in"]))
        """)
  }

  /// Returns the commands with which a person continues in a terminal. A click selects a command.
  static func commands(_ commands: [String], _ introduction: String = "To start over, run in a terminal:") -> HTML {
    let lines = commands.map { "<code class=\"command\">\($0)</code>" as HTML }
    return "<div class=\"next\">\n<p>\(introduction)</p>\n\(HTML.lines(lines))\n</div>"
  }
}

/// Inline drawings, so that nothing is loaded. All are decoration; the adjacent text carries the
/// meaning.
enum PageDrawing {
  /// The program's logo: a nearly closed circle, for the round of a day.
  static let mark: HTML = """
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path fill="none" stroke="currentColor" \
    stroke-width="2.5" stroke-linecap="round" d="M16.9 4.6a9 9 0 1 0 3.6 4.3"/><circle cx="12" cy="12" r="2.75" \
    fill="currentColor"/></svg>
    """

  static let check: HTML = """
    <svg class="sign good" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>\
    <path pathLength="1" d="M15 24.5l6.5 6.5L34 18"/></svg>
    """

  static let envelope: HTML = """
    <svg class="line" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><rect x="3" y="5" width="18" height="14" \
    rx="2"/><path d="M3.5 7l8.5 6.5L20.5 7"/></svg>
    """

  /// Returns the sign of a provider without a logo here: the first letter of its name in a circle.
  static func monogram(_ name: String) -> HTML {
    """
    <svg class="line" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><circle cx="12" cy="12" r="10"/>\
    <text x="12" y="16.25" text-anchor="middle" font-size="12" font-weight="600" fill="currentColor" \
    stroke="none">\(name.prefix(1).uppercased())</text></svg>
    """
  }

  static let digits: HTML = """
    <svg class="line" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><rect x="2" y="6" width="20" height="12" \
    rx="2"/><path d="M7 12h.01M12 12h.01M17 12h.01" stroke-width="3"/></svg>
    """

  static let phone: HTML = """
    <svg class="line" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><rect x="6" y="2" width="12" height="20" \
    rx="2.5"/><path d="M11 18.5h2"/></svg>
    """

  static let building: HTML = """
    <svg class="line" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M5 21V4.5A1.5 1.5 0 0 1 6.5 \
    3h7A1.5 1.5 0 0 1 15 4.5V21M15 10h3a1.5 1.5 0 0 1 1.5 1.5V21M3 21h18M9 7.5h2M9 12h2M9 16.5h2"/></svg>
    """

  static let person: HTML = """
    <svg class="line" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><circle cx="12" cy="8" r="4"/>\
    <path d="M4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6" stroke-dasharray="2.5 3"/></svg>
    """

  /// An eye, which the style strikes through while the password is shown.
  static let eye: HTML = """
    <svg class="line" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M2 12s3.6-6.5 10-6.5S22 12 \
    22 12s-3.6 6.5-10 6.5S2 12 2 12z"/><circle cx="12" cy="12" r="3"/><path class="strike" d="M4 20L20 4"/></svg>
    """

  static let letter: HTML = """
    <svg class="sign" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><rect x="6" y="11" width="36" height="26" \
    rx="4"/><path d="M7 14l17 13 17-13"/></svg>
    """

  static let stop: HTML = """
    <svg class="sign bad" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>\
    <path d="M24 14v13M24 33.5v.01"/></svg>
    """

  static let pause: HTML = """
    <svg class="sign" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>\
    <path d="M17 24h14"/></svg>
    """

  static let clock: HTML = """
    <svg class="sign" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>\
    <path d="M24 12.5V24l7.5 5"/></svg>
    """

  static let progress: HTML = """
    <svg class="sign turning" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle class="rail" cx="24" \
    cy="24" r="20"/><path d="M24 4a20 20 0 0 1 20 20"/></svg>
    """
}

/// An error message with its hint. It gets the focus without any script, so that a screen reader
/// begins there.
struct PageAlert: Sendable {
  static let id = "alert"

  let error: AgentError
  /// True if the page links to the form for a code that was requested elsewhere.
  var offersOwnCode = false

  var html: HTML {
    """
    <div class="alert" id="\(Self.id)" role="alert" tabindex="-1" autofocus>
    <p>\(message)</p>\(nextStep.map { "\n<p>\($0)</p>" as HTML })
    </div>
    """
  }

  /// The error's message in the spelling of the pages. One prescribed message spells "e-mail".
  private var message: String { error.message.replacing("e-mail", with: "email") }

  /// The hint, unless it is a command: commands have an element of their own. The page has a link in
  /// place of the option that creates an account.
  private var nextStep: HTML? {
    if error.kind == .captchaRequired { return offersOwnCode ? Self.withCaptcha : Self.withCaptchaOnly }
    guard let hint = error.data.hint, Self.command(error) == nil, !hint.contains("--sign-up") else { return nil }
    return "\(hint.prefix(1).uppercased() + hint.dropFirst())."
  }

  /// The methods that work for a project with a CAPTCHA.
  private static let withCaptcha: HTML =
    "These work here: a provider such as Google or GitHub, and a code that you requested on the project&#39;s own page."

  /// The same for a page that takes no such code.
  private static let withCaptchaOnly: HTML = "This works here: a provider such as Google or GitHub."

  /// Returns the hint if it is a command.
  static func command(_ error: AgentError) -> String? {
    error.data.hint.flatMap { $0.hasPrefix("ritualctl ") ? $0 : nil }
  }
}
