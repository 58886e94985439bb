import AgentProtocol
import FoundationEssentials
import Glibc
import Testing

/// The files of this package that are generated from its sources. The tests compare them; with
/// RITUAL_GENERATE, which `script/generate` sets, they write them.
enum GeneratedFile {
  static let isWriting = getenv("RITUAL_GENERATE") != nil

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
  }

  static func expect(_ path: String, _ text: String) throws {
    if isWriting { try Data(text.utf8).write(to: root.appending(path: path)) }
    // Not in the macro, which would print both texts.
    let isCurrent = try Self.text(path) == text
    #expect(isCurrent, "\(path) is not up to date: run script/generate")
  }

  /// The maximum length of a line of JSON with more than one value, apart from the value's name.
  private static let width = 100

  /// JSON with sorted keys and, for readable differences, a line for each value that fits into one.
  static func json(_ value: JSONValue, indentation: String = "") throws -> String {
    let line = String(decoding: try WireCoding.encode(value), as: UTF8.self)
    guard indentation.count + line.count > width else { return line }
    let inner = indentation + " "
    switch value {
    case .array(let items):
      let lines = try items.map { inner + (try json($0, indentation: inner)) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indentation)]"
    case .object(let members):
      let lines = try members.sorted { $0.key < $1.key }.map { name, member in
        inner + (try json(.string(name))) + ":" + (try json(member, indentation: inner))
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indentation)}"
    default: return line
    }
  }
}
