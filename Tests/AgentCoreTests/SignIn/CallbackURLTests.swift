import AgentProtocol
import TestKit
import Testing

@testable import SignInFlows

@Suite struct CallbackURLTests {
  static let place = "http://127.0.0.1:5000/callback"

  @Test(
    "SI-8: the answer in a callback URL",
    arguments: [
      ("attempt=A&code=c-1", .code("c-1")),
      ("attempt=A&code=c-1#", .code("c-1")),
      ("attempt=A&code=c-1&new=thing", .code("c-1")),
      ("attempt=A&code=c-1#sb=", .code("c-1")),
      ("attempt=A&error=access_denied&error_description=#error=access_denied&sb=", .cancelled),
      ("attempt=A&error=user_cancelled_authorize&error_description=", .cancelled),
      ("attempt=A&error=access_denied&error_code=&error_description=", .cancelled),
      ("attempt=A&error=access_denied&error_code=user_banned&error_description=x", .failed("user_banned")),
      (
        "attempt=A&error=server_error&error_code=unexpected_failure&error_description=a+b%3A+c",
        .failed("unexpected_failure")
      ),
      ("attempt=A&error=invalid_scope", .failed("invalid_scope")),
      ("attempt=A", .invalid(.noAnswer)),
      ("attempt=A&code=", .invalid(.badCode)),
      ("attempt=A&code=a%20b", .invalid(.badCode)),
      ("attempt=A&code=a%00b", .invalid(.badCode)),
      ("attempt=A&code=c-1&error=access_denied", .invalid(.ambiguous)),
      ("attempt=A&code=c-1&code=c-2", .invalid(.duplicate)),
      ("attempt=A&code=c-1&x=1&x=1", .invalid(.duplicate)),
      ("attempt=A#access_token=a&refresh_token=b&token_type=bearer", .invalid(.tokens)),
      ("attempt=A&code=c-1#access_token=a", .invalid(.tokens)),
      ("attempt=A&code=c-1#acces%73_token=a", .invalid(.tokens)),
      ("attempt=A&access_token=a", .invalid(.tokens)),
      ("attempt=A&code=c-1&refresh_token=a", .invalid(.tokens)),
    ] as [(String, CallbackAnswer)])
  func readsAnswers(query: String, answer: CallbackAnswer) {
    let callback = CallbackURL(Self.place + "?" + query)
    #expect(callback.answer == answer)
    #expect(callback.attempt == "A")
    #expect(callback.baseURL == Self.place)
  }

  @Test(
    "SI-8: rejects text that is not a callback URL",
    arguments: [
      ("", .notAnAddress), (" \n", .notAnAddress), ("http://127.0.0.1:5000/callback?attempt=A&code=a b", .notAnAddress),
      ("http://127.0.0.1:5000/callback?attempt=A&code=é", .notAnAddress),
      ("http://127.0.0.1:5000/callback?attempt=A&code=a\u{1B}[2J", .notAnAddress),
      ("http://127.0.0.1:5000/callback?attempt=A&code=%zz", .unreadable),
      ("http://127.0.0.1:5000/callback?attempt=A&code=%4", .unreadable),
      ("http://127.0.0.1:5000/callback?attempt=A&code=%ff%fe", .unreadable),
      (place + "?attempt=A&code=" + String(repeating: "a", count: 9000), .tooLong),
      ("dailyritual://auth-callback", .noAnswer),
    ] as [(String, CallbackFault)])
  func refuses(text: String, fault: CallbackFault) {
    #expect(CallbackURL(text).answer == .invalid(fault))
    #expect(fault.error.kind == .callbackInvalid)
    #expect(fault.error.data.hint?.isEmpty == false)
  }

  @Test("SI-8: a missing or repeated attempt matches no flow")
  func readsTheAttempt() {
    for query in ["code=c-1", "attempt=A&attempt=A&code=c-1", "attempt=A&attempt=B&code=c-1"] {
      #expect(CallbackURL(Self.place + "?" + query).attempt == nil)
    }
  }

