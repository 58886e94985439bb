import FoundationEssentials
import NIOHTTP1
import SupabaseAuth
import Testing

@Suite struct FactorRequestTests {
  private let factor = "7376fd7d-1c5e-4b6f-8e0f-2c9d3c1f5a11"

  private func expect(_ method: String, _ target: String, _ request: SeenRequest?, body: [String: String]) throws {
    let request = try #require(request)
    #expect(request.method == method)
    #expect(request.target == "/auth/v1/factors" + target)
    #expect(request.headers["authorization"] == ["Bearer \(Fixture.access)"])
    let sent =
      request.body.isEmpty ? [:] : try JSONDecoder().decode([String: String].self, from: Data(request.body.utf8))
    #expect(sent == body)
  }

  @Test func enrollsAnApp() async throws {
    // As recorded, with a QR code of the size that a server sends.
    let image = String(repeating: "<rect/>", count: 45_943)
    let answer =
      #"{"id":"\#(factor)","type":"totp","friendly_name":"App","totp":{"qr_code":"\#(image)","secret":"ZDRIS6","uri":"otpauth://totp/a?secret=ZDRIS6"}}"#
    try await withServer({ _ in .answer(200, [], answer) }) { client, server in
      let enrolled = try await client.enroll(.totp(name: "App"), Fixture.bearer)
      #expect(enrolled.id == factor)
      #expect(enrolled.secret == "ZDRIS6")
      #expect(enrolled.uri == "otpauth://totp/a?secret=ZDRIS6")
      #expect(!"\(enrolled)".contains("ZDRIS6"))
      try expect("POST", "", server.requests.first, body: ["factor_type": "totp", "friendly_name": "App"])
    }
  }

  @Test func enrollsAPhone() async throws {
    let answer = #"{"id":"\#(factor)","type":"phone","phone":"+49 151 1"}"#
    try await withServer({ _ in .answer(200, [], answer) }) { client, server in
      let enrolled = try await client.enroll(.phone("+491511", name: nil), Fixture.bearer)
      #expect(enrolled.id == factor && enrolled.secret == nil && enrolled.uri == nil)
      try expect("POST", "", server.requests.first, body: ["factor_type": "phone", "phone": "+491511"])
    }
  }

  @Test(arguments: [false, true]) func challenges(isPhone: Bool) async throws {
    let answer = #"{"id":"b93d0e80-11","type":"totp","expires_at":1795312139}"#
    try await withServer({ _ in .answer(200, [], answer) }) { client, server in
      let challenge = try await client.challenge(factor, isPhone: isPhone, Fixture.bearer)
      #expect(challenge == FactorChallenge(id: "b93d0e80-11", expiresAt: 1_795_312_139))
      try expect(
        "POST", "/\(factor)/challenge", server.requests.first, body: isPhone ? ["channel": "sms"] : [:])
    }
  }

  @Test func verifiesWithTheLevelOfTheToken() async throws {
    let access = Fixture.jwt(#"{"aal":"aal2","iat":1795311840,"exp":1795315440}"#)
    let user = """
      {"id":"u-1","identities":[],"factors":[{"id":"\(factor)","status":"verified","friendly_name":"App",
      "factor_type":"totp","last_challenged_at":"2026-11-22T01:43:59.532007Z"},{"id":"../x"},7,
      {"id":"p","status":"unverified","factor_type":"phone","last_challenged_at":null}]}
      """
    try await withServer({ _ in .answer(200, [], Fixture.session(access: access, user: user)) }) { client, server in
      let session = try await client.verify(factor, challenge: "c-1", code: FactorCode("054206"), Fixture.bearer)
      #expect(session.assurance == "aal2")
      #expect(session.user.factors.map(\.id) == [factor, "p"])
      #expect(session.user.factors.map(\.isVerified) == [true, false])
      #expect(session.user.factors[0].lastChallengedAt != nil && session.user.factors[1].name == nil)
      try expect(
        "POST", "/\(factor)/verify", server.requests.first, body: ["challenge_id": "c-1", "code": "054206"])
      #expect(server.requests.count == 1)
    }
  }

  @Test func sendsACodeOnce() async throws {
    try await withServer({ _ in .answer(500, [], "{}") }) { client, server in
      let error = try await authError {
        try await client.verify(factor, challenge: "c-1", code: FactorCode("054206"), Fixture.bearer)
      }
      #expect(error.code == .serverUnavailable)
      #expect(server.requests.count == 1)
    }
  }

  @Test func removes() async throws {
    try await withServer({ _ in .answer(200, [], #"{"id":"\#(factor)"}"#) }) { client, server in
      try await client.removeFactor(factor, Fixture.bearer)
      try expect("DELETE", "/\(factor)", server.requests.first, body: [:])
    }
  }

  @Test(arguments: ["", "..", "a/b", "a?b", "é", String(repeating: "a", count: 65)])
  func refusesNoID(factor: String) async throws {
    try await withServer({ _ in .answer(200, [], "{}") }) { client, server in
      let errors = [
        try await authError { try await client.challenge(factor, isPhone: false, Fixture.bearer) },
        try await authError { try await client.removeFactor(factor, Fixture.bearer) },
        try await authError {
          try await client.verify(factor, challenge: "c", code: FactorCode("123456"), Fixture.bearer)
        },
      ]
      #expect(errors.map(\.code) == [.invalidRequest, .invalidRequest, .invalidRequest])
      #expect(server.connections == 0)
    }
  }

  @Test(arguments: [#"{"id":"../x","expires_at":1}"#, #"{"id":"c"}"#, "{}"])
  func refusesAnUnreadableChallenge(answer: String) async throws {
    try await withServer({ _ in .answer(200, [], answer) }) { client, _ in
      let error = try await authError { try await client.challenge(factor, isPhone: false, Fixture.bearer) }
      #expect(error.code == .unreadable)
    }
  }

  @Test func printsNoCode() {
    #expect(!"\(FactorCode("054206"))".contains("054206"))
    var dumped = ""
    dump(FactorCode("054206"), to: &dumped)
    #expect(!dumped.contains("054206"))
  }
}
