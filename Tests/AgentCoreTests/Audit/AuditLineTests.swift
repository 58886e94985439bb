import AgentProtocol
import FoundationEssentials
import SystemSupport
import Testing

@testable import AccessControl
@testable import SessionEngine

@Suite struct AuditLineTests {
  private let mac = (0..<32).map { UInt8($0) }.hexadecimal

  private func line(_ facts: AuditFacts, _ sequence: UInt64 = 7) throws -> [UInt8] {
    AuditLine.line(try AuditLine.body(sequence, facts), mac).dropLast()
  }

  @Test("the line format, byte for byte")
  func format() throws {
    var facts = AuditFacts(.signedIn, at: Timestamp(unixSeconds: 0))
    facts.account = "work"
    let text = String(decoding: try line(facts), as: UTF8.self)
    #expect(
      text
        == #"{"sequence":7,"account":"work","at":"1970-01-01T00:00:00Z","event":"signedIn","mac":""#
        + #"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"}"#)
    let parsed = try #require(AuditLine(Array(text.utf8)))
    #expect(parsed.entry == AuditEntry(sequence: 7, facts: facts))
    #expect(parsed.mac == mac)
  }

  @Test("the longest possible entry is within the limit")
  func longestEntry() throws {
    var facts = AuditFacts(.tokenIssued, at: Timestamp(unixSeconds: 0))
    let worst = String(repeating: "\\", count: 1000)
    (facts.executable, facts.unit) = (worst, worst)
    facts.detail = String(repeating: "\\", count: 400)
    (facts.account, facts.provider, facts.project) = (facts.detail, facts.detail, facts.detail)
    (facts.count, facts.handOut, facts.previous) = (.max, .max, mac)
    facts.statuses = Dictionary(uniqueKeysWithValues: StatusClass.allCases.map { ($0.rawValue, .max) })
    let bytes = try line(facts, .max)
    #expect(AuditLine(bytes)?.sequence == .max)
  }

  @Test("the parser handles any bytes, and a parsed line is written back unchanged")
  func takesAnyBytes() throws {
    var numbers = SystemRandomNumberGenerator()
    var facts = AuditFacts(.signedIn, at: Timestamp(unixSeconds: 9))
    facts.account = "work"
    let good = try line(facts)
    var taken = 0
    for _ in 0..<5000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &numbers) {
        let index = Int.random(in: 0..<bytes.count, using: &numbers)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes.remove(at: index)
        default: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &numbers), at: index)
        }
      }
      guard let parsed = AuditLine(bytes) else { continue }
      taken += 1
      #expect(Array(AuditLine.line(parsed.body, parsed.mac).dropLast()) == bytes)
    }
    // Guards against a run in which hardly any line is accepted.
    #expect(taken > 500)
  }

  @Test(arguments: ["", "{}", #"{"sequence":"#, #"{"sequence":01,"a":1,"mac":""#, #"{"sequence":-1,"a":1,"mac":""#])
  func refuses(_ text: String) {
    #expect(AuditLine(Array(text.utf8)) == nil)
    #expect(AuditLine(Array((text + mac + "\"}").utf8)) == nil)
  }

  @Test("rejects a line over the limit, whatever its content")
  func boundsLines() throws {
    var facts = AuditFacts(.signedIn)
    facts.detail = String(repeating: "x", count: AuditLine.maxLength)
    let bytes = try line(facts)
    #expect(AuditLine(bytes) == nil)
  }

  @Test func splitsLines() {
    #expect(AuditLine.split([]).lines.isEmpty)
    #expect(AuditLine.split(Array("a\nb".utf8)).torn == 1)
    let whole = AuditLine.split(Array("a\nb\n".utf8))
    #expect(whole.torn == 0)
    #expect(whole.lines.map(Array.init) == [Array("a".utf8), Array("b".utf8)])
  }
}
