import SystemSupport
import Testing

@testable import SignInFlows

@Suite struct PKCETests {
  @Test("SI-2: the challenge of RFC 7636, appendix B")
  func matchesTheVector() {
    let pkce = PKCE(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test("SI-2: a verifier is 32 random bytes, base64url without padding")
  func makesFreshVerifiers() throws {
    let verifiers = (0..<200).map { _ in PKCE.fresh().verifier }
    #expect(Set(verifiers).count == 200)
    for verifier in verifiers {
      #expect(verifier.utf8.count == 43)
      #expect(Base64URL.decode(verifier)?.count == 32)
    }
    #expect(Set(verifiers.joined()).count == 64, "every digit comes up")
  }

  @Test(
    "base64url: RFC 7636, appendix A, and RFC 4648, section 10",
    arguments: [
      ([3, 236, 255, 224, 193], "A-z_4ME"), ([], ""), ([102], "Zg"), ([102, 111], "Zm8"), ([102, 111, 111], "Zm9v"),
    ] as [([UInt8], String)])
  func encodes(bytes: [UInt8], text: String) {
    #expect(Base64URL.encode(bytes) == text)
    #expect(Base64URL.decode(text).map(Array.init) == bytes)
  }

  @Test("base64url rejects text it would not write", arguments: ["Zg==", "Zg=", "A+z/4ME", "Zh", "Z", "Zm9v\n", "é"])
  func refuses(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test("constant-time comparison of secrets")
  func compares() {
    #expect(ConstantTime.equal("abc", "abc"))
    #expect(ConstantTime.equal("", ""))
    for other in ["abd", "bbc", "ab", "abcd", ""] { #expect(!ConstantTime.equal("abc", other)) }
  }
}
