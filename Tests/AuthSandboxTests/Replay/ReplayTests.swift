import Testing

@testable import AuthSandbox

/// Compares the sandbox with the recorded exchanges: status, error code, headers, shape of the
/// body, in both API versions.
struct ReplayTests {
  /// The API version of the request.
  enum Version: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case asRecorded
    /// With `X-Supabase-Api-Version: 2024-01-01`, and the recorded body rewritten by the rule of that version.
    case newShape

    var testDescription: String { rawValue }
  }

  @Test("answers as recorded", arguments: Claims.ids, Version.allCases)
  func replay(id: String, version: Version) async throws {
    let exchange = try #require(Recording.byID[id], "claimed, but not recorded")
    let claim = try #require(Claims.all[id])
    try await withStage({
      recordedSettings(&$0)
      claim.settings(&$0)
    }) { stage in
      let sending = try await claim.prepare(stage)
      let answer = try await Replayer(stage: stage, exchange: exchange, version: version).send(sending)
      Expectation(exchange, version).check(answer)
      if let token = sending.expectedToken, exchange.status == 200 {
        #expect(try answer.json["refresh_token"]?.string == token)
      }
    }
  }

  @Test("every recorded exchange is claimed, or has a reason not to be")
  func coverage() {
    let recorded = Set(Recording.all.map(\.id))
    let claimed = Set(Claims.all.keys)
    let declined = Set(Claims.declined.keys)
    #expect(recorded.subtracting(claimed).subtracting(declined).sorted() == [])
    #expect(claimed.union(declined).subtracting(recorded).sorted() == [])
    #expect(claimed.intersection(declined).sorted() == [])
  }
}

/// Sends a recorded request again.
struct Replayer {
  var stage: Stage
  var exchange: Exchange
  var version: ReplayTests.Version

  func send(_ sending: Sending) async throws -> HTTPAnswer {
    var headers = exchange.requestHeaders
    headers["Authorization"] = headers["Authorization"].map { _ in "Bearer \(sending.token ?? "no token was prepared")"
    }
    if exchange.id != "asymmetric/" + Claims.gatewayRow { headers["apikey"] = stage.sandbox.anonKey }
    if version == .newShape { headers["X-Supabase-Api-Version"] = "2024-01-01" }
    let path = (sending.path ?? exchange.path).replacing("/auth/v1", with: "")
    var body = exchange.requestBody.map { Array($0.utf8) }
    if let form = sending.form { body = Array(FormCoding.encode(form).utf8) }
    if !sending.members.isEmpty {
      let recorded = try body.map { try JSON(parsing: $0).object ?? [:] } ?? [:]
      body = JSON.object(recorded.merging(sending.members, uniquingKeysWith: { $1 })).bytes
    }
    return try await TestHTTP.send(
      exchange.method, stage.origin + "/auth/v1" + path, headers: headers.map { ($0.key, $0.value) }, body: body)
  }
}
