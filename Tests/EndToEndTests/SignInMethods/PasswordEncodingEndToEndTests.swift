import AuthSandbox
import Foundation
import TestKit
import Testing

/// A password that is not UTF-8 is never repaired: another wrong byte would sign in as well. InputEncodingTests
/// have the standard input of `ritualctl`.
@Suite(.home, .timeLimit(.minutes(5))) struct PasswordEncodingEndToEndTests {
  private static let email = "bert@example.org"

  @Test("a wrong byte on the socket, or a lone surrogate, is not taken for U+FFFD")
  func refusesWrongBytes() async throws {
    _ = home.sandbox.addUser(email: Self.email, password: "p\u{FFFD}ssword 9")
    let tool = try SocketTool(home.socket)
    let request =
      #"{"jsonrpc":"2.0","id":1,"method":"signIn.password","params":{"email":"\#(Self.email)","password":"p"#
    for wrong: [UInt8] in [
      [0xE4], [0xED, 0xA0, 0x80], [0xC0, 0x80], Array(#"\ud800"#.utf8), Array(#"\udc00"#.utf8),
    ] {
      try tool.send(Array(request.utf8) + wrong + Array(#"ssword 9"}}"#.utf8))
      let answer = try await tool.line()
      #expect(answer.contains(#""kind":"parseError""#) || answer.contains(#""kind":"invalidParams""#), "\(answer)")
    }
    #expect(home.sandbox.requestCount(.password) == 0)
    #expect(try await home.ctl("status").status == 4)
    // The password itself is one like any other.
    try tool.send(request + "\u{FFFD}ssword 9\"}}")
    #expect(try await tool.line().contains(#""outcome":"signedIn""#))
  }
}