  @Test(
    "takes a pasted URL in the forms of address bars, openers and other texts",
    arguments: [
      (.loopback(port: 5000), "https://127.0.0.1:5000/callback?"), (.manual, "https://127.0.0.1:1022/callback?"),
      (.manual, "127.0.0.1:1022/callback?"), (.manual, "HTTP://127.0.0.1:1022/callback?"),
      (.scheme("dailyritual"), "DailyRitual://AUTH-CALLBACK?"),
      (.scheme("dailyritual"), "dailyritual://Auth-callback/?"),
    ] as [(Redirect.Kind, String)])
  func takesPastedForms(kind: Redirect.Kind, form: String) {
    for (first, last) in [
      ("", ""), ("\"", "\""), ("'", "'"), ("<", ">"), (" ` ", " `\n"), (" \t", "\r\n"), ("\u{201C}", "\u{201D}"),
    ] {
      let callback = CallbackURL(first + form + "attempt=A&code=c-1" + last)
      #expect(callback.answer == .code("c-1"), "\(first)")
      #expect(Redirect(kind).accepts(callback.baseURL), "\(callback.baseURL)")
    }
  }

  @Test(
    "host, port and path of the redirect URL are compared exactly",
    arguments: [
      "http://127.0.0.1:5000/callback/", "http://127.0.0.1:5000//callback", "http://127.0.0.1:5000/Callback",
      "http://127.0.0.1:5000/%63allback", "http://127.0.0.1:5000@evil.example/callback",
      "http://127.1:5000/callback", "http://127.0.0.1:05000/callback", "http://https://127.0.0.1:5000/callback",
      "http:127.0.0.1:5000/callback", "ftp://127.0.0.1:5000/callback", "//127.0.0.1:5000/callback",
    ])
  func keepsThePlace(place: String) {
    #expect(CallbackURL(place + "?attempt=A&code=c-1").baseURL == place)
    #expect(!Redirect(.loopback(port: 5000)).accepts(place))
  }

  @Test("random bytes are never accepted")
  func survivesNoise() {
    var random = SeededGenerator(seed: 20_261_121)
    for _ in 0..<20_000 {
      let length = Int.random(in: 0..<200, using: &random)
      let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let callback = CallbackURL(String(decoding: bytes, as: UTF8.self))
      guard case .invalid = callback.answer else {
        Issue.record("accepted \(bytes)")
        continue
      }
    }
  }

  @Test("a mutated callback is parsed or refused, and a code is always printable ASCII")
  func survivesMutation() {
    var random = SeededGenerator(seed: 7636)
    let good = Array("\(Self.place)?attempt=AAAA&code=8b1f5d3c-0000-4000-8000-000000000000#sb=".utf8)
    var accepted = 0
    for _ in 0..<20_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(Array("&=%?#;+\n\0".utf8).randomElement(using: &random)!, at: index)
        }
      }
      let callback = CallbackURL(String(decoding: bytes, as: UTF8.self))
      guard case .code(let code) = callback.answer else { continue }
      accepted += 1
      #expect(code.utf8.allSatisfy { (0x21...0x7E).contains($0) } && code.utf8.count <= 512)
      #expect(callback.baseURL.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    }
    #expect(accepted > 100, "the mutations leave some of them whole")
  }

  @Test("SL-4: an unknown code is shown, unless it has another form than the server's codes")
  func showsUnknownCodes() {
    let known = CallbackRefusal.error("brand_new_code", account: "work")
    #expect(known.kind == .callbackInvalid && known.message == "The server refused the sign-in (code brand_new_code).")
    #expect(known.data.hint?.contains("ritualctl sign-in --account work") == true)
    for code in ["call me at example.org", "<b>", "CODE", String(repeating: "a", count: 65), ""] {
      let foreign = CallbackRefusal.error(code, account: "work")
      #expect(foreign.message == ErrorKind.callbackInvalid.facts.message)
    }
  }
}
