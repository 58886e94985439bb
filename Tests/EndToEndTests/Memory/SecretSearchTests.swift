import Foundation
import Testing

/// The search finds each encoding, produced by an independent encoder.
@Suite struct SecretSearchTests {
  private static let secret = #"pass"wörd\/? 9+"#

  private func names(in text: some Sequence<UInt8>) -> Set<String> {
    let bytes = [0x00, 0xFF] + Array(text) + [0x22]
    let search = SecretSearch([Secret("it", Self.secret)])
    return bytes.withUnsafeBytes { memory in Set(search.findings(in: memory) { "\($0)" }.map(\.encoding)) }
  }

  @Test func findsText() {
    #expect(names(in: Self.secret.utf8) == ["UTF-8"])
    #expect(names(in: Self.secret.data(using: .utf16LittleEndian)!) == ["UTF-16"])
    #expect(names(in: "pass word".utf8) == [])
  }

  @Test func findsJSON() throws {
    let encoder = JSONEncoder()
    #expect(names(in: try encoder.encode([Self.secret])) == ["JSON, escaped slashes"])
    encoder.outputFormatting = .withoutEscapingSlashes
    #expect(names(in: try encoder.encode([Self.secret])) == ["JSON"])
  }

  @Test func findsPercentEncoding() throws {
    let unreserved = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
    let encoded = try #require(Self.secret.addingPercentEncoding(withAllowedCharacters: unreserved))
    #expect(names(in: encoded.replacingOccurrences(of: "ö", with: "%C3%B6").utf8) == ["percent-encoded"])
    #expect(names(in: encoded.replacingOccurrences(of: "%20", with: "+").utf8) == ["form-encoded"])
  }

  @Test(arguments: 0..<6, 0..<4)
  func findsBase64(before: Int, after: Int) {
    let bytes = Data((0..<before).map(UInt8.init) + Array(Self.secret.utf8) + (0..<after).map(UInt8.init))
    let base64 = bytes.base64EncodedString()
    #expect(names(in: base64.utf8).contains { $0.hasPrefix("base64") })
    let url = base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    #expect(names(in: url.utf8).contains { $0.hasPrefix("base64") })
  }

  @Test func findsEachPlace() {
    let bytes = Array("abcabcabc".utf8)
    let search = SecretSearch([Secret("it", "abca")])
    #expect(bytes.withUnsafeBytes { search.findings(in: $0) { "\($0)" } }.map(\.place) == ["0", "3"])
  }

  @Test func splitsAToken() {
    let token = "head." + String(repeating: "p", count: 200) + "." + String(repeating: "s", count: 86)
    #expect(Secret.parts(ofAccessToken: token, "a").map(\.bytes.count) == [48, 48, 43, 43])
  }
}
