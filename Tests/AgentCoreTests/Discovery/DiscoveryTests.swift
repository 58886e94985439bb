import AgentProtocol
import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import AccessControl
@testable import AgentServer

/// `rpc.discover` against the server's method table, and against the page and the file that
/// describe the protocol.
@Suite struct DiscoveryTests {
  private let table: MethodTable
  private let document: OpenRPCDocument
  private let comments: SourceComments

  init() throws {
    comments = try SourceComments(of: [Self.root.appending(path: "Sources/AgentProtocol")])
    table = AgentMethodTable.make()
    document = try OpenRPCDocument.describing(table)
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
  }

  @Test func describesEveryMethodAndNoOther() {
    #expect(document.methods.compactMap { $0["name"]?.text } == table.names)
    #expect(document.methods.allSatisfy { $0["summary"]?.text?.isEmpty == false })
    #expect(table.names.contains("session.token") && table.names.contains("rpc.discover"))
  }

  @Test func capabilitiesAreTheGroupsOfTheTable() {
    let groups = Set(table.names.compactMap { $0.split(separator: ".").first.map(String.init) })
    #expect(Wire.capabilities == groups.sorted())
  }

  @Test func tellsWhatTheServerDecodes() throws {
    let token = try #require(document.methods.first { $0["name"]?.text == "session.token" })
    guard case .array(let params)? = token["params"] else { throw ConditionTimeout(what: "params") }
    #expect(params.map { $0["name"]?.text } == ["account", "assurance", "endpoints", "minTTL", "reason", "rejected"])
    #expect(params.allSatisfy { $0["required"] == .bool(false) })
    let status = try #require(document.components.schemas["AccountStatus"])
    #expect(status["additionalProperties"] == .bool(false))
    #expect(status["properties"]?["expiresAt"]?["type"]?.text == "string")
    #expect(status["properties"]?["user"]?["$ref"]?.text == "#/components/schemas/AccountUser")
    guard case .array(let required)? = status["required"] else { throw ConditionTimeout(what: "required") }
    #expect(required.contains(.string("name")) && !required.contains(.string("user")))
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
    guard case .array(let params)? = document.methods.first(where: { $0["name"]?.text == owner })?["params"] else {
      throw ConditionTimeout(what: "the params of \(owner)")
    }
    #expect(params.contains { $0["name"]?.text == member })
  }

  @Test func everyErrorThatAMethodNamesIsInTheTable() throws {
    for name in table.names {
      let notes = try #require(table[name]).notes
      #expect(notes.errors.allSatisfy { document.components.errors[$0.rawValue] != nil }, "\(name)")
    }
    #expect(document.components.errors.keys.sorted() == ErrorKind.known.map(\.rawValue))
  }

  @Test func theAgentHoldsTheDocument() throws {
    let source = try GeneratedDocument.source(of: document)
    if getenv("RITUAL_WRITE_GOLDEN") != nil {
      try Data(source.utf8).write(to: Self.root.appending(path: GeneratedDocument.path))
    }
    let isCurrent = try Self.text(GeneratedDocument.path) == source
    #expect(isCurrent, "run DiscoveryTests with RITUAL_WRITE_GOLDEN=1")
  }

  @Test func theAnswerIsTheDocument() async throws {
    let call = Call(
      peer: Peer(pid: 1, uid: 0, gid: 0), connection: ConnectionHandle(id: 1, send: { _ in }, cut: { _ in }))
    let method = try #require(table["rpc.discover"])
    let answer = try await method(nil, call).result
    #expect(try WireCoding.decode(OpenRPCDocument.self, from: answer) == document)
    #expect(answer.count < Wire.answerLimit)
  }

  @Test func theWireFormatIsAsTheGoldenFileHasIt() throws {
    let lines = WireFormat.lines(of: document)
    let path = "Tests/Golden/wire-format.txt"
    if getenv("RITUAL_WRITE_GOLDEN") != nil {
      try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: Self.root.appending(path: path))
    }
    let golden = try Self.text(path).split(separator: "\n").map(String.init)
    for change in lines.difference(from: golden) {
      switch change {
      case .insert(_, let line, _): Issue.record("new on the wire: \(line)")
      case .remove(_, let line, _): Issue.record("gone from the wire: \(line)")
      }
    }
  }

  @Test func everyValueOfATypeIsListed() throws {
    let values = comments.values.filter { document.components.schemas[$0.key] != nil }
    #expect(values.keys.contains("AuditEvent") && values.keys.contains("EventType"))
    for (type, values) in values {
      let schema = document.components.schemas[type]
      guard case .array(let listed)? = schema?["examples"] ?? schema?["enum"] else {
        Issue.record("MemberNotes has no values of \(type)")
        continue
      }
      #expect(Set(listed.compactMap(\.text)) == Set(values), "\(type)")
    }
  }

  @Test func thePageNamesEveryMethodEveryMemberAndEveryError() throws {
    let page = try Self.text(ProtocolPage.path)
    let current = try #require(ProtocolPage(document: document, table: table, comments: comments).placed(in: page))
    if getenv("RITUAL_WRITE_GOLDEN") != nil {
      try Data(current.utf8).write(to: Self.root.appending(path: ProtocolPage.path))
    } else {
      let isCurrent = page == current
      #expect(isCurrent, "\(ProtocolPage.path): run DiscoveryTests with RITUAL_WRITE_GOLDEN=1")
    }
    let lines = current.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(lines.filter { $0.hasSuffix("|  |") } == [], "a member or a value without a description")
    let rows = lines.map { $0.split(separator: "|").map { $0.filter { $0 != "`" && $0 != " " } } }
    let errors = rows.filter { $0.count > 1 && $0[1].hasPrefix("-32") }.map { "\($0[0]) \($0[1])" }
    #expect(errors.sorted() == ErrorKind.known.map { "\($0.rawValue) \($0.facts.code)" })
  }

  @Test func thePageDescribesTheTypesAsTheSourcesDo() throws {
    #expect(comments.of("SessionToken.Result", member: "expiresIn") == "Seconds until the token expires.")
    #expect(comments.of("AccountState", member: "degraded") == "A refresh is overdue; attempts continue.")
    #expect(comments.of("SessionToken.Params", member: "rejected")?.hasSuffix("64 lowercase hex digits.") == true)
    #expect(comments.of("AuditEntry", member: "way") == comments.of("AuditFacts", member: "way"))
  }
}
