import AgentProtocol
import FoundationEssentials

/// JSON with one member or element per line, for a person. The order of the members and the
/// spelling of numbers and strings stay as they are.
struct IndentedJSON {
  /// The maximum size in bytes: more than a person reads, and indented within a second.
  private static let sizeLimit = 1 << 20
  /// The maximum depth. It bounds the indentation, and so the size of the text.
  private static let depthLimit = 64

  private let json: [UInt8]
  private var text: [UInt8] = []
  private var depth = 0

  /// The text for a terminal, without control characters; nil if `json` is not JSON, or exceeds a
  /// limit.
  static func text(of json: [UInt8]) -> String? {
    guard json.count <= sizeLimit, (try? WireCoding.decode(AnyJSON.self, from: Data(json))) != nil else { return nil }
    var indented = IndentedJSON(json)
    guard indented.addAll() else { return nil }
    return HarmlessJSON.escaped(String(decoding: indented.text, as: UTF8.self))
  }

  private init(_ json: [UInt8]) { self.json = json }

  /// Returns false for a depth over the limit, and for a control character in a string, which JSON
  /// does not allow (RFC 8259, section 7).
  private mutating func addAll() -> Bool {
    var index = 0
    while index < json.count {
      let byte = json[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let end = endOfString(index) else { return false }
        text += json[(index - 1)..<end]
        index = end
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        text.append(byte)
        let next = json[index...].firstIndex { !Self.isSpace($0) } ?? json.endIndex
        if next < json.endIndex, json[next] == byte + 2 {  // "}" and "]" in ASCII
          text.append(json[next])
          index = next + 1
        } else {
          depth += 1
          startLine()
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        startLine()
        text.append(byte)
      case UInt8(ascii: ","):
        text.append(byte)
        startLine()
      case UInt8(ascii: ":"): text += Array(": ".utf8)
      case _ where Self.isSpace(byte): continue
      default: text.append(byte)
      }
      guard depth <= Self.depthLimit else { return false }
    }
    return true
  }

  /// The index after the closing quote of the string whose content starts at `start`.
  private func endOfString(_ start: Int) -> Int? {
    var index = start
    while index < json.count, json[index] >= 0x20 {
      if json[index] == UInt8(ascii: "\"") { return index + 1 }
      index += json[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  private mutating func startLine() {
    text.append(UInt8(ascii: "\n"))
    text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * max(0, depth)))
  }

  /// Whitespace between tokens (RFC 8259, section 2).
  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}

/// Any JSON, checked by the parser but not converted.
private struct AnyJSON: Decodable {
  init(from decoder: any Decoder) throws {}
}
