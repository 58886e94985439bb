import AgentProtocol
import SupabaseAuth
import Testing

@testable import SignInFlows

/// The methods that the choice offers, and their paths.
@Suite struct PageMethodTests {
  private func settings(
    _ names: [String], disableSignup: Bool = false, samlEnabled: Bool = false
  ) -> ProjectSettings {
    let on = names.map { (Provider(rawValue: $0), true) }
    return ProjectSettings(
      external: Dictionary(uniqueKeysWithValues: on + [(Provider(rawValue: "zoom"), false)]),
      disableSignup: disableSignup, samlEnabled: samlEnabled)
  }

  private func page(_ settings: ProjectSettings?) -> String {
    ChoicePage(methods: PageMethod.offered(settings).map(\.button), refusal: nil).document.content.text
  }

  @Test("WS-1: Apple, Google, the other providers by name, then email, codes and the rest")
  func ordersTheMethods() {
    let all = settings(
      ["phone", "keycloak", "email", "azure", "google", "anonymous_users", "github", "apple"], samlEnabled: true)
    #expect(
      PageMethod.offered(all).map(\.button.words) == [
        "Continue with Apple", "Continue with Google", "Continue with Microsoft", "Continue with GitHub",
        "Continue with Keycloak", "Continue with Email", "Email me a code", "Continue with Phone", "Single sign-on",
        "Continue without an account",
      ])
  }

  @Test("SI-12: a method that is not enabled is not offered")
  func leavesOutTheRest() {
    #expect(PageMethod.offered(settings(["github"])) == [.provider(Provider(rawValue: "github"))])
    #expect(PageMethod.offered(settings(["email"])) == [.password, .emailCode])
    #expect(PageMethod.offered(settings(["phone"])) == [.phoneCode])
    #expect(PageMethod.offered(settings(["anonymous_users"], disableSignup: true)).isEmpty, "it would be a new user")
  }

  @Test("a project without any method says what its owner can do")
  func explainsNothing() {
    let page = page(settings([]))
    #expect(page.contains("No sign-in method of this project is enabled.") && page.contains("Supabase dashboard"))
    #expect(page.contains("ritualctl doctor") && !page.contains("class=\"button"))
  }

  @Test("more than six methods are listed in columns, with short labels and complete names")
  func listsManyMethods() {
    let six = page(settings(["apple", "google", "github", "gitlab", "email"]))
    #expect(six.contains("<div class=\"methods\">") && six.contains("<span>Continue with GitHub</span>"))
    let seven = page(settings(["apple", "google", "github", "gitlab", "email", "phone"]))
    #expect(seven.contains("<div class=\"methods columns\">") && seven.contains(">Or continue with</p>"))
    #expect(seven.contains("aria-label=\"Continue with GitHub\"") && seven.contains("<span>GitHub</span>"))
    #expect(
      seven.contains("<a class=\"button method apple wide\"") && seven.contains("<span>Continue with Apple</span>"))
  }

  @Test("a provider without a logo has its first letter as its sign, and foreign names are escaped")
  func drawsMonograms() {
    #expect(MethodButton.of(Provider(rawValue: "github"))?.html.text.contains(">G</text>") == true)
    let odd = MethodButton.of(Provider(rawValue: "custom:acme"))?.html.text
    #expect(odd?.contains("href=\"/sign-in/with/custom:acme\"") == true && odd?.contains(">A</text>") == true)
    for reserved in ["phone", "sso", "anonymous", "code", "<b>"] {
      #expect(MethodButton.of(Provider(rawValue: reserved)) == nil)
    }
  }

  @Test("every provider has one path, which leads back to it")
  func namesProviders() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789._:-")
    for _ in 0..<2000 {
      let name = String(
        (0..<Int.random(in: 1...66, using: &generator)).map { _ in alphabet.randomElement(using: &generator)! })
      guard let provider = Provider.named(name) else { continue }
      #expect(PagePath.provider(at: PagePath.provider(provider)) == provider)
    }
    #expect(PagePath.provider(.google) == "/sign-in/google")
    #expect(PagePath.provider(at: "/sign-in/with/github") == Provider(rawValue: "github"))
    for path in [
      "/sign-in/with/", "/sign-in/with/GitHub", "/sign-in/with/google", "/sign-in/with/email", "/sign-in/with/a/b",
      "/sign-in/with/a%20b", "/sign-in/with/-a", "/sign-in/github", "/sign-in/with", "/sign-in",
    ] {
      #expect(PagePath.provider(at: path) == nil, "\(path)")
    }
  }
}
