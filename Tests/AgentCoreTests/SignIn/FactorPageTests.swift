import AgentProtocol
import SystemSupport
import Testing

@testable import SignInFlows

/// The HTML of the page that asks for a second factor (MF-3, MF-6).
@Suite struct FactorPageTests {
  private static let app = AccountFactor(id: "id-1", type: "totp", name: "Work <phone>", status: "verified")
  private static let phone = AccountFactor(id: "id-2", type: "phone", name: nil, status: "verified")
  private static let passkey = AccountFactor(id: "id-3", type: "webauthn", name: nil, status: "verified")
  private static let ends = "Every session of this user without a second factor ends: phone, browsers."

  private func page(
    _ factors: [AccountFactor], chosen: AccountFactor? = nil, pause: Int? = nil, kept: Int64? = nil,
    accounts: [String]? = nil, _ refusal: AgentError? = nil
  ) -> PageDocument {
    let need = SecondFactorNeed(needed: true, factors: factors, endsAccounts: accounts)
    var question = FactorQuestion()
    question.choose(chosen)
    return FactorPage(
      need: need, factor: question.factor(of: need), account: "work", pause: pause, secondsKept: kept, refusal: refusal
    ).document
  }

  @Test("MF-3: an authenticator app has one field for a one-time code, and the factor can be left for later")
  func asksForTheCode() {
    let page = page([Self.app]).content.text
    #expect(page.contains("<h1>Enter the code from your authenticator app</h1>"))
    #expect(page.contains("The current code of <strong>Work &lt;phone&gt;</strong>."))
    #expect(
      page.contains("inputmode=\"numeric\" autocomplete=\"one-time-code\"") && page.contains(" autofocus required"))
    #expect(page.contains("action=\"/sign-in/factor/verify\">\n<input type=\"hidden\" name=\"factor\" value=\"id-1\">"))
    #expect(!page.contains("Use another second factor") && !page.contains("Send"))
  }

  @Test("MF-6: what a verification ends is said before the code is entered or sent, with the accounts")
  func saysWhatEnds() {
    for factors in [[Self.app], [Self.phone], [Self.app, Self.phone]] {
      let page = page(factors, accounts: ["home", "old"]).content.text
      #expect(page.contains(Self.ends))
      #expect(page.contains("this ends the accounts <strong>home</strong>, <strong>old</strong>."))
      let button = page.firstRange(of: "<button")!.lowerBound
      #expect(page.firstRange(of: Self.ends)!.lowerBound < button)
    }
    #expect(page([Self.app], accounts: ["home"]).content.text.contains("ends the account <strong>home</strong>."))
    #expect(!page([Self.app]).content.text.contains("In Ritual Agent"))
  }

  @Test(
    "MF-3: how long the project keeps the session without the factor is said in one unit",
    arguments: [
      (-5, "1 minute"), (59, "1 minute"), (600, "10 minutes"), (7199, "119 minutes"), (7200, "2 hours"),
      (172_799, "47 hours"), (172_800, "2 days"), (604_800, "7 days"),
    ])
  func saysHowLong(seconds: Int64, text: String) {
    #expect(FactorPage.span(seconds) == text)
    #expect(page([Self.app], kept: seconds).content.text.contains("ends this session in about \(text)."))
    #expect(!page([Self.app]).content.text.contains("Without it"))
  }

  @Test("MF-3: a phone gets a code on request, and then another one after the pause")
  func asksThePhone() {
    let first = page([Self.phone]).content.text
    #expect(first.contains("action=\"/sign-in/factor/send\">") && first.contains("value=\"id-2\""))
    #expect(first.contains(">Send code</button>") && !first.contains("name=\"code\""))
    let sent = page([Self.phone], pause: 60).content.text
    #expect(sent.contains("name=\"code\"") && sent.contains("You can request another code in 60 seconds."))
    let again = page([Self.phone], pause: 0).content.text
    #expect(again.contains(">Send another code</button>") && !again.contains("id=\"pause\""))
    #expect(again.contains("action=\"/sign-in/factor/send\"><input type=\"hidden\" name=\"factor\" value=\"id-2\">"))
  }

  @Test("MF-3: several factors are a choice, to which the chosen one leads back")
  func offersTheChoice() {
    let choice = page([Self.app, Self.phone, Self.passkey]).content.text
    #expect(choice.contains("<h1>Choose a second factor</h1>"))
    #expect(
      choice.contains("Authenticator app <strong>Work &lt;phone&gt;</strong>") && choice.contains("<span>Phone</span>"))
    #expect(choice.split(separator: "action=\"/sign-in/factor\"").count == 3, "a passkey is not offered")
    let chosen = page([Self.app, Self.phone], chosen: Self.phone).content.text
    #expect(chosen.contains("Send code") && chosen.contains("Use another second factor"))
    #expect(page([Self.app, Self.passkey]).content.text.contains("name=\"code\""), "one of two is usable")
  }

  @Test("MF-3: a factor that the agent cannot verify is named, with the way on")
  func namesUnsupportedFactors() {
    let page = page([Self.passkey]).content.text
    #expect(page.contains("cannot use this kind of second factor: <strong>webauthn</strong>"))
    #expect(page.contains("<code class=\"command\">ritualctl mfa verify --account work</code>"))
    #expect(!page.contains("name=\"code\"") && !page.contains(Self.ends))
    let unverified = AccountFactor(id: "id-4", type: "totp", name: nil, status: "unverified")
    #expect(SecondFactorNeed(needed: true, factors: [unverified]).usableFactors.isEmpty)
  }

  @Test("MF-3: a refused code is not filled in again, and the error gets the focus")
  func refusesTheCode() {
    let refused = page([Self.app], AgentError(.codeInvalid))
    #expect(refused.title == "Not verified")
    #expect(refused.content.text.contains("role=\"alert\" tabindex=\"-1\" autofocus>"))
    #expect(
      refused.content.text.contains("required value=\"\"") && !refused.content.text.contains("autofocus required"))
  }

  @Test("the last page says whether the second factor is verified")
  func saysTheEnd() throws {
    let verified = PageState.signedIn(.init(who: "anna@example.org", factor: .verified)).document?.content.text
    #expect(verified?.contains("Your second factor is verified.") == true)
    let command = "ritualctl mfa verify --account work"
    let missing = PageState.signedIn(.init(who: nil, factor: .missing(command: command))).document?.content.text
    #expect(missing?.contains("<code class=\"command\">\(command)</code>") == true)
    #expect(missing?.contains("is not verified") == true && missing?.contains("You can close this tab.") == true)
    let failed = PageState.notVerified(AgentError(.vaultLocked), command: command).document
    #expect(failed?.title == "Not verified")
    #expect(failed?.content.text.contains("ritualctl unlock</code>\n<code class=\"command\">\(command)</code>") == true)
  }

  @Test("the pause before another code is that of the factor to which a code was sent")
  func countsThePause() {
    let clock = ObservedClock()
    var question = FactorQuestion(linked: "Google")
    #expect(question.pause(Self.phone, now: clock.now) == nil)
    question.noteSent(to: Self.phone, resendAt: clock.now.advanced(by: .seconds(60)))
    #expect(question.pause(Self.phone, now: clock.now) == 60 && question.pause(Self.app, now: clock.now) == nil)
    clock.advance(by: .seconds(61))
    #expect(question.pause(Self.phone, now: clock.now) == 0)
    question.choose(Self.phone)
    question.forget()
    #expect(question.chosen == nil && question.sent == nil && question.linked == "Google")
  }
}
