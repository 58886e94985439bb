import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

/// Submissions of the page's form.
@Suite(.timeLimit(.minutes(10))) struct PageFormTests {
  private let form = "email=anna%40example.org&password=secret"

  @Test("the progress page redirects after a while, even if the sign-in is still running")
  func boundsProgress() async throws {
    try await withSignIn { fixture async throws in
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
  }

  @Test("a session that arrives after the flow was cancelled is revoked")
  func discardsALateSession() async throws {
    try await withSignIn { fixture async throws in
      fixture.server.set { $0.holdsPasswords = true }
      let visitor = try await fixture.visit()
      _ = try await visitor.request("/sign-in/email", method: "POST", body: form)
      try await eventually("the password is on its way") { fixture.server.read(\.passwords).count == 1 }
      #expect(try await visitor.submit("", to: "/sign-in/cancel").body.contains("Cancelled"))
      fixture.server.release()
      try await eventually("the revocation") { fixture.server.read(\.logouts) == ["access-1"] }
      #expect(await errorKind { try await fixture.service.wait(visitor.flow) } == .cancelled)
      #expect(await fixture.accounts.list().isEmpty)
    }
  }

  @Test("a provider sign-in in one tab keeps its provider while another tab tries a password")
  func keepsTheProvider() async throws {
    try await withSignIn { fixture async throws in
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
  }

  @Test("SI-13: attempts on the page count like all others")
  func countsAttempts() async throws {
    try await withSignIn(attempts: 2) { fixture async throws in
      fixture.server.set { $0.passwordAnswer = .failure(AuthError(.invalidCredentials, "no", status: 400)) }
      let visitor = try await fixture.visit()
      for _ in 0..<2 { _ = try await visitor.submit(form) }
      #expect(try await visitor.submit(form).body.contains("Too many attempts for this account."))
      #expect(fixture.server.read(\.passwords).count == 2)
    }
  }

  @Test("an invalid email address never reaches the server")
  func checksTheAddress() async throws {
    try await withSignIn { fixture async throws in
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

  @Test("SI-15: a user other than the account's is refused, and the flow ends with the message")
  func refusesTheWrongUser() async throws {
    try await withSignIn { fixture async throws in
      _ = try await fixture.service.password(
        PasswordParams(account: "work", project: nil, email: "anna@example.org", password: "x"))
      fixture.server.set { $0.passwordAnswer = .success(.session(.fixture("2", user: "another"))) }
      let visitor = try await fixture.visit(account: "work")
      #expect(try await visitor.submit(form).body.contains("You signed in as a different user."))
      #expect(await errorKind { try await fixture.service.wait(visitor.flow) } == .wrongUser)
    }
  }
}
