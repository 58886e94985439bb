import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

/// The limits of guesses and of messages with codes: for an address, whatever account name a program invents.
@Suite(.timeLimit(.minutes(10))) struct AttemptLimitTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  private static let email = "anna@example.org"
  private static let wrongCode = AuthError(.codeRefused, "no", status: 403, serverCode: "otp_expired")
  private static let wrongPassword = AuthError(.invalidCredentials, "no", status: 400)

  private func password(
    _ account: String, email: String = email
  ) async throws -> SignInResult {
    try await fixture.service.password(
      PasswordParams(account: account, project: nil, email: email, password: "correct horse"))
  }

  /// Counts the kinds of the errors of concurrent requests, while the clock advances.
  private func kinds(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> [ErrorKind?: Int] {
    let requests = (0..<count).map { number in Task { await errorKind { try await body(number) } } }
    let all = Task {
      var found: [ErrorKind?: Int] = [:]
      for request in requests { found[await request.value, default: 0] += 1 }
      return found
    }
    let isOver = SettledValue<Void>()
    Task {
      _ = await all.value
      isOver.settle(())
    }
    try await eventually("the end of the requests") {
      fixture.clock.advance(by: .milliseconds(100))
      return isOver.settled != nil
    }
    return await all.value
  }

  // MARK: - Guesses

  @Test(
    "40 wrong codes for one address or phone number, under 40 account names and in many spellings: ten are sent",
    .signIn,
    arguments: [
      ["anna@example.org", "ANNA@example.org", "Anna@Example.ORG", "annA@eXample.org"],
      ["+4915123456789", "4915123456789", "+49 151 2345-6789", "+49 (151) 23456789"],
    ])
  func limitsCodes(spellings: [String]) async throws {
    fixture.server.set { $0.verifyAnswer = .failure(Self.wrongCode) }
    for number in 0..<40 {
      var params = SignInVerifyCode.Params(account: "a\(number)", code: "123456")
      let spelling = spellings[number % 4]
      if spelling.contains("@") { params.email = spelling } else { params.phone = spelling }
      let kind = await errorKind { try await fixture.service.verifyCode(params) }
      #expect(kind == (number < 10 ? .codeInvalid : .rateLimited), "attempt \(number)")
    }
    #expect(fixture.server.read(\.proofs).count == 10)
  }

  /// Go lowercases each character by itself, and so does Supabase Auth: `İ` becomes `i`, and `K` (the Kelvin sign) `k`.
  @Test(
    "an address in letters that the server takes for others, or in another form of Unicode, has no attempts of its own",
    .signIn,
    arguments: [
      ["kim@example.org", "\u{212A}im@example.org", "K\u{130}M@example.org", "KIM@EXAMPLE.ORG"],
      ["k\u{ED}m@example.org", "ki\u{301}m@example.org", "K\u{CD}M@example.org", "KI\u{301}M@example.org"],
    ])
  func limitsOtherLetters(spellings: [String]) async throws {
    fixture.server.set { $0.passwordAnswer = .failure(Self.wrongPassword) }
    for number in 0..<40 {
      _ = await errorKind { try await password("a\(number)", email: spellings[number % 4]) }
    }
    #expect(fixture.server.read(\.passwords).count == 10)
  }

  @Test("40 concurrent attempts for one address: ten are sent", .signIn, arguments: [false, true])
  func limitsConcurrentAttempts(isCode: Bool) async throws {
    fixture.server.set { state in
      state.verifyAnswer = .failure(Self.wrongCode)
      state.passwordAnswer = .failure(Self.wrongPassword)
    }
    let found = try await kinds(40) { number in
      if isCode {
        let params = SignInVerifyCode.Params(account: "a\(number)", email: Self.email, code: "123456")
        _ = try await fixture.service.verifyCode(params)
      } else {
        _ = try await password("a\(number)")
      }
    }
    #expect(found == [isCode ? .codeInvalid : .invalidCredentials: 10, .rateLimited: 30])
    #expect(fixture.server.read { $0.proofs.count + $0.passwords.count } == 10)
  }

  @Test("after 300 attempts under invented names and addresses, the person's own right password signs in", .signIn)
  func locksNobodyOut() async throws {
    fixture.server.set { $0.passwordAnswer = .failure(Self.wrongPassword) }
    let found = try await kinds(300) { number in
      _ = try await password("a\(number)", email: "invented-\(number)@example.org")
    }
    #expect(found == [.invalidCredentials: 300], "a project is slowed down, and never refused")
    fixture.server.set { $0.passwordAnswer = .success(.session(.fixture("1"))) }
    #expect(try await kinds(1) { _ in _ = try await password("default") } == [nil: 1])
  }

  // MARK: - Messages

  @Test("40 codes for one address, under 40 account names: five are mailed", .signIn, arguments: [false, true])
  func limitsMails(isConcurrent: Bool) async throws {
    let send: @Sendable (Int) async throws -> Void = { number in
      let email = number.isMultiple(of: 2) ? Self.email : "ANNA@Example.org"
      _ = try await fixture.service.sendCode(SignInSendCode.Params(account: "a\(number)", email: email))
    }
    var kinds: [ErrorKind?: Int] = [:]
    if isConcurrent {
      // No more than 16 codes may be in flight.
      for _ in 0..<4 { kinds.merge(try await self.kinds(10, send)) { $0 + $1 } }
    } else {
      for number in 0..<40 { kinds[await errorKind { try await send(number) }, default: 0] += 1 }
    }
    #expect(fixture.server.read(\.sentCodes).count == 5)
    #expect(kinds[nil] == 5 && kinds[.rateLimited, default: 0] > 0, "\(kinds)")
    fixture.clock.advance(by: .seconds(3600))
    #expect(await errorKind { try await send(0) } == nil)
  }

  @Test(
    "20 text messages for a second factor, under two account names of its user: five are sent", .signIn(hasEngine: true)
  )
  func limitsTextMessages() async throws {
    fixture.server.set { $0.passwordAnswer = .success(.session(.unverified("1", factors: [.phone]))) }
    _ = try await password("work")
    _ = try await password("home")
    for number in 0..<20 {
      let params = MFAChallenge.Params(account: number.isMultiple(of: 2) ? "work" : "home")
      let kind = await errorKind { try await fixture.accounts.challengeFactor(params) }
      #expect(kind == (number < 5 ? nil : .rateLimited))
    }
    #expect(fixture.server.read(\.challenges).count == 5)
  }

  private static let wrongFactorCode = AuthError(
    .server("mfa_verification_failed"), "no", status: 422, serverCode: "mfa_verification_failed")

  @Test(
    "wrong codes of a second factor, under two account names of its user: ten an hour are sent",
    .signIn(hasEngine: true) { state in
      state.passwordAnswer = .success(.session(.unverified("1")))
      state.factorAnswers = [.failure(wrongFactorCode)]
    })
  func limitsFactorCodes() async throws {
    _ = try await password("work")
    _ = try await password("home")
    for number in 0..<30 {
      let params = MFAVerify.Params(account: number.isMultiple(of: 2) ? "work" : "home", code: "123456")
      _ = await errorKind { try await fixture.service.verifySecondFactor(params) }
      // The limit for each account is lower for a short time.
      fixture.clock.advance(by: .seconds(13))
    }
    #expect(fixture.server.read(\.factorCodes).count == 10)
  }

  @Test("a sign-up counts as a message, and so does adding an address to a user: five an hour", .signIn)
  func limitsOtherMails() async throws {
    fixture.server.set { state in
      state.passwordAnswer = .success(.confirmationSent)
      state.updateAnswer = .success(User(id: "user-1", identities: [], isAnonymous: true))
    }
    for number in 0..<7 {
      let params = PasswordParams(account: "a\(number)", project: nil, email: Self.email, password: "correct horse")
      let kind = await errorKind { try await fixture.service.signUp(params) }
      #expect(kind == (number < 5 ? nil : .rateLimited))
    }
    _ = try await fixture.service.anonymous(SignInAnonymous.Params())
    for number in 0..<7 {
      let params = SignInSendCode.Params(email: "bert@example.org", purpose: .link)
      let kind = await errorKind { try await fixture.service.sendCode(params) }
      #expect(kind == (number < 5 ? nil : .rateLimited))
    }
    #expect(fixture.server.read { ($0.passwords.count, $0.updates.count) } == (5, 5))
  }

  @Test(
    "a message counts unless it was certainly not sent", .signIn,
    arguments: [
      (AuthError(.timeout, "late"), true), (AuthError(.serverUnavailable, "no", status: 500), true),
      (AuthError(.rateLimited, "no", status: 429), true), (AuthError(.otpDisabled, "no", status: 422), false),
      (AuthError(.tls, "no"), false),
    ])
  func countsLostAnswers(error: AuthError, counts: Bool) async throws {
    fixture.server.set { $0.sendAnswer = .failure(error) }
    for _ in 0..<10 {
      let params = SignInSendCode.Params(account: "work", email: Self.email)
      _ = await errorKind { try await fixture.service.sendCode(params) }
    }
    #expect(fixture.server.read(\.sentCodes).count == (counts ? 5 : 10))
  }

  // MARK: - The delay of a project

  /// Makes failed attempts for invented addresses.
  private func fail(_ count: Int) async throws {
    fixture.server.set { $0.passwordAnswer = .failure(Self.wrongPassword) }
    _ = try await kinds(count) { number in
      _ = try await password("a\(number)", email: "\(number)@example.org")
    }
  }

  @Test(
    "an attempt that is delayed holds nobody up, and is not sent if its caller leaves or the vault is locked", .signIn)
  func endsTheDelay() async throws {
    try await fail(20)
    for ending in [false, true] {
      let before = fixture.server.read(\.passwords).count
      let waiting = Task {
        await errorKind { try await password("b", email: "more-\(ending)@example.org") }
      }
      try await eventually("it is sent") {
        fixture.clock.advance(by: .milliseconds(1))
        return fixture.server.read(\.passwords).count > before
      }
      #expect(await waiting.value == .invalidCredentials)
      let delayed = Task { await errorKind { try await password("b", email: "last@example.org") } }
      try await eventually("it waits") { fixture.accounts.requests.count == 1 }
      _ = await fixture.service.nonce()
      if ending { fixture.accounts.requests.cancelAll() } else { delayed.cancel() }
      #expect(await delayed.value == .cancelled)
      #expect(fixture.server.read(\.passwords).count == before + 1)
    }
  }

  @Test("the address of an account is not delayed", .signIn)
  func exemptsAccounts() async throws {
    _ = try await password("work")
    try await fail(30)
    // The clock stands still.
    #expect(await errorKind { try await password("work", email: "ANNA@example.org") } == .invalidCredentials)
  }

  private func project() async throws -> Project { try await fixture.accounts.projects.choose(nil) }

  @Test("the delay grows with the failures of a project, to 1 s, and ends with them after an hour", .signIn)
  func growsWithFailures() async throws {
    let (limits, project) = (AttemptLimits(), try await project())
    var now = fixture.clock.now
    func begin(_ address: String, isKnown: Bool = false) throws -> AttemptLimits.Attempt {
      try limits.begin(
        [.password], address: address, of: project, isKnown: isKnown, maxGuesses: 10, account: "a", now: now)
    }
    var delays: [Duration] = []
    for number in 0..<100 {
      let attempt = try begin("\(number)")
      limits.failed(attempt, Self.wrongPassword)
      delays.append(attempt.delay)
    }
    #expect(delays == delays.sorted() && delays[20] == .zero && delays[21] > .zero && delays[99] == .seconds(1))
    #expect(try begin("anna", isKnown: true).delay == .zero)
    now = now.advanced(by: .seconds(3600))
    #expect(try begin("bert").delay == .zero)
    for number in 0..<100 {
      let attempt = try begin("right \(number)")
      #expect(attempt.delay == .zero)
      switch number % 3 {
      case 0: limits.guessed(attempt)
      case 1: limits.failed(attempt, AuthError(.network, "not reachable"))
      default: limits.withdraw(attempt)
      }
    }
  }

  @Test("a full table forgets invented addresses, and not the one under attack", .signIn)
  func forgetsInventedAddresses() async throws {
    let (limits, project) = (AttemptLimits(), try await project())
    let now = fixture.clock.now
    func begin(_ address: String) throws {
      _ = try limits.begin(
        [.password], address: address, of: project, isKnown: true, maxGuesses: 10, account: "a", now: now)
    }
    for _ in 0..<2 { try begin(Self.email) }
    for number in 0..<AttemptLimits.maxKeys + 100 { try begin("\(number)@example.org") }
    for _ in 0..<8 { try begin(Self.email) }
    #expect(throws: AgentError.self) { try begin(Self.email) }
  }
}
