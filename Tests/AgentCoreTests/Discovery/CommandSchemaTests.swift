import AgentProtocol
import FoundationEssentials
import TestKit
import Testing

@testable import ritualctl

/// docs/json-output.md and docs/json-output.json, against the types of the documents.
/// JSONEndToEndTests validate what the commands print.
@Suite struct CommandSchemaTests {
  private let schemas: DocumentSchemas

  init() throws { schemas = try Self.made.get() }

  /// Made once for all tests.
  private static let made = Result {
    try DocumentSchemas(SourceComments(of: ["Sources/AgentProtocol", "Sources/ritualctl"]))
  }

  @Test func theFileHoldsTheSchemas() throws {
    let value: JSONValue = .object([
      "$schema": .string("https://json-schema.org/draft/2020-12/schema"), "documents": .object(schemas.commands),
      "$defs": .object(schemas.shared),
    ])
    try GeneratedFile.expect("docs/json-output.json", try GeneratedFile.json(value) + "\n")
  }

  @Test func thePageHoldsTheSchemas() throws {
    let page = try GeneratedFile.text(DocumentPage.path)
    let marker = try #require(page.firstRange(of: DocumentPage.marker))
    let pages = DocumentPage(schemas: schemas, protocolPage: try DiscoveryTests.page.get())
    try GeneratedFile.expect(DocumentPage.path, page[..<marker.upperBound] + pages.text)
  }

  @Test func everyMemberHasADescription() {
    var missing: [String] = []
    func search(_ schema: JSONValue, _ path: String) {
      for variant in schema.items("anyOf") { search(variant, path) }
      for (name, member) in schema.properties where member["description"]?.text?.isEmpty != false {
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

  @Test func readsCommentsOfTypesAndMembers() {
    let comments = SourceComments(
      text: """
        /// A pair. More.
        public struct Pair {
          /// The first
          /// half.
          public var `left`: Int
          var right: Int
          /// An inner type.
          enum Inner {
            /// A value.
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
