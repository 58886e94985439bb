import AgentProtocol
import SupabaseAuth
import Testing

@testable import SignInFlows

/// The addresses and codes of the page's forms, as random text: what is refused before it is sent.
@Suite struct PageAddressTests {
  /// Text of the characters that matter to the parsers, and of others.
  private func randomText(_ generator: inout SystemRandomNumberGenerator) -> String {
    let alphabet = Array("0123456789+-./() @aZ.é\u{0}\u{301}%&=")
    let count = Int.random(in: 0...20, using: &generator)
    return String((0..<count).compactMap { _ in alphabet.randomElement(using: &generator) })
  }

  @Test("any text is refused, or becomes a value of the expected form that is read again without a change")
  func keepsTheForms() throws {
    var generator = SystemRandomNumberGenerator()
    var accepted = 0
    for _ in 0..<20_000 {
      let text = randomText(&generator)
      if case .code(let code)? = try? CodeEntry.code(checking: text) {
        accepted += 1
        #expect((6...10).contains(code.utf8.count) && code.utf8.allSatisfy { (0x30...0x39).contains($0) })
      }
      if case .phone(let number)? = try? CodeAddress.phone(checking: text) {
        accepted += 1
        #expect(number.utf8.first == 0x2B && (7...16).contains(number.utf8.count))
        #expect(number.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) })
        #expect(try CodeAddress.phone(checking: number) == .phone(number))
      }
      if case .email(let email)? = try? CodeAddress.email(checking: text) {
        accepted += 1
        #expect(email.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F })
        #expect(try CodeAddress.email(checking: email) == .email(email))
      }
      if let domain = try? SSODomain.checked(text) {
        accepted += 1
        #expect(domain.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-.".utf8.contains($0) })
        #expect(try SSODomain.checked(domain) == domain)
      }
    }
    #expect(accepted > 50)
  }
}
