import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

@Suite(.timeLimit(.minutes(10))) struct MailLinkTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  private static let email = "anna@example.org"
  static let token = "pkce_786c83b063d1"
  static let place = "https://p.supabase.co/auth/v1/verify"

  private static let endpoint = try? ProjectEndpoint(url: "https://p.supabase.co", anonKey: "k")

  private static func read(_ text: String) throws -> MailLink { try MailLink(text, try #require(endpoint)) }

  @Test(
    "the link of a sign-in mail, with and without PKCE, and with the white space of pasting",
    arguments: [
      "\(place)?token=\(token)&type=magiclink&redirect_to=http://127.0.0.1:43117/callback%3Fattempt%3Da1",
      "\(place)?token=\(token)&type=signup", " \(place)?type=signup&token=\(token)\n",
    ])
  func reads(text: String) throws {
    #expect(try Self.read(text).token == Self.token)
  }

  @Test(
    "another project, path, type or shape is refused before anything is sent",
    arguments: [
      "", "   ", "hello", "https://q.supabase.co/auth/v1/verify?token=\(token)&type=magiclink",
      "http://p.supabase.co/auth/v1/verify?token=\(token)&type=magiclink",
      "https://p.supabase.co.evil.org/auth/v1/verify?token=\(token)&type=magiclink",
      "https://p.supabase.co@evil.org/auth/v1/verify?token=\(token)&type=magiclink",
      "https://p.supabase.co:444/auth/v1/verify?token=\(token)&type=magiclink",
      "https://p.supabase.co/auth/v1/verify/?token=\(token)&type=magiclink",
      "https://p.supabase.co/auth/v1/../v1/verify?token=\(token)&type=magiclink",
      "\(place)", "\(place)?token=\(token)", "\(place)?type=magiclink", "\(place)?token=&type=magiclink",
      "\(place)?token=\(token)&type=recovery", "\(place)?token=\(token)&type=email_change",
      "\(place)?token=\(token)&type=invite", "\(place)?token=\(token)&type=banana",
      "\(place)?token=\(token)&token=other&type=magiclink", "\(place)?token=\(token)&type=signup&type=magiclink",
      "\(place)?token=a%20b&type=magiclink", "\(place)?token=a%00b&type=magiclink",
      "\(place)?token=\(token)&type=magiclink#access_token=x", "\(place)?token=%zz&type=magiclink",
      "\(place)?token=\(token)&type=magiclink and more", "\(place)?token=é&type=magiclink",
      "\(place)?type=magiclink&token=" + String(repeating: "a", count: 256),
      "\(place)?type=magiclink&token=a&x=" + String(repeating: "a", count: 9000),
    ])
  func refuses(text: String) async throws {
    let endpoint = try #require(Self.endpoint)
    let error = try #require(await errorOf { try MailLink(text, endpoint) })
    #expect(error.kind == .invalidParams)
    #expect(error.message.hasSuffix("Nothing was sent."))
    #expect(!error.message.contains(Self.token) && error.data.hint?.contains(Self.token) != true)
  }

  @Test("a link is accepted if and only if it has the project's place, one known type and one plain token")
  func acceptsOnlyItsForm() throws {
    var random = SeededRandom(17)
    let pieces = [
      Self.place, "?", "&", "=", "token", "type", "magiclink", "signup", "recovery", Self.token, "#", "%20",
      "redirect_to",
      " ", "http://127.0.0.1:1/callback", "token=abc", "type=signup", "type=magiclink", "",
    ]
    var accepted = 0
    for _ in 0..<20_000 {
      var text = Bool.random(using: &random) ? Self.place + "?" : ""
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        text += pieces.randomElement(using: &random) ?? ""
        if Bool.random(using: &random) { text += "&" }
      }
      let link = try? Self.read(text)
      #expect((link?.token) == Self.expected(text), "\(text)")
      if link != nil { accepted += 1 }
    }
    #expect(accepted > 20)
  }

  /// What the link means, by another method than the parser's.
  private static func expected(_ text: String) -> String? {
    let text = text.drop { $0 == " " }
    let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex
    let link = text[..<end]
    guard link.hasPrefix(place + "?"), !link.contains("#"), !link.contains(" ") else { return nil }
    let pairs = link.dropFirst(place.count + 1).split(separator: "&").map {
      $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    }
    let names = pairs.map { String($0[0]).replacing("%20", with: " ") }
    guard Set(names).count == names.count else { return nil }
    func value(_ name: String) -> String? {
      pairs.first { $0[0] == name }.map { $0.count > 1 ? String($0[1]) : "" }
    }
    guard let type = value("type"), ["magiclink", "signup"].contains(type), let token = value("token"), !token.isEmpty,
      token.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
    else { return nil }
    return token
  }

  // MARK: - Sign-in

  private static func link(_ type: String = "magiclink") -> String {
    AccountsFixture.origin + "/auth/v1/verify?token=\(token)&type=\(type)"
  }

  @Test("WS-3: a pasted link signs in with the address that was named; the link is not opened", .signIn)
  func signsIn() async throws {
    let params = SignInVerifyCode.Params(account: "work", email: Self.email, link: Self.link())
    #expect(try await fixture.service.verifyCode(params).name == "work")
    #expect(fixture.server.read(\.proofs) == [.tokenHash(Self.token)])
    let sent = try await fixture.service.sendCode(SignInSendCode.Params(account: "work", email: Self.email))
    let again = SignInVerifyCode.Params(flow: sent.flow, link: Self.link("signup"))
    #expect(try await fixture.service.verifyCode(again).name == "work")
  }

  @Test("SI-15: a link for another account is not sent, nor one for a text message or a new address", .signIn)
  func refusesOtherUses() async throws {
    _ = try await fixture.service.verifyCode(SignInVerifyCode.Params(email: Self.email, code: "123456"))
    for (params, kind) in [
      (SignInVerifyCode.Params(email: "eve@example.org", link: Self.link()), ErrorKind.wrongUser),
      (SignInVerifyCode.Params(phone: "+4915123456789", link: Self.link()), .invalidParams),
    ] { #expect(await errorKind { try await fixture.service.verifyCode(params) } == kind) }
    #expect(fixture.server.read(\.proofs).count == 1)
  }

  @Test("no code, link or address appears in a description")
  func printsRedacted() throws {
    let values: [any Redacted] = [
      try Self.read("\(Self.place)?token=\(Self.token)&type=signup"), CodeEntry.code("123456"),
      CodeProof.code("123456", .email(Self.email)), CodeAddress.email(Self.email),
      PendingCode(.email(Self.email), resendAt: BootTime(nanoseconds: 0)),
    ]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains("123456") && !text.contains(Self.email) && !text.contains(Self.token), "\(text)")
      }
    }
  }
}
