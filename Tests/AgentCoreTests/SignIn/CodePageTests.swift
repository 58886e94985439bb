import AgentProtocol
import SupabaseAuth
import Testing

@testable import SignInFlows

/// The HTML of the pages for codes, single sign-on and anonymous users.
@Suite struct CodePageTests {
  private func code(
    _ address: CodeAddress = .email("anna@example.org"), origin: CodeForm.Origin = .requested, pause: Int = 0,
    _ refusal: AgentError? = nil
  ) -> String {
    CodeForm(address: address, origin: origin, pause: pause, refusal: refusal).document.content.text
  }

  @Test("WS-2: the code is one field for a one-time code, and the page says to which address it was sent")
  func asksForTheCode() {
    let page = code()
    #expect(page.contains("inputmode=\"numeric\" autocomplete=\"one-time-code\""))
    #expect(page.contains("We sent an email to <strong>anna@<wbr>example.<wbr>org</strong>."))
    #expect(page.contains("Opening the link in it on this computer works, too."))
    #expect(page.contains("aria-describedby=\"code-help\"") && page.contains(" autofocus required"))
    #expect(page.contains("<a href=\"/sign-in/code\">Change the address</a>"))
    let texted = code(.phone("+4915123456789"))
    #expect(texted.contains("We sent a text message with a code to <strong>+4915123456789</strong>."))
    #expect(!texted.contains("link in it") && texted.contains("<a href=\"/sign-in/phone\">Change the number</a>"))
  }

  @Test("WS-2: another address for a new user is entered in the form that creates one")
  func changesTheAddressOfANewUser() {
    #expect(code(origin: .newUser).contains("<a href=\"/sign-in/code/new\">Change the address</a>"))
    let texted = code(.phone("+4915123456789"), origin: .newUser)
    #expect(texted.contains("<a href=\"/sign-in/phone/new\">Change the number</a>"))
    #expect(texted.contains("We sent a text message with a code"))
    #expect(code(origin: .elsewhere).contains("<a href=\"/sign-in/code/own\">Change the address</a>"))
  }

