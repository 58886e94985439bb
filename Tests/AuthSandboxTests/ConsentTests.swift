import Testing

@testable import AuthSandbox

@Suite(.stage) struct ConsentTests {
  @Test("Google: a chosen account becomes a session with its profile")
  func googleAccount() async throws {
    let session = try await Browser(stage: stage).session("google", [("account", "anna@example.org")])
    let user = session.json["user"]
    #expect(user?["email"] == "anna@example.org")
    #expect(user?["user_metadata"]?["full_name"] == "Anna Example")
    #expect(user?["app_metadata"] == ["provider": "google", "providers": ["google"]])
    #expect(session.json["provider_token"]?.string?.hasPrefix("ya29.") == true)
    #expect(try session.claims["amr"]?.array?.first?["method"] == "oauth")
    let refreshed = try await stage.rotate(session.refresh)
    #expect(refreshed.json["provider_token"] == nil)
  }

  @Test("a typed address creates an account at the provider, which is used again next time")
  func typedAccount() async throws {
    let browser = Browser(stage: stage)
    let fields = [("account", "anna@example.org"), ("email", "Typed@Example.net"), ("first_name", "Tina")]
    let first = try await browser.session("google", fields)
    let second = try await browser.session("google", [("account", "typed@example.net")])
    #expect(first.json["user"]?["email"] == "typed@example.net")
    #expect(first.json["user"]?["user_metadata"]?["name"] == "Tina")
    #expect(first.json["user"]?["id"] == second.json["user"]?["id"])
  }

  @Test("Apple: Hide My Email gives a permanent relay address, and the name is sent once")
  func appleFirstTime() async throws {
    let browser = Browser(stage: stage)
    let fields = [("account", "alex@example.org"), ("hide_my_email", "yes"), ("first_name", "Lexi")]
    let first = try await browser.session("apple", fields)
    let email = try #require(first.json["user"]?["email"]?.string)
    #expect(email.hasSuffix("@privaterelay.appleid.com"))
    #expect(first.json["user"]?["user_metadata"]?["full_name"] == "Lexi Example")
    // The second consent offers no choice and sends no name; the server keeps what it has.
    let page = try await applePage(stage)
    #expect(!Browser.hiddenFields(page.text).contains { $0.name == "user" })
    let second = try await browser.session("apple", [("account", "alex@example.org")])
    #expect(second.json["user"]?["email"]?.string == email)
    #expect(second.json["user"]?["user_metadata"]?["full_name"] == "Lexi Example")
    stage.sandbox.forgetAppleConsent("alex@example.org")
    let again = Browser.hiddenFields(try await applePage(stage).text)
    let told = try JSON(parsing: Array((again.first { $0.name == "user" }?.value ?? "").utf8))
    #expect(told["name"] == ["firstName": "Alex", "lastName": "Example"])
    #expect(told["email"] == "alex@example.org")
  }

  private func applePage(_ stage: Stage) async throws -> HTTPAnswer {
    let browser = Browser(stage: stage)
    let state = browser.parameter("state", of: try await browser.authorize("apple")) ?? ""
    return try await browser.post(
      "/provider/apple/consent", [("state", state), ("action", "allow"), ("account", "alex@example.org")])
  }

  @Test("cancelling returns the provider's own error, without an error code of the server")
  func cancel() async throws {
    let browser = Browser(stage: stage)
    for (provider, error) in [("google", "access_denied"), ("apple", "user_cancelled_authorize")] {
      let address = try await browser.authorize(provider, redirect: "http://127.0.0.1:53682/cb?x=1")
      let answer = try await browser.consent(address, [("action", "cancel")])
      #expect(answer.status == 303)
      #expect(
        answer.header("location")
          == "http://127.0.0.1:53682/cb?error=\(error)&error_description=&x=1#error=\(error)&sb=")
    }
  }

  @Test("a failing provider is reported in query and fragment, as recorded")
  func providerFails() async throws {
    let browser = Browser(stage: stage)
    let address = try await browser.authorize("google", redirect: "dailyritual://auth-callback")
    let answer = try await browser.consent(address, [("action", "error"), ("account", "anna@example.org")])
    let location = try #require(answer.header("location"))
    let start = "dailyritual://auth-callback?error=server_error&error_code=unexpected_failure&error_description="
    #expect(location.hasPrefix(start + "Unable+to+exchange+external+code%3A+"))
    #expect(location.contains("#error=server_error&error_code=unexpected_failure&error_description="))
    #expect(location.contains("Unable+to+exchange+external+code%253A+"))
    #expect(location.hasSuffix("&sb="))
  }

  @Test("rejects an account without an address")
  func noAddress() async throws {
    stage.sandbox.configure { $0.autoConsentGoogle = "" }
    stage.sandbox.addProviderAccount(.google, email: "", firstName: "Nobody")
    let browser = Browser(stage: stage)
    let page = try await TestHTTP.send("GET", try await browser.authorize("google"))
    let answer = try await TestHTTP.send("GET", try #require(page.header("location")))
    #expect(
      browser.parameter("error_description", of: answer.header("location") ?? "")
        == "Error getting user email from external provider")
  }

  @Test("the page names its fields, escapes its input, and loads nothing external")
  func page() async throws {
    let browser = Browser(stage: stage)
    stage.sandbox.addProviderAccount(.google, email: "\"><script>@example.org", firstName: "<b>")
    let address = try await browser.authorize("google", extra: "&login_hint=anna%40example.org")
    #expect(browser.parameter("login_hint", of: address) == "anna@example.org")
    let page = try await TestHTTP.send("GET", address).text
    for name in ["state", "account", "email", "first_name", "last_name", "unverified", "action"] {
      #expect(page.contains("name=\"\(name)\""))
    }
    #expect(page.contains("value=\"anna@example.org\" checked"))
    #expect(!page.contains("<script>") && !page.contains("<b>"))
    #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("src="))
    let apple = try await TestHTTP.send("GET", try await browser.authorize("apple")).text
    #expect(apple.contains("name=\"hide_my_email\""))
  }

  @Test("rejects an empty choice with 400 and a message")
  func nothingChosen() async throws {
    let answer = try await Browser(stage: stage).post("/provider/google/consent", [("action", "allow")])
    #expect(answer.status == 400)
    #expect(answer.text.contains("role=\"alert\""))
  }
}
