import AgentProtocol
import SupabaseAuth
import Testing

@testable import SignInFlows

/// The HTML of the pages for codes, single sign-on and anonymous users.
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
    #expect(page.contains("aria-describedby=\"code-help\"") && page.contains(" autofocus required"))
    #expect(page.contains("<a href=\"/sign-in/code\">Change the address</a>"))
    let texted = code(.phone("+4915123456789"))
    #expect(texted.contains("We sent a text message with a code to <strong>+4915123456789</strong>."))
    #expect(!texted.contains("link in it") && texted.contains("<a href=\"/sign-in/phone\">Change the number</a>"))
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
}
