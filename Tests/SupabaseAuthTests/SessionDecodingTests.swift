import FoundationEssentials
import SupabaseAuth
import Testing

@Suite struct SessionDecodingTests {
  private func session(_ body: String) throws -> Session {
    guard case .refreshed(let session) = classifyRefresh(status: 200, headers: [], body: Array(body.utf8)) else {
      throw AuthError(.unreadable, "not a session")
    }
    return session
  }

  @Test func wholeSession() throws {
    let claims = #"{"iss":"https://x.test/auth/v1","session_id":"s-1","sub":"other"}"#
    let session = try session(Fixture.session(access: Fixture.jwt(claims)))
    #expect(session.expiresIn == 3600)
    #expect(session.issuer == "https://x.test/auth/v1")
    #expect(session.sessionID == "s-1")
    #expect(session.user.id == "2cd002f3-e62d-40ce-9f00-45fe7097487c")
    #expect(session.serverDate == nil)
  }

  @Test func wholeUser() throws {
    let user = try session(Fixture.session()).user
    #expect(user.email == "gina@lab.test")
    #expect(user.provider == .email)
    #expect(user.userMetadata == ["display_name": "Gina", "full_name": "Gina B"])
    #expect(user.isAnonymous == false)
    let created = try #require(user.createdAt?.timeIntervalSince1970)
    #expect(abs(created - 1_795_228_102.158181) < 1e-6)
    let identity = try #require(user.identities?.first)
    #expect(identity.provider == .email)
    #expect(identity.id == "sub-1")
    #expect(identity.email == "gina@lab.test")
    #expect(identity.lastSignInAt == Date(timeIntervalSince1970: 1_795_228_102))
  }

  @Test func onlyTheIDIsNeeded() throws {
    let user = try session(Fixture.session(user: #"{"id":"u-1"}"#)).user
    #expect(user == User(id: "u-1"))
    #expect(user.identities == nil)
  }

  @Test func oddMembersAreLeftOut() throws {
    let odd = """
      {"id":"u-1","email":null,"app_metadata":[],"user_metadata":7,"identities":[{"provider":"google"},3,{}],
      "is_anonymous":"no","created_at":12,"email_confirmed_at":"yesterday"}
      """
    let user = try session(Fixture.session(user: odd)).user
    #expect(user == User(id: "u-1", identities: [Identity(identityID: "", provider: .google)]))
  }

  @Test func withoutAUserTheTokenSaysWho() throws {
    let access = Fixture.jwt(#"{"sub":"u-9","email":"z@b.test"}"#)
    #expect(try session(Fixture.session(access: access, user: nil)).user == User(id: "u-9", email: "z@b.test"))
    #expect(try session(Fixture.session(access: access, user: "null")).user.id == "u-9")
    let byPhone = Fixture.jwt(#"{"sub":"u-9","email":"","phone":"4915123456789"}"#)
    #expect(try session(Fixture.session(access: byPhone, user: nil)).user == User(id: "u-9", phone: "4915123456789"))
  }

  @Test(arguments: ["a", "a.b", "a.!!.c", "a.e30.c", "..", "a.bm90IGpzb24.c"]) func tokensThatAreNoJWT(token: String)
    throws
  {
    let session = try session(Fixture.session(access: token))
    #expect(session.issuer == nil && session.sessionID == nil)
  }

  @Test(arguments: [("60.0", 60), ("1", 1), ("99999999999", 31_536_000)]) func life(text: String, seconds: Int) throws {
    #expect(try session(Fixture.session(expiresIn: text)).expiresIn == seconds)
  }
}
