import AgentProtocol
import ArgumentParser

@testable import ritualctl

/// The types of the `--json` documents. Each command has a row.
enum CommandDocuments {
  struct Document: Sendable {
    let type: any (Decodable & Sendable).Type
    /// When the command prints this document, if it has several.
    var when: String?

    init(_ type: any (Decodable & Sendable).Type, _ when: String? = nil) { (self.type, self.when) = (type, when) }
  }

  static let table: [String: [Document]] = [
    "accounts list": [Document(SessionList.Result.self)],
    "accounts remove": [Document(SessionRemove.Result.self)],
    "accounts rename": [Document(AccountStatus.self)],
    "api": [Document(APIAnswer.Value.self)],
    "approvals allow": [Document(Approval.self)],
    "approvals deny": [Document(Approval.self)],
    "approvals list": [Document(ApprovalList.Result.self)],
    "approvals revoke": [Document(ApprovalParams.self)],
    "audit": [
      Document(AuditList.Result.self, "Without `--verify`."), Document(AuditVerify.Result.self, "With `--verify`."),
    ],
    "complete-sign-in": [Document(SignInResult.self)],
    "doctor": [Document(DoctorReport.self)],
    "error": [Document(ErrorDocument.self)],
    "events": [Document(AgentEvent.self)],
    "exec": [Document(ErrorDocument.self)],
    "grant": [Document(EgressGrant.Result.self)],
    "grants list": [Document(EgressList.Result.self)],
    "grants revoke": [Document(EgressRevoke.Params.self)],
    "help": [
      Document(HelpAnswer.Value.self, "With `--help` or `--version`."),
      Document(Overview.Value.self, "Without a command."),
    ],
    "identities": [Document(IdentityList.Result.self)],
    "init": [Document(InitAnswer.Change.self)],
    "link": [
      Document(SignInResult.self, "The outcome."), Document(BegunAnswer.Value.self, "With `--no-browser`."),
      Document(CodeSentAnswer.Value.self, "With `link email`, without `--code-stdin`."),
    ],
    "lock": [Document(VaultLock.Result.self)],
    "metrics": [Document(TelemetrySnapshot.Result.self)],
    "mfa enroll": [Document(MFAEnroll.Result.self)],
    "mfa list": [Document(MFAList.Result.self)],
    "mfa remove": [Document(FactorRemoved.Value.self)],
    "mfa verify": [
      Document(AccountStatus.self, "After the verification."), Document(SignInResult.self, "With `--browser`."),
      Document(FactorCodeSent.Value.self, "Without `--code-stdin`, for a phone factor."),
    ],
    "profile": [Document(ProfileResult.self)],
    "refresh": [Document(AccountStatus.self)],
    "register-handler": [
      Document(HandlerAnswer.Value.self, "Without `--print`."), Document(EntryAnswer.Value.self, "With `--print`."),
    ],
    "reload": [Document(AgentReload.Result.self)],
    "reset": [Document(ResetAnswer.Value.self)],
    "schema": [
      Document(SchemaListAnswer.Value.self, "Without a command."), Document(SchemaAnswer.Value.self, "With a command."),
    ],
    "sign-in": [
      Document(SignInResult.self, "The outcome."), Document(BegunAnswer.Value.self, "With `--no-browser`."),
      Document(CodeSentAnswer.Value.self, "With `code` or `phone`, without `--code-stdin`."),
    ],
    "sign-out": [Document(SessionSignOut.Result.self)],
    "setup": [
      Document(SetupListAnswer.Value.self, "Without a name."), Document(SetupAnswer.Value.self, "With a name."),
    ],
    "sink": [Document(SinkAnswer.Value.self)],
    "status": [Document(AgentStatusMethod.Result.self)],
    "token": [Document(SessionToken.Result.self)],
    "unlink": [Document(IdentityList.Result.self)],
    "unlock": [Document(VaultUnlock.Result.self)],
    "use": [Document(AccountStatus.self)],
    "use-api": [Document(AccountStatus.self)],
    "vault add-key": [Document(VaultAddKey.Result.self)],
    "vault adopt": [Document(VaultAdopt.Result.self)],
    "vault rekey": [Document(VaultRekey.Result.self)],
    "vault remove-key": [Document(VaultKey.self)],
    "vault status": [Document(VaultStatus.Result.self)],
    "vault verify": [Document(VaultVerify.Result.self)],
    "whoami": [Document(AccountStatus.self)],
    "why": [Document(SessionExplain.Result.self)],
  ]

  /// The descriptions of documents that are not a command's answer.
  private static let others = [
    "error": "The error of any command, on standard error.",
    "help": "The output of `--help` and `--version`, and of `ritualctl` without a command.",
    "exec": "Why the command was not run, on standard error. The output of the command itself is unchanged.",
    "sink": "One line per change of the file.",
    "events": "One line per event: the current state first, then every change.",
  ]

  /// Documents without the member `warnings`.
  static let withoutWarnings: Set = ["events", "help", "sink"]