  @Test("the choice and the forms that request a code lead back to the code that was sent, and only then")
  func leadsBackToTheCode() {
    let offers = PageOffers(codeAddress: .phone("+4915123456789"))
    let link = "<a href=\"/sign-in/code/enter\"><span>Enter the code sent to +4915123456789</span></a>"
    let pages = { (offers: PageOffers) in
      [PagePath.emailCode, .newUserByEmail, .phoneCode, .newUserByPhone].map { path in
        CodeRequestForm(path: path, offers: offers).document
      } + [
        OwnCodeForm(offers: offers).document,
        ChoicePage(methods: [.email], refusal: nil, codeAddress: offers.codeAddress).document,
      ]
    }
    for page in pages(offers).map(\.content.text) { #expect(page.contains(link)) }
    for page in pages(PageOffers()).map(\.content.text) { #expect(!page.contains("/sign-in/code/enter")) }
    let mailed = ChoicePage(methods: [], refusal: nil, codeAddress: .email("<b>@example.org")).document.content.text
    #expect(mailed.contains("sent to &lt;b&gt;@<wbr>example.<wbr>org</span>"))
  }

  @Test("a refused code is not filled in again, and the error gets the focus")
  func refusesTheCode() {
    let page = code(pause: 0, AgentError(.codeInvalid))
    #expect(page.contains("This code is wrong, was already used, or has expired."))
    #expect(page.contains("role=\"alert\" tabindex=\"-1\" autofocus>") && page.contains("required value=\"\""))
    #expect(page.split(separator: " autofocus").count == 2, "one element only")
    #expect(page.contains("aria-describedby=\"alert code-help\""))
  }

  @Test(
    "the button for another code is disabled during the pause, with the seconds as text",
    arguments: [(60, "60 seconds"), (1, "1 second")])
  func pauses(pause: Int, text: String) {
    let page = code(pause: pause)
    #expect(page.contains("id=\"pause\" data-seconds=\"\(pause)\">You can request another code in \(text).</p>"))
    #expect(page.contains(" paused\" id=\"again\" data-busy=\"Sending…\" disabled aria-describedby=\"pause\">"))
    #expect(page.contains("<noscript><p class=\"small\">Then reload this page.</p></noscript>"))
  }

  @Test("after the pause another code can be requested", arguments: [0, -5])
  func resends(pause: Int) {
    let page = code(pause: pause)
    #expect(!page.contains("id=\"pause\"") && !page.contains("disabled"))
    #expect(page.contains("action=\"/sign-in/code/again\"><button class=\"button secondary\" id=\"again\""))
  }

  @Test("WS-2: a sign-up with a password goes on with the code, with the password, or later")
  func confirmsASignUp() {
    let page = code(.email("new@example.org"), origin: .signUp)
    #expect(page.contains("open the link, then sign in with your password"))
    #expect(page.contains("href=\"/sign-in/email\"") && page.contains("action=\"/sign-in/code/later\""))
    #expect(!page.contains("Change the"))
  }

  @Test("the forms that request a code have one field of the right kind, and a link to their counterpart")
  func requestsCodes() {
    let email = CodeRequestForm(path: .emailCode, address: "a\"b").document.content.text
    #expect(email.contains("action=\"/sign-in/code\"") && email.contains("type=\"email\""))
    #expect(email.contains("value=\"a&quot;b\"") && email.contains("href=\"/sign-in/code/new\">Create an account</a>"))
    #expect(email.contains("href=\"/sign-in/code/own\">I already have a code</a>"))
    let phone = CodeRequestForm(path: .newUserByPhone).document.content.text
    #expect(phone.contains("action=\"/sign-in/phone/new\"") && phone.contains("type=\"tel\""))
    #expect(phone.contains("autocomplete=\"tel\"") && phone.contains("href=\"/sign-in/phone\">Sign in</a>"))
    let closed = CodeRequestForm(path: .phoneCode, offers: PageOffers(counterpart: false)).document.content.text
    #expect(!closed.contains("Create an account") && !closed.contains("I already have"))
  }

  @Test("WS-2: the page has a link in place of the option that creates an account")
  func hidesOptions() {
    let error = AgentError(
      .methodDisabled, "No account with this address.", hint: "to create an account: add --sign-up")
    let page = CodeRequestForm(path: .emailCode, refusal: error).document.content.text
    #expect(page.contains("No account with this address.") && !page.contains("--sign-up"))
    #expect(page.contains("Create an account"))
  }

  @Test("WS-8: a CAPTCHA's refusal says what works here, without commands")
  func explainsTheCaptcha() {
    let error = AgentError(.captchaRequired)
    for page in pages(refusedWith: error, PageOffers()) {
      #expect(page.contains("The project requires a CAPTCHA") && page.contains("a provider such as Google or GitHub"))
      #expect(
        page.contains("href=\"/sign-in/code/own\"") && page.contains("href=\"/sign-in\">Other sign-in methods</a>"))
      #expect(page.contains("a code that you requested on the project&#39;s own page"))
      #expect(!page.contains("ritualctl sign-in") && !page.contains("--id-token"))
    }
    let without = PageOffers(emailCodes: false)
    for page in pages(refusedWith: error, without) where !page.contains("action=\"/sign-in/code\"") {
      #expect(page.contains("<p>This works here: a provider such as Google or GitHub.</p>"))
      #expect(!page.contains("project&#39;s own page") && !page.contains("href=\"/sign-in/code/own\""))
    }
  }

  /// The pages whose form a project with a CAPTCHA refuses.
  private func pages(refusedWith error: AgentError, _ offers: PageOffers) -> [String] {
    let passwords = [true, false].map { EmailForm(isSignUp: $0, refusal: error, offers: offers).document }
    let codes = [PagePath.emailCode, .newUserByEmail, .phoneCode, .newUserByPhone].map {
      CodeRequestForm(path: $0, refusal: error, offers: offers).document
    }
    let again = CodeForm(
      address: .phone("+4915123456789"), origin: .requested, pause: 0, refusal: error, offers: offers)
    let others = [
      again.document, SingleSignOnForm(refusal: error, offers: offers).document,
      AnonymousPage(refusal: error, offers: offers).document,
    ]
    return (passwords + codes + others).map(\.content.text)
  }

  @Test("WS-5: the time limit is shown before the browser leaves")
  func showsTheLimit() {
    let form = SingleSignOnForm(organization: "example.org").document.content.text
    #expect(form.contains("Finish there within 2 minutes") && form.contains("value=\"example.org\""))
    let leaving = SingleSignOnForm.leaving(to: "example.org").content.text
    #expect(leaving.contains("<strong>example.<wbr>org</strong>") && leaving.contains("Finish there within 2 minutes"))
    #expect(leaving.contains("href=\"/sign-in/sso/go\""))
  }

  @Test("WS-6: the consequences of an anonymous user are shown before one is created")
  func warnsOfLoss() {
    let page = AnonymousPage().document.content.text
    #expect(page.contains("A sign-out loses this user") && page.contains("ritualctl link"))
    #expect(page.contains("method=\"post\" action=\"/sign-in/anonymous\""))
  }
}
