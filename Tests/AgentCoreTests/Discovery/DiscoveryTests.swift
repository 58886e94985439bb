import AgentProtocol
import FoundationEssentials
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentServer

/// `rpc.discover` against the server's method table, and against the page and the file that
/// describe the protocol.
@Suite struct DiscoveryTests {
  private let table = Self.described.table
  private let document: OpenRPCDocument
  private let comments: SourceComments

  init() throws {
    document = try Self.described.document.get()
    comments = try Self.sources.get()
  }

  /// Made once for all tests.
  private static let described = {
    let table = AgentMethodTable.make()
    return (table: table, document: Result { try OpenRPCDocument.describing(table) })
  }()
  private static let sources = Result { try SourceComments(of: ["Sources/AgentProtocol"]) }
  static let page = Result {
    ProtocolPage(document: try described.document.get(), table: described.table, comments: try sources.get())
  }

  @Test func describesEveryMethodAndNoOther() {
    #expect(document.methods.map(\.name) == table.names)
    #expect(document.methods.allSatisfy { $0["summary"]?.text?.isEmpty == false })
    #expect(table.names.contains("session.token") && table.names.contains("rpc.discover"))
  }

  @Test func capabilitiesAreTheGroupsOfTheTable() {
    let groups = Set(table.names.compactMap { $0.split(separator: ".").first.map(String.init) })
    #expect(Wire.capabilities == groups.sorted())
  }

  @Test func tellsWhatTheServerDecodes() throws {
    let token = try #require(document.methods.first { $0.name == "session.token" })
    let params = token.items("params")
    #expect(
      params.map(\.name) == [
        "account", "assurance", "directory", "endpoints", "minTTL", "reason", "rejected",
      ])
    #expect(params.allSatisfy { $0["required"] == .bool(false) })
    let status = try #require(document.components.schemas["AccountStatus"])
    #expect(status["additionalProperties"] == .bool(false))
    #expect(status["properties"]?["expiresAt"]?["type"]?.text == "string")
    #expect(status["properties"]?["user"]?["$ref"]?.text == "#/components/schemas/AccountUser")
    #expect(status.requires("name") && !status.requires("user"))
  }

  @Test(arguments: MemberNotes.all.keys.sorted()) func everyNoteNamesAnExistingMember(_ name: String) throws {
    if document.components.schemas[name] != nil { return }
    let parts = name.split(separator: ".").map(String.init)
    let (type, member) = (parts.dropLast().joined(separator: "."), try #require(parts.last))
    if let schema = document.components.schemas[type] {
      #expect(schema["properties"]?[member] != nil)
      return
    }
    let owner = try #require(
      table.names.first { SchemaRegistry.name(of: table[$0]?.shape.params ?? Empty.self) == type })
    let params = document.methods.first { $0.name == owner }?.items("params")
    #expect(params?.contains { $0.name == member } == true)
  }

  @Test func everyErrorThatAMethodNamesIsInTheTable() throws {
    for name in table.names {
      let notes = try #require(table[name]).notes
      #expect(notes.errors.allSatisfy { document.components.errors[$0.rawValue] != nil }, "\(name)")
    }
    #expect(document.components.errors.keys.sorted() == ErrorKind.known.map(\.rawValue))
  }

  @Test func theFileHoldsTheDocument() throws {
    let value = try WireCoding.decode(JSONValue.self, from: try WireCoding.encode(document))
    try GeneratedFile.expect("docs/openrpc.json", try GeneratedFile.json(value) + "\n")
  }

  /// A document that has just been written is not yet embedded in this program.
  @Test(.disabled(if: GeneratedFile.isWriting)) func theAnswerIsTheDocument() async throws {
    let call = Call(
      peer: Peer(pid: 1, uid: 0, gid: 0), connection: ConnectionHandle(id: 1, send: { _ in }, cut: { _ in }))
    let method = try #require(table["rpc.discover"])
    let answer = try await method(nil, call).result
    #expect(try WireCoding.decode(OpenRPCDocument.self, from: answer) == document)
    #expect(!answer.contains(UInt8(ascii: "\n")))
    #expect(answer.count < Wire.answerLimit)
  }

  @Test func theWireFormatIsAsTheGoldenFileHasIt() throws {
    try GeneratedFile.expect(
      "Tests/Golden/wire-format.txt", WireFormat.lines(of: document).map { $0 + "\n" }.joined())
  }

  @Test func everyValueOfATypeIsListed() throws {
    let values = comments.values.filter { document.components.schemas[$0.key] != nil }
    #expect(values.keys.contains("AuditEvent") && values.keys.contains("EventType"))
    for (type, values) in values {
      let schema = try #require(document.components.schemas[type])
      let listed = schema.items("examples") + schema.items("enum")
      #expect(Set(listed.compactMap(\.text)) == Set(values), "\(type)")
    }
  }

  @Test func thePageNamesEveryMethodEveryMemberAndEveryError() throws {
    let page = try GeneratedFile.text(ProtocolPage.path)
    let current = try #require(try Self.page.get().placed(in: page))
    try GeneratedFile.expect(ProtocolPage.path, current)
    let lines = current.split(separator: "\n")
    let items = lines.filter { $0.hasPrefix("- `") }
    #expect(items.filter { $0.hasSuffix(": ") } == [], "a member or a value without a description")
    let rows = lines.filter { $0.hasPrefix("| `") }.map {
      $0.split(separator: "|").map { $0.filter { $0 != "`" && $0 != " " } }
    }
    let errors = rows.filter { $0.count > 1 && $0[1].hasPrefix("-32") }.map { "\($0[0]) \($0[1])" }
    #expect(errors.sorted() == ErrorKind.known.map { "\($0.rawValue) \($0.facts.code)" })
  }
}
