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
  /// Nil if this is the only account, whose name then says nothing.
  var account: String?
  var purpose = Purpose.signIn
  /// The seconds until the flow ends; nil if it is over, or a code of a second factor is being verified.
  var secondsLeft: Int?

  enum Purpose: Sendable, Hashable {
    case signIn
    case link
    /// The account's second factor is verified.
    case secondFactor

    /// The heading before the host.
    fileprivate func words(_ stage: Stage) -> HTML {
      switch (self, stage) {
      case (.signIn, .asks): "Sign in to"
      case (.signIn, .createsUser): "Create an account at"
      case (.signIn, .failed): "Not signed in to"
      case (.link, .asks), (.link, .createsUser): "Link a sign-in method at"
      case (.link, .done): "Sign-in method linked at"
      case (.link, .failed): "Sign-in method not linked at"
      case (.secondFactor, .asks), (.secondFactor, .createsUser), (.secondFactor, .failed): "Second factor for"
      case (.signIn, .done), (.secondFactor, .done): "Signed in to"
      }
    }

    /// What the time is left for; `PageScript` adds it to the minutes.
    fileprivate var aim: String {
      switch self {
      case .signIn: "to sign in"
      case .link: "to link the method"
      case .secondFactor: "to enter the code"
      }
    }
  }

  /// How far the flow is.
  enum Stage: Sendable, Hashable {
    case asks
    /// The page creates an account.
    case createsUser
    case done
    case failed
  }

  /// - Parameter sign: the drawing beside the heading.
  fileprivate func header(_ stage: Stage, _ sign: HTML?) -> HTML {
    """
    <div class="title">\(sign)<h1>\(purpose.words(stage)) <strong>\(HTML.breakable(host))</strong></h1></div>
    \(stored(stage).map { "<p class=\"small\">\($0)</p>" as HTML })
    """
  }

  /// Where the session is stored, while that is to be decided, and under which name, if there are several.
  private func stored(_ stage: Stage) -> HTML? {
    let name: HTML? = account.map { " under the account name <strong>\($0)</strong>" }
    switch stage {
    case .asks, .createsUser:
      return """
        Ritual Agent stores the session on this computer\(name), never your \
        \(purpose == .secondFactor ? "code" : "password").
        """
    case .done: return name.map { "The session is stored\($0)." }
    case .failed: return nil
    }
  }

  /// The time that is left, the button to leave, and the message for a request without an
  /// answer, which the script shows; nil if the flow is over, or nothing can be done but wait.
  fileprivate func footer(_ wayOut: PageDocument.WayOut?) -> HTML? {
    guard let secondsLeft else { return nil }
    return """
      <p class="stalled" id="stalled" tabindex="-1" hidden>No answer yet. Ritual Agent may have stopped, or the network \
      may be slow. Wait, or check the agent and try again: <code class="command">ritualctl status</code></p>
      <footer>
      <p class="small" id="time" data-seconds="\(String(secondsLeft))" data-aim="\(purpose.aim)">\
      \(timeLeft(secondsLeft))</p>
      \(wayOut?.form)
      </footer>
      """
  }

  /// Returns the time left in minutes, rounded up; `PageScript` repeats this rule.
  func timeLeft(_ seconds: Int) -> String {
    let minutes = (max(seconds, 0) + 59) / 60
    return (minutes > 1 ? "\(minutes) minutes left " : "Less than a minute left ") + purpose.aim
  }
}

/// One page. The frame adds head, style, brand, and the flow's header and footer.
struct PageDocument: Sendable {
  /// The title; browser tabs show it, and screen readers read it first.
  var title: String
  /// The heading below the one with the host, if it says more than that. A page without a flow has only this one.
  var heading: HTML?
  /// The drawing beside the last heading.
  var sign: HTML?
  var stage = PageFlow.Stage.asks
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
      \(flow?.header(stage, heading == nil ? sign : nil))
      </header>
      \(headingElement(isFirst: flow == nil))
      \(content)
      \(flow?.footer(wayOut))
      </main>
      </body>
      </html>

      """
    return document.text
  }

  private func headingElement(isFirst: Bool) -> HTML? {
    guard let heading else { return nil }
    let level: HTML = isFirst ? "h1" : "h2"
    return "<div class=\"title\">\(sign)<\(level)>\(heading)</\(level)></div>"
  }

  /// Returns the page for a refused request. Reveals nothing about any sign-in.
  static func notServed(_ reason: String, _ explanation: String) -> PageDocument {
    PageDocument(
      title: reason, heading: "\(reason)",
      content: """
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

/// An error message with what to do next.
struct PageAlert: Sendable {
  static let id = "alert"

  let error: AgentError
  /// What the page offers after the error; nil for the error's own hint.
  var help: HTML?
  /// False on a page with a field, which has the focus, and this message as its description. Otherwise the message
  /// gets it, without any script, so that a screen reader begins there.
  var hasFocus = true

  var html: HTML {
    let focus: HTML? = hasFocus ? " tabindex=\"-1\" autofocus" : nil
    return """
      <div class="alert" id="\(Self.id)" role="alert"\(focus)>
      <p>\(message)</p>\((help ?? hint).map { "\n\($0)" as HTML })
      </div>
      """
  }

  /// The error's message in the spelling of the pages. One prescribed message spells "e-mail".
  private var message: String { error.message.replacing("e-mail", with: "email") }

  /// The hint, unless it is for a terminal: commands have an element of their own, and the page has a link in place of
  /// the option that creates an account.
  private var hint: HTML? {
    guard let hint = error.data.hint, !hint.contains("ritualctl "), !hint.contains("--sign-up") else { return nil }
    return "<p>\(Self.sentence(hint)).</p>"
  }

  /// Returns the command of a hint and the words before it, if it consists of these.
  static func command(_ error: AgentError) -> (introduction: String?, command: String)? {
    guard let hint = error.data.hint, let start = hint.firstRange(of: "ritualctl ")?.lowerBound else { return nil }
    let (words, command) = (hint[..<start], String(hint[start...]))
    guard !command.contains(";") else { return nil }
    if words.isEmpty { return (nil, command) }
    return words.hasSuffix(": ") ? (sentence(words.dropLast(2)), command) : nil
  }

  private static func sentence(_ hint: some StringProtocol) -> String {
    hint.prefix(1).uppercased() + String(hint.dropFirst())
  }
}
