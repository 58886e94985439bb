import Testing

@testable import SignInFlows

/// The parser of the page's form, tested against an encoder written from the standard (WHATWG URL,
/// section 5.2).
@Suite struct FormBodyTests {
  private static let names = ["email", "password"]

  private func encode(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return text.utf8.map { byte in
      switch byte {
      case 0x2A, 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: String(UnicodeScalar(byte))
      case 0x20: "+"
      default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }.joined()
  }

  private func values(_ body: String) -> [String]? { FormBody(Array(body.utf8)).values(of: Self.names) }

  private func randomText(_ generator: inout SystemRandomNumberGenerator) -> String {
    let ranges: [ClosedRange<UInt32>] = [0x20...0x7E, 0xA0...0x2FF, 0x300...0x36F, 0x2000...0x206F, 0x1F300...0x1F6FF]
    let scalars = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
      UnicodeScalar(UInt32.random(in: ranges.randomElement(using: &generator)!, using: &generator))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  @Test("values are decoded byte for byte, in any order of the fields")
  func roundTrips() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let (email, password) = (randomText(&generator), randomText(&generator))
      let pairs = ["email=\(encode(email))", "password=\(encode(password))"]
      for body in [pairs.joined(separator: "&"), pairs.reversed().joined(separator: "&")] {
        #expect(values(body)?.map { Array($0.utf8) } == [Array(email.utf8), Array(password.utf8)], "\(body)")
      }
    }
  }

  @Test("a mutated form is refused, or its values are encoded and parsed again without a change")
  func survivesMutation() {
    var generator = SystemRandomNumberGenerator()
    var refused = 0
    for _ in 0..<5000 {
      var bytes = Array("email=\(encode(randomText(&generator)))&password=\(encode(randomText(&generator)))".utf8)
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
      case 1: bytes.remove(at: place)
      default: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: place)
      }
      guard let values = FormBody(bytes).values(of: Self.names) else {
        refused += 1
        continue
      }
      let again = "email=\(encode(values[0]))&password=\(encode(values[1]))"
      #expect(self.values(again) == values)
      #expect(values.allSatisfy { value in value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } })
    }
    #expect(refused > 500)
  }

  @Test("an empty form has no fields")
  func readsTheEmptyForm() {
    #expect(FormBody([]).values(of: []) == [])
    #expect(FormBody([]).values(of: Self.names) == nil)
    #expect(FormBody(Array("a=b".utf8)).values(of: []) == nil)
  }

  @Test("no description shows the values of a form")
  func hidesItself() {
    let form = FormBody(Array("email=a&password=secret".utf8))
    var dumped = ""
    dump(form, to: &dumped)
    for text in ["\(form)", String(reflecting: form), dumped] {
      #expect(!text.contains("secret") && !text.contains("115"))
    }
  }
}
