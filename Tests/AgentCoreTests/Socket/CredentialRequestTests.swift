import TestKit
import Testing

@testable import AgentServer

/// The names of sockets by which systemd tells the unit and the credential (systemd.exec(5)).
@Suite struct CredentialRequestTests {
  private func request(_ name: String) -> CredentialRequest? { CredentialRequest(peerName: Array(name.utf8)) }

  @Test(
    "the name of the credential selects the account",
    arguments: [
      ("token", nil), ("token.work", "work"), ("token.a.b-c_d", "a.b-c_d"), ("token.0", "0"),
    ] as [(String, String?)])
  func selectsTheAccount(credential: String, account: String?) throws {
    let found = try #require(request("\0d3adb33f/unit/export@a-b.service/\(credential)"))
    #expect(found.unit == "export@a-b.service" && found.credential == credential && found.account == account)
  }

  @Test(
    "other names are refused",
    arguments: [
      "", "\0", "/run/user/1000/x", "\0/unit/a.service/token", "\0a1/unit/a.service", "\0a1/unit/a.service/",
      "a1/unit/a.service/token", "\0a1/units/a.service/token", "\0a1/unit/a.service/token/", "\0a1/unit//token",
      "\0a1/unit/.service/token", "\0a1/unit/a.service/tokens", "\0a1/unit/a.service/token.",
      "\0a1/unit/a.service/token.Work", "\0a1/unit/a.service/token.-a", "\0a1/unit/a.service/TOKEN",
      "\0a1/unit/session-1.scope/token", "\0a1/unit/app.slice/token", "\0a1/unit/a/token",
      "\0A1/unit/a.service/token", "\0a1 /unit/a.service/token", "\00123456789abcdef0/unit/a.service/token",
      "\0a1/unit/a b.service/token", "\0a1/unit/\u{e9}.service/token", "\0a1/unit/a\n.service/token",
      "\0\0a1/unit/a.service/token", "\0a1/unit/a.service/token\0",
    ])
  func refusesOtherNames(name: String) { #expect(request(name) == nil) }

  @Test("any bytes: a request that is accepted gives the name again")
  func survivesAnyBytes() throws {
    var chance = SeededRandom(19)
    let good = Array("\0a1b2/unit/export.service/token.work".utf8)
    var accepted = 0
    for round in 0..<20_000 {
      var name = round % 4 == 0 ? (0..<chance.below(108)).map { _ in UInt8(chance.below(256)) } : good
      for _ in 0..<chance.below(4) where !name.isEmpty {
        let index = chance.below(name.count)
        switch chance.below(3) {
        case 0: name[index] = UInt8(chance.below(256))
        case 1: name.remove(at: index)
        default: name.insert(name[chance.below(name.count)], at: index)
        }
      }
      guard let found = CredentialRequest(peerName: name) else { continue }
      accepted += 1
      #expect(found.account == nil ? found.credential == "token" : found.credential == "token.\(found.account!)")
      #expect(name.suffix(found.credential.utf8.count + 1).elementsEqual("/\(found.credential)".utf8))
      #expect(String(decoding: name, as: UTF8.self).contains("/unit/\(found.unit)/"))
    }
    #expect(accepted > 1000)
  }
}
