import AgentProtocol
import SupabaseAuth
import Testing

@testable import SignInFlows

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
    ChoicePage(methods: PageMethod.offered(settings), refusal: nil).document.content.text
  }

  @Test("WS-1: Apple, Google, the other providers by name, then the ways with an address, all in one grammar")
  func ordersTheMethods() {
    let all = settings(
      ["phone", "keycloak", "email", "azure", "google", "anonymous_users", "github", "apple"], samlEnabled: true)
    #expect(
      PageMethod.offered(all).compactMap(\.button?.words) == [
        "Continue with Apple", "Continue with Google", "Continue with Microsoft", "Continue with GitHub",
        "Continue with Keycloak", "Continue with Email", "Continue with Phone", "Continue with single sign-on",
      ])
    let page = page(all)
    #expect(page.split(separator: "<div class=\"methods\">").count == 3, "two groups")
    #expect(
      page.contains("<p class=\"small\"><a href=\"/sign-in/anonymous\"") && page.contains("A sign-out loses this user"))
  }

  @Test("SI-12: a method that is not enabled is not offered")
  func leavesOutTheRest() {
    #expect(PageMethod.offered(settings(["github"])) == [.provider(Provider(rawValue: "github"))])
    #expect(PageMethod.offered(settings(["email"])) == [.email])
    #expect(PageMethod.offered(settings(["phone"])) == [.phone])
    #expect(PageMethod.offered(settings(["anonymous_users"], disableSignup: true)).isEmpty, "it would be a new user")
  }

  @Test("a project without any method says what its owner can do")
  func explainsNothing() {
    let page = page(settings([]))
    #expect(page.contains("No sign-in method of this project is enabled.") && page.contains("Supabase dashboard"))
    #expect(page.contains("ritualctl doctor") && !page.contains("class=\"button"))
  }

  @Test("only Apple and Google have a logo, and foreign names are escaped")
  func drawsNoSigns() {
    let buttons = ["github", "gitlab", "custom:acme", "email"].map { MethodButton.of(Provider(rawValue: $0)) }
    #expect(buttons.allSatisfy { $0?.html.text.contains("<svg") == false })
    #expect(buttons[2]?.html.text.contains("href=\"/sign-in/with/custom:acme\"") == true)
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
