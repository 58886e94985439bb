import Testing

@testable import AuthSandbox

struct RedirectTests {
  private let rules = RedirectRules(
    siteURL: "https://app.example.org:8443/home",
    allowList: ["dailyritual://auth-callback**", "http://localhost:*/**", "https://*.example.net/cb"])

  @Test(
    "accepts these redirect URLs",
    arguments: [
      "https://app.example.org:8443/anything?x=1", "http://127.0.0.1:53682/cb", "http://127.9.8.7/",
      "http://[::1]:80/cb",
      "dailyritual://auth-callback", "dailyritual://auth-callback?state=a.b/c", "http://localhost:3000/a/b.c",
      "https://one.example.net/cb", "https://one.example.net/cb#whatever",
    ])
  func accepted(address: String) {
    #expect(rules.resolve(address) == address)
  }

  @Test(
    "silently replaces these redirect URLs",
    arguments: [
      "", "https://evil.test/cb", "http://10.0.0.1:53682/cb", "http://[fe80::1]/cb", "https://app.example.org/home",
      "http://app.example.org:8443/", "dailyritual://auth", "dailyritual:/auth-callback", "http://localhost/",
      "https://one.two.example.net/cb", "http://127.0.0.1@evil.test/cb", "http://127.0.0.1.evil.test/",
      "not an address",
    ])
  func replaced(address: String) {
    #expect(rules.resolve(address) == "https://app.example.org:8443/home")
  }

  @Test("a replaced redirect ends at the sandbox's front page, with the code; the client is not informed", .stage)
  func siteURL() async throws {
    let fields = [(name: "account", value: "anna@example.org")]
    let location = try await Browser(stage: stage).signIn("google", fields, redirect: "https://evil.test/cb")
    #expect(location.hasPrefix(stage.origin + "?code="))
    let page = try await TestHTTP.send("GET", location.replacing("?code", with: "/?code"))
    #expect(page.status == 200)
    #expect(page.text.contains("Site URL"))
  }

  @Test("keeps the client's query, sorted with the code, and accepts the app's scheme", .stage)
  func query() async throws {
    let fields = [(name: "account", value: "anna@example.org")]
    let browser = Browser(stage: stage)
    let location = try await browser.signIn("google", fields, redirect: "http://127.0.0.1:53682/cb?x=1&a=2")
    #expect(location.contains("/cb?a=2&code="))
    #expect(location.hasSuffix("&x=1"))
    let scheme = try await browser.signIn("google", fields, redirect: "dailyritual://auth-callback?flow=7")
    #expect(scheme.hasPrefix("dailyritual://auth-callback?code="))
  }

  @Test("a second callback with the same state goes to SITE_URL and has no effect", .stage)
  func duplicateCallback() async throws {
    let browser = Browser(stage: stage)
    let address = try await browser.authorize("google")
    let state = browser.parameter("state", of: address) ?? ""
    let page = try await browser.post(
      "/provider/google/consent", [("state", state), ("action", "allow"), ("account", "anna@example.org")])
    let callback = try #require(page.header("location"))
    let first = try await TestHTTP.send("GET", callback)
    let second = try await TestHTTP.send("GET", callback)
    #expect(second.status == 303)
    #expect(browser.parameter("error_code", of: second.header("location") ?? "") == "flow_state_already_used")
    #expect(second.header("location")?.hasPrefix(stage.origin + "?") == true)
    #expect(try await browser.exchange(first.header("location") ?? "").status == 200)
  }

  @Test("rejects a provider's code that was never issued", .stage)
  func foreignCode() async throws {
    let browser = Browser(stage: stage)
    let state = browser.parameter("state", of: try await browser.authorize("google")) ?? ""
    let answer = try await TestHTTP.send("GET", stage.origin + "/auth/v1/callback?code=made-up&state=\(state)")
    let location = answer.header("location") ?? ""
    #expect(browser.parameter("error_description", of: location) == "Unable to exchange external code: made")
  }

  @Test("a flow is valid for 300 s, including its exchange")
  func lifetime() async throws {
    for (seconds, status) in [(300, 200), (301, 422)] {
      try await withStage({ $0.frozenClock = true }) { stage in
        let code = try await stage.code()
        stage.sandbox.advanceClock(by: .seconds(seconds))
        #expect(try await Browser(stage: stage).exchange("?code=" + code).status == status)
      }
    }
  }

  @Test("matches globs")
  func globs() {
    #expect(Glob("a?c").matches("abc"))
    #expect(!Glob("a?c").matches("a/c"))
    #expect(Glob("a*").matches("a-b_c"))
    #expect(!Glob("a*").matches("a.b"))
    #expect(Glob("a**z").matches("a.b/c.z"))
    #expect(!Glob("a**z").matches("a.b/c"))
  }
}
