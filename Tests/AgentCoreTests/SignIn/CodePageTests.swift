import AgentProtocol
import SupabaseAuth
import Testing

@testable import SignInFlows

@Suite struct CodePageTests {
  private func code(_ address: CodeAddress) -> String {
    CodeForm(address: address, origin: .requested, pause: 0, refusal: nil).document.content.text
  }

  @Test("WS-2: the code is one field for a one-time code, and the page says to which address it was sent")
  func asksForTheCode() {
    let page = code(.email("anna@example.org"))
    #expect(page.contains("inputmode=\"numeric\" autocomplete=\"one-time-code\""))
    #expect(page.contains("We sent an email to <strong>anna@<wbr>example.<wbr>org</strong>."))
    #expect(page.contains("Opening the link in it on this computer works, too."))
    #expect(page.contains("aria-describedby=\"code-help\" autofocus>"))
    #expect(page.contains("<a href=\"/sign-in/email\">Change the address</a>"))
    let texted = code(.phone("+4915123456789"))
    #expect(texted.contains("We sent a text message with a code to <strong>+4915123456789</strong>."))
    #expect(!texted.contains("link in it") && texted.contains("<a href=\"/sign-in/phone\">Change the number</a>"))
  }

  @Test("a wrong code is followed by what the page can do now: no other code during the pause")
  func saysWhatWorks() {
    for (pause, isOffered) in [(30, false), (0, true)] {
      let refusal = AgentError(.codeInvalid, hint: "request a new code")
      let page = CodeForm(address: .email("a@b.c"), origin: .requested, pause: pause, refusal: refusal)
        .document.content.text
      #expect(page.contains("or send another code.") == isOffered && !page.contains("equest a new code"))
      #expect(page.contains("Check the digits and try again"))
      #expect(
        page.contains("aria-describedby=\"alert code-help\" autofocus>") && !page.contains("role=\"alert\" tabindex"))
    }
  }

  @Test("the form for an email address takes a password, or sends a code in its place; the next field has the focus")
  func takesAPasswordOrSendsACode() {
    let email = EmailForm(isSignUp: false, email: "a\"b").document.content.text
    #expect(email.contains("action=\"/sign-in/email\"") && email.contains("formaction=\"/sign-in/code\""))
    #expect(email.contains("value=\"a&quot;b\"") && email.contains("href=\"/sign-in/email/new\">Create an account</a>"))
    #expect(email.contains("href=\"/sign-in/code/own\">I already have a code</a>"))
    #expect(email.contains("autocomplete=\"current-password\" required autofocus>"))
    #expect(EmailForm(isSignUp: true).document.content.text.contains("formaction=\"/sign-in/code/new\""))
    for (kind, isPassword) in [(ErrorKind.invalidCredentials, true), (.weakPassword, true), (.invalidParams, false)] {
      let page = EmailForm(isSignUp: false, email: "a@b.c", refusal: AgentError(kind)).document.content.text
      let field = isPassword ? "type=\"password\"" : "type=\"email\""
      #expect(page.split(separator: "<input").count { $0.contains("autofocus") && $0.contains(field) } == 1, "\(kind)")
      #expect(page.split(separator: " autofocus").count == 2)
    }
  }

  @Test("after a wrong password the page leads to its code, and to the project's page where one is configured")
  func leadsOn() {
    let refusal = AgentError(.invalidCredentials, hint: "sign in without it: ritualctl sign-in code")
    let plain = EmailForm(isSignUp: false, refusal: refusal).document.content.text
    #expect(plain.contains("<a href=\"#by-code\">") && plain.contains("id=\"by-code\""))
    #expect(!plain.contains("ritualctl") && !plain.contains("Reset your password"))
    let offers = PageOffers(passwordResetPage: "https://example.org/reset?a=1&b=\"")
    let page = EmailForm(isSignUp: false, refusal: refusal, offers: offers).document.content.text
    #expect(page.contains("<a href=\"https://example.org/reset?a=1&amp;b=&quot;\" target=\"_blank\""))
  }

  @Test("the form that requests a code by phone has one field of the right kind, and a link to its counterpart")
  func requestsCodes() {
    let phone = PhoneForm(isSignUp: true).document.content.text
    #expect(phone.contains("action=\"/sign-in/phone/new\"") && phone.contains("type=\"tel\""))
    #expect(phone.contains("autocomplete=\"tel\"") && phone.contains("href=\"/sign-in/phone\">Sign in</a>"))
    let closed = PhoneForm(isSignUp: false, offers: PageOffers(counterpart: false)).document.content.text
    #expect(!closed.contains("Create an account") && !closed.contains("I already have"))
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
    for page in pages(refusedWith: error, without) where !page.contains("action=\"/sign-in/email\"") {
      #expect(page.contains("<p>This works here: a provider such as Google or GitHub.</p>"))
      #expect(!page.contains("project&#39;s own page") && !page.contains("href=\"/sign-in/code/own\""))
    }
  }

  /// The pages whose form a project with a CAPTCHA refuses.
  private func pages(refusedWith error: AgentError, _ offers: PageOffers) -> [String] {
    let passwords = [true, false].map { EmailForm(isSignUp: $0, refusal: error, offers: offers).document }
    let codes = [true, false].map { PhoneForm(isSignUp: $0, refusal: error, offers: offers).document }
    let again = CodeForm(
      address: .phone("+4915123456789"), origin: .requested, pause: 0, refusal: error, offers: offers)
    let others = [
      again.document, SingleSignOnForm(refusal: error, offers: offers).document,
      AnonymousPage(refusal: error, offers: offers).document,
    ]
    return (passwords + codes + others).map(\.content.text)
  }
}
