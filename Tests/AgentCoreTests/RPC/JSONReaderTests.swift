import AgentProtocol
import FoundationEssentials
import NIOCore
import Testing

@testable import AgentServer

@Suite struct JSONReaderTests {
  static let valid = [
    "{}", "[]", "null", "true", "false", "0", "-0", "10", "-1.5e+10", "1E-2", "0.0", #""""#,
    #""a\"b\\\/\b\f\n\r\t\u00e9""#,
    "[1,[2,{}],{\"a\":[]}]", " { \"a\" : 1 , \"b\" : [ ] } ", "\t\r\n 7", #"{"a":{"b":{"c":[[],{}]}}}"#, #""ü€😀""#,
  ]
  static let invalid = [
    "", " ", "{", "}", "[", "]", "[1,]", "[,1]", "[,]", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "[1 2]",
    "01", "-", "1.", ".5", "1e", "1e+", "+1", "tru", "nul", "True", "\"", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
    "\"\u{01}\"", "\"a\nb\"", "[}", "{]", "[1}", "{\"a\":1]", "'a'", "1 1", "NaN", "{\"a\":1 \"b\":2}", "[1]]",
  ]

  static func isJSON(_ text: String) -> Bool {
    let buffer = ByteBuffer(string: text)
    let bytes = buffer.readableBytesUInt8Span
    var reader = JSONReader()
    guard (try? reader.value(bytes, depth: 0)) != nil else { return false }
    return reader.peek(bytes) == nil
  }

  @Test(arguments: valid) func accepts(_ text: String) { #expect(Self.isJSON(text)) }

  @Test(arguments: invalid) func refuses(_ text: String) { #expect(!Self.isJSON(text)) }

  @Test func depthIsBoundedWithoutRecursion() {
    func nested(_ depth: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
    }
    #expect(Self.isJSON(nested(64, "[", "]")))
    #expect(!Self.isJSON(nested(65, "[", "]")))
    #expect(Self.isJSON(nested(64, #"{"a":"#, "}")))
    #expect(!Self.isJSON(nested(65, #"{"a":"#, "}")))
    #expect(!Self.isJSON(String(repeating: "[", count: 1_000_000)))
  }

  /// What the reader lets pass, the decoder behind it reads. Not the other way about: JSONDecoder takes `{"a":1,}`.
  @Test func theDecoderReadsWhatPasses() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array(#"{}[]",:\ 0123456789eE+-.trufalsn"#.utf8)
    let seeds = Self.valid.filter { !$0.isEmpty }
    var passed = 0
    for _ in 0..<4000 {
      var bytes = Array(seeds.randomElement(using: &generator)!.utf8)
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = alphabet.randomElement(using: &generator)!
      guard let text = String(validating: bytes, as: UTF8.self) else { continue }
      // A lone surrogate and a number past Double are JSON, and no values of Swift.
      guard Self.isJSON(text), !text.contains(#"\u"#), !text.lowercased().contains("e") else { continue }
      passed += 1
      #expect((try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))) != nil, "\(text)")
    }
    #expect(passed > 100)
  }
}
