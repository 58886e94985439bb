import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// Extreme numbers and times from socket and network are answered or rejected, and the agent
/// continues.
@Suite(.home, .serialized, .timeLimit(.minutes(10))) struct ExtremeValuesEndToEndTests {
  private static let numbers = [
    "-1", "0", "1", "1.5", "-0.5", "1e-308", "1e18", "1e19", "9.3e18", "-9.3e18", "1e300", "-1e300", "1e308", "1e999",
    "-1e999", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "170141183460469231731687303715884105727", "4294967296",
    "2147483648",
    "100000000000000000000000000000000000000000",
  ]

  private func answers(_ home: TestHome, _ what: String) async throws {
    let status = try await home.ctl("status", "--json")
    #expect(status.stdout.contains("\"accounts\""), "\(what): \(status.stdout)\(status.stderr)")
  }

  /// Every path to a number in the parameters of a method, from the agent's own description.
  private func numericParams(_ home: TestHome) async throws -> [(method: String, path: [String])] {
    let tool = try SocketTool(home.socket)
    try tool.send(#"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#)
    let line = try await tool.line()
    let answer = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    let document = answer["result"] as? [String: Any] ?? [:]
    let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: Any] ?? [:]
    func paths(_ schema: [String: Any]) -> [[String]] {
      if let name = (schema["$ref"] as? String)?.split(separator: "/").last {
        return paths(schemas[String(name)] as? [String: Any] ?? [:])
      }
      let kinds = [schema["type"] as? String].compactMap { $0 } + (schema["type"] as? [String] ?? [])
      if kinds.contains("number") || kinds.contains("integer") { return [[]] }
      let members = schema["properties"] as? [String: [String: Any]] ?? [:]
      return members.flatMap { member in paths(member.value).map { [member.key] + $0 } }
    }
    let methods = document["methods"] as? [[String: Any]] ?? []
    return methods.flatMap { method in
      let params = method["params"] as? [[String: Any]] ?? []
      return params.flatMap { param in
        paths(param["schema"] as? [String: Any] ?? [:])
          .map { (method["name"] as? String ?? "", [param["name"] as? String ?? ""] + $0) }
      }
    }
  }

  private static func nested(_ path: [String], _ value: String) -> String {
    path.reversed().reduce(value) { "{\"\($1)\":\($0)}" }
  }

  @Test("accepts or rejects extreme values of every number of every method")
  func takesExtremeParameters() async throws {
    try await home.signIn()
    let params = try await numericParams(home)
    #expect(params.contains { $0.method == "session.token" && $0.path == ["minTTL"] })
    #expect(params.contains { $0.path.last == "sequence" })
    let pid = await home.agentPID
    for (method, path) in params {
      for value in Self.numbers {
        // Some of these methods wait for more than a response: the connection is closed after the
        // request.
        let tool = try SocketTool(home.socket)
        try tool.send(
          #"{"jsonrpc":"2.0","id":\#(value),"method":"\#(method)","params":\#(Self.nested(path, value))}"#)
        try tool.send(#"{"jsonrpc":"2.0","id":1,"method":"session.status"}"#)
        let line = try await tool.line()
        #expect(line.contains("jsonrpc"), "\(method) \(path) \(value)")
      }
      try await answers(home, "\(method) \(path)")
    }
    let needed = [
      #""signIn.start","params":{"redirect":"manual","detach":true,"timeout":VALUE,"provider":"google"}"#,
      #""approval.answer","params":{"id":"x","allow":true,"for":VALUE}"#,
      #""events.subscribe","params":{"since":{"epoch":"x","sequence":VALUE}}"#,
      #""agent.hello","params":{"client":"x","protocol":VALUE}"#,
    ]
    for request in needed {
      for value in Self.numbers {
        let tool = try SocketTool(home.socket)
        try tool.send(
          #"{"jsonrpc":"2.0","id":2,"method":"# + request.replacingOccurrences(of: "VALUE", with: value) + "}")
        #expect(try await tool.line().contains("jsonrpc"), "\(request) \(value)")
      }
      try await answers(home, request)
    }
    #expect(await home.agentPID == pid)
    #expect(try await home.ctl("token").status == 0)
  }

  private static func jwt(_ claims: String) -> String {
    func part(_ text: String) -> String {
      Data(text.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
        .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    }
    return [#"{"alg":"HS256","typ":"JWT"}"#, claims, "signature"].map(part).joined(separator: ".")
  }

  private static func session(_ number: String, date: String) -> String {
    let token = jwt(
      #"{"sub":"6f1f2c1e-0000-4000-8000-000000000001","exp":\#(number),"iat":\#(number),"nbf":\#(number)}"#)
    return #"{"access_token":"\#(token)","token_type":"bearer","expires_in":\#(number),"expires_at":\#(number),"#
      + #""refresh_token":"abcdefghijkl","user":{"id":"6f1f2c1e-0000-4000-8000-000000000001","email":"anna@example.org","#
      + #""created_at":"\#(date)","updated_at":"\#(date)","last_sign_in_at":"\#(date)","identities":[{"#
      + #""identity_id":"1","id":"1","provider":"email","created_at":"\#(date)","last_sign_in_at":"\#(date)"}]}}"#
  }

  private static let dates = [
    "999999-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "0000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z",
    "99999999999999999999-01-01T00:00:00Z", "2026-01-01T00:00:00.99999999999999999999999Z", "2026-01-01T00:00:00+99:99",
    "",
  ]

  @Test("survives sessions with extreme lifetimes, claims and dates")
  func takesExtremeSessions() async throws {
    try await home.signIn("--account", "steady")
    let number = home
    for (index, value) in Self.numbers.enumerated() {
      let body = Self.session(value, date: Self.dates[index % Self.dates.count])
      home.sandbox.inject(.answer(status: 200, body: body), at: .password)
      _ = try await number.start(
        ["sign-in", "email", "--email", TestHome.email, "--password-stdin", "--account", "a\(index)", "--replace"],
        input: TestHome.password + "\n"
      ).end()
      home.sandbox.clearFaults()
      home.sandbox.inject(.answer(status: 200, body: body), at: .refresh)
      _ = try await home.ctl("refresh", "--account", "steady")
      home.sandbox.clearFaults()
      for command in ["why", "token"] { _ = try await home.ctl(command, "--account", "a\(index)", "--json") }
      try await answers(home, value)
    }
    for command in [["accounts"], ["status"], ["metrics"], ["audit"]] {
      #expect(try await home.start(command).end().status < 64, "\(command)")
    }
    #expect(try await home.endAgent() == 0)
    try await home.startAgent()
    try await answers(home, "after a restart")
  }

  @Test("survives response headers with extreme values")
  func takesExtremeHeaders() async throws {
    try await home.signIn()
    let dates = ["Sun, 06 Nov 9999 08:49:37 GMT", "Fri, 31 Dec 0000 23:59:60 GMT", "Sun, 06 Nov 99999 08:49:37 GMT"]
    for value in Self.numbers + dates {
      for (status, endpoint) in [(429, SandboxEndpoint.refresh), (503, .refresh), (200, .refresh), (429, .user)] {
        let headers = [
          "Retry-After": value, "X-RateLimit-Reset": value, "X-RateLimit-Limit": value, "Date": value,
          "X-Sb-Error-Code": value,
        ]
        home.sandbox.inject(
          .answer(status: status, body: #"{"code":\#(status),"msg":"x"}"#, headers: headers), at: endpoint)
        _ = try await home.ctl(endpoint == .refresh ? "refresh" : "identities", "--json")
        home.sandbox.clearFaults()
      }
      _ = try await home.ctl("why")
      try await answers(home, value)
    }
  }
}
