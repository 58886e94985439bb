import AgentProtocol
import SystemSupport

/// The page that asks for a second factor. It says before what a verification ends elsewhere. Never
/// contains a code: a refused one is typed again.
struct FactorPage: Sendable {
  let need: SecondFactorNeed
  /// The factor to verify; nil if the person has to choose one.
  let factor: AccountFactor?
  let account: String
  /// The user's email address or name.
  let user: String?
  /// The seconds until the project sends another code to the phone, not negative; nil if none was sent.
  let pause: Int?
  /// The seconds for which the project keeps a session without the second factor; nil if that is not known.
  let secondsKept: Int64?
  var refusal: AgentError?

  /// The names of the fields of the form for the code, in order.
  static let fields = ["factor", "code"]

  /// The name of the field of the other forms: the factor's ID.
  static let choiceFields = ["factor"]

  var document: PageDocument {
    guard !need.usableFactors.isEmpty else { return unsupported }
    guard let factor else { return choice }
    guard factor.isPhone else {
      return form(factor, "Enter the code from your authenticator app", "The current code\(Self.of(factor)).")
    }
    guard let pause else { return request(factor) }
    return form(
      factor, "Enter the code", "We sent a text message with a code to your phone\(Self.named(factor)).",
      again: AgainForm(action: .sendFactorCode, factor: factor.id, pause: pause))
  }

  // MARK: - The pages

  private func form(
    _ factor: AccountFactor, _ title: String, _ help: HTML, again: AgainForm? = nil
  ) -> PageDocument {
    let field = CodeForm.field(help: help, isRefused: refusal != nil)
    return page(
      title,
      """
      \(effects)
      <form class="fields" method="post" action="\(PagePath.verifyFactor.rawValue)">
      \(Self.hidden(factor.id))\(field.html)
      <button class="button primary" data-busy="Verifying…">Verify</button>
      </form>
      \(again?.html)
      """)
  }

  private func request(_ factor: AccountFactor) -> PageDocument {
    page(
      "Verify your phone",
      """
      <p>The project sends a text message with a code to your phone\(Self.named(factor)).</p>
      \(effects)
      <form class="fields" method="post" action="\(PagePath.sendFactorCode.rawValue)">
      \(Self.hidden(factor.id))<button class="button primary" data-busy="Sending…">Send code</button>
      </form>
      """)
  }

  private var choice: PageDocument {
    let buttons = need.usableFactors.map { factor -> HTML in
      """
      <form method="post" action="\(PagePath.chooseFactor.rawValue)">\(Self.hidden(factor.id))\
      <button class="button secondary method">\
      <span>\(factor.isPhone ? "Phone" : "Authenticator app")\(Self.named(factor))</span></button></form>
      """
    }
    return page("Choose a second factor", "\(effects)\n<div class=\"methods\">\n\(HTML.lines(buttons))\n</div>")
  }

  /// A passkey belongs to the project's own page.
  private var unsupported: PageDocument {
    let types = Set(need.factors.map(\.type)).sorted().joined(separator: ", ")
    return page(
      "Second factor not supported",
      """
      <p role="status">Ritual Agent cannot use this kind of second factor: <strong>\(types)</strong>. The session works \
      without it, but the project may refuse what requires it.</p>
      <p>To get on here, add an authenticator app or a phone where you set up that factor: in the project&#39;s own app or \
      website.</p>
      \(PageDocument.commands(["ritualctl mfa verify --account \(account)"], "Then run in a terminal:"))
      """)
  }

  private func page(_ title: String, _ content: HTML) -> PageDocument {
    PageDocument(
      title: refusal == nil ? title : "Not verified", heading: "\(title)",
      content: """
        \(refusal.map { PageAlert(error: $0, help: help, hasFocus: !asksForCode).html })
        \(content)
        \(other)
        """)
  }

  // MARK: - Parts

  /// True for the form with the field for a code.
  private var asksForCode: Bool { factor.map { !$0.isPhone || pause != nil } ?? false }

  private var help: HTML? {
    guard let pause, factor?.isPhone == true else { return nil }
    return AgainForm.help(after: refusal, pause: pause)
  }

  /// Whom a verification signs out, and how long the session lasts without it.
  private var effects: HTML {
    let accounts = need.endsAccounts ?? []
    let names = HTML.list(accounts.map { "<strong>\($0)</strong>" })
    let who: HTML = user.map { "<strong>\(HTML.breakable($0))</strong>" } ?? "you"
    let here: HTML? =
      accounts.isEmpty
      ? nil
      : "\n<p>On this computer, it also signs out the \(accounts.count == 1 ? "account" : "accounts") \(names).</p>"
    return """
      <div class="next">
      <p>Verifying signs \(who) out on every other phone, browser and computer where no second factor was \
      entered.</p>\(here)\(kept)
      </div>
      """
  }

  private var kept: HTML? {
    secondsKept.map { "\n<p>Without the code, the project ends this session in about \(Self.span($0)).</p>" }
  }

  /// Returns a time in minutes, hours or days, rounded down, and at least one minute.
  static func span(_ seconds: Int64) -> String {
    let units: [(length: Int64, name: String)] = [(86_400, "day"), (3600, "hour"), (60, "minute")]
    // From two of a unit on: "90 minutes" says more than "2 hours".
    let unit = units.first { seconds >= 2 * $0.length } ?? units[2]
    let count = max(1, seconds / unit.length)
    return count == 1 ? "1 \(unit.name)" : "\(count) \(unit.name)s"
  }

  /// The way back to the choice, if there is one.
  private var other: HTML? {
    guard factor != nil, need.usableFactors.count > 1 else { return nil }
    return """
      <div class="links">
      <form method="post" action="\(PagePath.chooseFactor.rawValue)">\(Self.hidden(""))<button class="quiet">\
      Use another second factor</button></form>
      </div>
      """
  }

  static func hidden(_ factor: String) -> HTML { "<input type=\"hidden\" name=\"factor\" value=\"\(factor)\">" }

  private static func named(_ factor: AccountFactor) -> HTML? {
    factor.name.flatMap { $0.isEmpty ? nil : " <strong>\($0)</strong>" }
  }

  private static func of(_ factor: AccountFactor) -> HTML? { named(factor).map { " of\($0)" } }
}

/// A page's question for a second factor. Never holds a code.
struct FactorQuestion: Sendable {
  /// The ID of the factor that the person chose among several.
  var chosen: String?
  /// The phone factor to which a code was sent last, and when the project sends another one.
  var sent: (factor: String, resendAt: BootTime)?

  /// Returns the factor whose code the page asks for; nil if the person has to choose one.
  func factor(of need: SecondFactorNeed) -> AccountFactor? {
    let usable = need.usableFactors
    return usable.first { $0.id == chosen } ?? (usable.count == 1 ? usable[0] : nil)
  }

  /// Returns the seconds until the project sends another code to this factor, not negative; nil if none was sent.
  func pause(_ factor: AccountFactor?, now: BootTime) -> Int? {
    guard let sent, sent.factor == factor?.id else { return nil }
    return max(0, Int(now.duration(to: sent.resendAt).seconds.rounded(.up)))
  }
}

extension AccountFactor {
  /// True for a phone, to which the project sends a code.
  var isPhone: Bool { type == "phone" }
}

extension SecondFactorNeed {
  /// The verified factors whose codes the agent can verify.
  var usableFactors: [AccountFactor] { factors.filter { $0.isVerified && ($0.type == "totp" || $0.isPhone) } }
}