  static func description(of name: String) -> String { others[name] ?? abstracts[name] ?? "" }

  /// The abstracts of the commands without subcommands, by path.
  static let abstracts: [String: String] = leaves(of: RitualCtl.self, [])

  private static func leaves(of command: any ParsableCommand.Type, _ path: [String]) -> [String: String] {
    let children = command.configuration.subcommands
    guard !children.isEmpty else { return [path.joined(separator: " "): command.configuration.abstract] }
    return children.reduce(into: [:]) { result, child in
      let name = child.configuration.commandName ?? ""
      result.merge(leaves(of: child, path + [name])) { $1 }
    }
  }
}

/// The JSON Schemas of the documents (draft 2020-12), from the types and their comments.
struct DocumentSchemas {
  private(set) var commands: [String: JSONValue] = [:]
  private(set) var shared: [String: JSONValue] = [:]
  private let comments: SourceComments

  init(_ comments: SourceComments) throws {
    self.comments = comments
    let registry = SchemaRegistry()
    for (name, documents) in CommandDocuments.table {
      commands[name] = try schema(of: documents, name, in: registry)
    }
    for (name, schema) in registry.named {
      shared[name] = described(schema, of: name, by: comments.of(name))
    }
  }

  private func schema(
    of documents: [CommandDocuments.Document], _ name: String, in registry: SchemaRegistry
  ) throws -> JSONValue {
    let variants = try documents.map { document in
      let plain = try registry.plainSchema(of: document.type)
      let schema = described(plain, of: SchemaRegistry.name(of: document.type), by: document.when)
      return withCommonMembers(schema, of: name)
    }
    var schema: [String: JSONValue] = [:]
    if variants.count == 1, case .object(let only) = variants[0] {
      schema = only
    } else {
      schema["anyOf"] = .array(variants)
    }
    schema["$schema"] = .string("https://json-schema.org/draft/2020-12/schema")
    schema["title"] = .string(["error", "help"].contains(name) ? "ritualctl: \(name)" : "ritualctl \(name) --json")
    schema["description"] = .string(CommandDocuments.description(of: name))
    return .object(schema)
  }

  /// Adds `formatVersion` and `warnings`.
  private func withCommonMembers(_ schema: JSONValue, of name: String) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    var members: [String: JSONValue] = [:]
    if case .object(let own)? = object["properties"] { members = own }
    var required: [JSONValue] = []
    if case .array(let own)? = object["required"] { required = own }
    members["formatVersion"] = .object([
      "type": .string("integer"), "const": .integer(Int64(Document<Empty>.formatVersion)),
      "description": .string(
        "The version of the format. It increases when an existing script would misread a document."),
    ])
    if !CommandDocuments.withoutWarnings.contains(name) {
      members["warnings"] = .object([
        "type": .string("array"), "items": .object(["type": .string("string")]),
        "description": .string("Readable warnings; absent if there are none."),
      ])
    }
    object["properties"] = .object(members)
    object["required"] = .array(([.string("formatVersion")] + required).sorted { ($0.text ?? "") < ($1.text ?? "") })
    return .object(object)
  }

  /// The schema with descriptions, open to members that a later version adds.
  private func described(_ schema: JSONValue, of type: String, by words: String?) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    if object["additionalProperties"] == .bool(false) { object["additionalProperties"] = nil }
    if let words, object["description"] == nil { object["description"] = .string(words) }
    if case .object(let members)? = object["properties"] {
      object["properties"] = .object(
        Dictionary(
          uniqueKeysWithValues: members.map { name, member in
            (name, local(described(member, as: comments.of(type, member: name))))
          }))
    }
    return local(.object(object))
  }

  private func described(_ member: JSONValue, as words: String?) -> JSONValue {
    guard case .object(var object) = member, object["description"] == nil, let words else { return member }
    object["description"] = .string(words)
    return .object(object)
  }

  /// The schema with references into `$defs`.
  private func local(_ schema: JSONValue) -> JSONValue {
    switch schema {
    case .array(let items): .array(items.map(local))
    case .object(let members):
      .object(
        Dictionary(
          uniqueKeysWithValues: members.map { name, value in
            guard name == "$ref", let reference = value.text else { return (name, local(value)) }
            return (name, .string(JSONSchemas.prefix + (reference.split(separator: "/").last ?? "")))
          }))
    default: schema
    }
  }
}

/// The Swift file that embeds the schemas in `ritualctl`.
extension DocumentSchemas {
  static let path = "Sources/ritualctl/Output/JSONSchemas.swift"

  func source() throws -> String {
    let json = try WireCoding.encode(["commands": commands, "$defs": shared])
    return """
      // swift-format-ignore-file
      // The JSON Schemas of `ritualctl schema`. Generated from the types of the documents and their comments by the tests:
      // run CommandSchemaTests with RITUAL_WRITE_GOLDEN=1 after a change.
      extension JSONSchemas {
        static let generated: StaticString = \(GeneratedDocument.literal(String(decoding: json, as: UTF8.self)))
      }

      """
  }
}
