import AgentProtocol
import SystemSupport
import Testing

@testable import SignInFlows

@Suite struct FactorPageTests {
  private static let app = AccountFactor(id: "id-1", type: "totp", name: "Work <phone>", status: "verified")
  private static let phone = AccountFactor(id: "id-2", type: "phone", name: nil, status: "verified")
  private static let ends =
    "Verifying signs <strong>a@<wbr>b.<wbr>c</strong> out on every other phone, browser and computer where no second factor"

  private func document(_ factors: [AccountFactor], kept: Int64? = nil, accounts: [String]? = nil) -> PageDocument {
    let need = SecondFactorNeed(needed: true, factors: factors, endsAccounts: accounts)
    return FactorPage(
      need: need, factor: FactorQuestion().factor(of: need), account: "work", user: "a@b.c", pause: nil,
      secondsKept: kept, refusal: nil
    ).document
  }

  private func page(_ factors: [AccountFactor], kept: Int64? = nil, accounts: [String]? = nil) -> String {
    document(factors, kept: kept, accounts: accounts).content.text
  }

  @Test("MF-3: an authenticator app has one field for a one-time code, and the factor can be left for later")
  func asksForTheCode() {
    let page = page([Self.app])
    #expect(document([Self.app]).heading == "Enter the code from your authenticator app")
    #expect(page.contains("The current code of <strong>Work &lt;phone&gt;</strong>."))
    #expect(page.contains("inputmode=\"numeric\" autocomplete=\"one-time-code\"") && page.contains(" autofocus>"))
    #expect(page.contains("action=\"/sign-in/factor/verify\">\n<input type=\"hidden\" name=\"factor\" value=\"id-1\">"))
    #expect(!page.contains("Use another second factor") && !page.contains("Send"))
  }

  @Test("MF-6: what a verification ends is said before the code is entered or sent, with the accounts")
  func saysWhatEnds() {
    for factors in [[Self.app], [Self.phone], [Self.app, Self.phone]] {
      let page = page(factors, accounts: ["home", "old"])
      #expect(page.contains(Self.ends))
      #expect(page.contains("it also signs out the accounts <strong>home</strong>, <strong>old</strong>."))
      let button = page.firstRange(of: "<button")!.lowerBound
      #expect(page.firstRange(of: Self.ends)!.lowerBound < button)
    }
    #expect(page([Self.app], accounts: ["home"]).contains("signs out the account <strong>home</strong>."))
    #expect(!page([Self.app]).contains("On this computer"))
  }

  @Test(
    "MF-3: how long the project keeps the session without the factor is said in one unit",
    arguments: [
      (-5, "1 minute"), (59, "1 minute"), (600, "10 minutes"), (7199, "119 minutes"), (7200, "2 hours"),
      (172_799, "47 hours"), (172_800, "2 days"), (604_800, "7 days"),
    ])
  func saysHowLong(seconds: Int64, text: String) {
    #expect(FactorPage.span(seconds) == text)
    #expect(page([Self.app], kept: seconds).contains("ends this session in about \(text)."))
    #expect(!page([Self.app]).contains("Without the code"))
  }

  @Test("the pause before another code is that of the factor to which a code was sent")
  func countsThePause() {
    let clock = ManualClock()
    var question = FactorQuestion()
    #expect(question.pause(Self.phone, now: clock.now) == nil)
    question.sent = (Self.phone.id, clock.now.advanced(by: .seconds(60)))
    #expect(question.pause(Self.phone, now: clock.now) == 60 && question.pause(Self.app, now: clock.now) == nil)
    clock.advance(by: .seconds(61))
    #expect(question.pause(Self.phone, now: clock.now) == 0)
  }
}
