import AgentProtocol
import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import ritualctl

/// The schemas of `ritualctl schema` and docs/json-output.md, against the types of the documents.
/// JSONEndToEndTests validate what the commands print.
@Suite struct CommandSchemaTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private let schemas: DocumentSchemas

  init() throws {
    let sources = ["Sources/AgentProtocol", "Sources/ritualctl"].map { Self.root.appending(path: $0) }
    schemas = try DocumentSchemas(SourceComments(of: sources))
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
  }

  /// Compares a file with its generated text, or writes it.
  private static func expect(_ path: String, _ text: String) throws {
    if getenv("RITUAL_WRITE_GOLDEN") != nil { try Data(text.utf8).write(to: root.appending(path: path)) }
    let isCurrent = try Self.text(path) == text
    #expect(isCurrent, "\(path): run CommandSchemaTests with RITUAL_WRITE_GOLDEN=1")
  }

  @Test func everyCommandHasASchema() {
    #expect(Set(CommandDocuments.abstracts.keys).union(["error", "help"]) == Set(CommandDocuments.table.keys))
  }

  @Test func theProgramHoldsTheSchemas() throws {
    try Self.expect(DocumentSchemas.path, schemas.source())
  }

  @Test func thePageHoldsTheSchemas() throws {
    let page = try Self.text(DocumentPage.path)
    let marker = try #require(page.firstRange(of: DocumentPage.marker))
    try Self.expect(DocumentPage.path, page[..<marker.upperBound] + DocumentPage(schemas: schemas).text)
  }

  @Test func everyMemberHasADescription() {
    var missing: [String] = []
    func search(_ schema: JSONValue, _ path: String) {
      if case .array(let variants)? = schema["anyOf"] {
        for variant in variants { search(variant, path) }
      }
      guard case .object(let members)? = schema["properties"] else { return }
      for (name, member) in members where member["description"]?.text?.isEmpty != false {
        missing.append("\(path).\(name)")
      }
    }
    for (name, schema) in schemas.commands { search(schema, name) }
    for (name, schema) in schemas.shared { search(schema, name) }
    #expect(missing.sorted() == [])
    let types = schemas.shared.filter { $0.value["properties"] != nil && $0.value["description"] == nil }
    #expect(types.keys.sorted() == [])
    #expect(schemas.commands.values.allSatisfy { $0["description"]?.text?.isEmpty == false })
  }

  @Test func aSchemaHasTheSharedTypesThatItUses() throws {
    let all = try JSONSchemas()
    let why = try #require(all["why"])
    for name in ["AccountStatus", "AccountState", "RefreshTry", "AgentError.Details", "ErrorKind"] {
      #expect(why["$defs"]?[name] == schemas.shared[name])
    }
    #expect(why["$defs"]?["VaultKey"] == nil)
    #expect(all["lock"]?["$defs"] == nil)
    #expect(all["no such"] == nil)
  }

  @Test func readsCommentsOfTypesAndMembers() {
    let comments = SourceComments(
      text: """
        /// A pair (VA-3, SI-10). More.
        public struct Pair {
          /// The first
          /// half.
          public var `left`: Int
          var right: Int
          /// An inner type.
          enum Inner {
            /// A value (PR-6).
            case one
            /// Deep.
            let deep: Int
            /// The first value.
            ///
            /// For readers of the source.
            static let first = Inner(rawValue: "one")
          }
          /// After.
          let after: Int
        }
        /// What an extension adds.
        extension Pair {
          struct Other {
            /// Other.
            let text: String
          }
        }
        """)
    #expect(comments.of("Pair") == "A pair.")
    #expect(comments.paragraph(of: "Pair") == "A pair. More.")
    #expect(comments.of("Pair", member: "left") == "The first half.")
    #expect(comments.of("Pair", member: "right") == nil)
    #expect(comments.of("Pair.Inner") == "An inner type.")
    #expect(comments.of("Pair.Inner", member: "deep") == "Deep.")
    #expect(comments.of("Pair.Inner", member: "one") == "The first value.")
    #expect(comments.values == ["Pair.Inner": ["one"]])
    #expect(comments.of("Pair", member: "after") == "After.")
    #expect(comments.of("Pair.Other", member: "text") == "Other.")
  }
}
