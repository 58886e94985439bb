import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

/// Submissions of the page's form.
@Suite(.timeLimit(.minutes(10))) struct PageFormTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  private let form = "email=anna%40example.org&password=secret"

  @Test("the progress page redirects after a while, even if the sign-in is still running", .signIn)
  func boundsProgress() async throws {
    fixture.server.set { $0.holdsPasswords = true }
    let visitor = try await fixture.visit()
    _ = try await visitor.request("/sign-in/email", method: "POST", body: form)
    async let held = visitor.request("/sign-in/wait")
    try await fixture.clock.advanceToSleeper(in: SignInLimits.maxProgressDelay)
    #expect(try await held.headers["location"] == "/sign-in")
    #expect(try await visitor.request("/sign-in").body.contains("Signing in…"))
    fixture.server.release()
    #expect(try await visitor.get("/sign-in").body.contains("<h1>Signed in"))
  }

  @Test("a provider sign-in in one tab keeps its provider while another tab tries a password", .signIn)
  func keepsTheProvider() async throws {
    fixture.server.set { $0.passwordAnswer = .failure(AuthError(.invalidCredentials, "no", status: 400)) }
    let visitor = try await fixture.visit()
    let google = StartedFlow(
      SignInStart.Result(
        flow: visitor.flow, url: try #require(try await visitor.request("/sign-in/google").headers["location"]),
        expiresAt: fixture.clock.wall))
    _ = try await visitor.submit(form)
    #expect(try await visitor.get(google.target()).body.contains("<h1>Signed in"))
    #expect(try await fixture.service.wait(visitor.flow).account?.user?.provider == "google")
  }

  @Test("an invalid email address never reaches the server", .signIn)
  func checksTheAddress() async throws {
    let visitor = try await fixture.visit()
    for email in ["nobody", "a%40b+c", "", "%22%3E%3Cb%3E%40x+y"] {
      let page = try await visitor.submit("email=\(email)&password=x")
      #expect(page.body.contains("This is not a valid email address."))
      #expect(!page.body.contains("<b>"))
    }
    #expect(try await visitor.submit("email=a%40b&password=").body.contains("The password is empty."))
    #expect(fixture.server.read(\.passwords).isEmpty)
  }
}
