import AgentProtocol
import FoundationEssentials
import NIOCore

/// Where the members of one request object lie in its frame. Of two members with one name the first counts; members
/// that JSON-RPC does not know are read over, as a newer client may send them.
struct RequestOutline {
  private(set) var version: Range<Int>?
  private(set) var id: Range<Int>?
  private(set) var method: Range<Int>?
  private(set) var params: Range<Int>?

  /// Reads one object, which `reader` stands before; `depth` containers are open around it.
  init(_ reader: inout JSONReader, _ bytes: Span<UInt8>, depth: Int) throws(NotJSON) {
    try reader.expect(UInt8(ascii: "{"), bytes)
    if reader.take(UInt8(ascii: "}"), bytes) { return }
    repeat {
      let name = try reader.string(bytes)
      try reader.expect(UInt8(ascii: ":"), bytes)
      keep(name, try reader.value(bytes, depth: depth + 1), bytes)
    } while reader.take(UInt8(ascii: ","), bytes)
    try reader.expect(UInt8(ascii: "}"), bytes)
  }

  private mutating func keep(_ name: Range<Int>, _ value: Range<Int>, _ bytes: Span<UInt8>) {
    if bytes.holds("jsonrpc", at: name) {
      version = version ?? value
    } else if bytes.holds("id", at: name) {
      id = id ?? value
    } else if bytes.holds("method", at: name) {
      method = method ?? value
    } else if bytes.holds("params", at: name) {
      params = params ?? value
    } else if bytes.hasEscape(name) {
      keepDecoded(bytes.decodedString(name), value)
    }
  }

  /// The same for a name that was written with escapes: `"\u0069d"` is `id`.
  private mutating func keepDecoded(_ name: String?, _ value: Range<Int>) {
    switch name {
    case "jsonrpc": version = version ?? value
    case "id": id = id ?? value
    case "method": method = method ?? value
    case "params": params = params ?? value
    default: break
    }
  }
}

extension Span<UInt8> {
  /// The text of a string whose content lies at `range`; nil where its escapes make no text (a lone surrogate).
  func decodedString(_ range: Range<Int>) -> String? {
    guard hasEscape(range) else { return text(range) }
    return try? WireCoding.decode(String.self, from: data((range.lowerBound - 1)..<(range.upperBound + 1)))
  }

  /// The bytes of `range` as text; they are valid UTF-8 and hold no escape.
  func text(_ range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  func data(_ range: Range<Int>) -> Data {
    extracting(range).withUnsafeBufferPointer { Data(buffer: $0) }
  }

  func array(_ range: Range<Int>) -> [UInt8] {
    extracting(range).withUnsafeBufferPointer { Array($0) }
  }

  /// Whether all bytes are valid UTF-8.
  var isUTF8: Bool {
    do {
      _ = try UTF8Span(validating: self)
      return true
    } catch {
      return false
    }
  }
}
