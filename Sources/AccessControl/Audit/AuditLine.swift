import AgentProtocol
import FoundationEssentials
import SessionVault
import SystemSupport

/// A line of the log, without its newline: `{"sequence":N,` … `,"mac":"` 64 hex digits `"}`.
///
/// The MAC covers the bytes before `,"mac":"` as they stand in the file, so verification needs no
/// canonical JSON.
struct AuditLine: Sendable {
  /// Maximum length of a line, in bytes. Foreign text in an entry is bounded.
  static let maxLength = 8192
  private static let head = Array(#"{"sequence":"#.utf8)
  private static let middle = Array(#","mac":""#.utf8)
  private static let tail = Array(#""}"#.utf8)
  private static let frame = middle.count + 2 * ChainKey.macLength + tail.count

  let sequence: UInt64
  /// The bytes covered by the MAC, without the previous entry's MAC.
  let body: [UInt8]
  let mac: String

  /// Parses a line; nil if the form does not match. Neither the MAC nor the JSON in the middle is
  /// checked.
  init?(_ line: some Collection<UInt8>) {
    let bytes = Array(line)
    guard bytes.count <= Self.maxLength, bytes.count > Self.head.count + Self.frame, bytes.starts(with: Self.head),
      bytes.suffix(Self.tail.count) == Self.tail[...]
    else { return nil }
    let end = bytes.count - Self.frame
    let digits = end + Self.middle.count
    guard bytes[end..<digits] == Self.middle[...],
      Hexadecimal.bytes(of: bytes[digits..<(bytes.count - Self.tail.count)]) != nil,
      let sequence = Self.number(bytes[Self.head.count..<end])
    else { return nil }
    (self.sequence, body) = (sequence, Array(bytes[..<end]))
    mac = String(decoding: bytes[digits..<(bytes.count - Self.tail.count)], as: UTF8.self)
  }

  /// Parses decimal digits without a leading zero, up to a comma.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64? {
    let digits = bytes.prefix { $0 != UInt8(ascii: ",") }
    guard (1...20).contains(digits.count), digits.count < bytes.count, digits.first != UInt8(ascii: "0"),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return UInt64(String(decoding: digits, as: UTF8.self))
  }

  /// Returns the bytes of a new entry that its MAC covers, without the previous entry's MAC.
  static func body(_ sequence: UInt64, _ facts: AuditFacts) throws -> [UInt8] {
    let json = try WireCoding.encode(facts)
    return head + Array("\(sequence),".utf8) + json.dropFirst().dropLast()
  }

  static func line(_ body: [UInt8], _ mac: String) -> [UInt8] {
    body + middle + Array(mac.utf8) + tail + [UInt8(ascii: "\n")]
  }

  /// Returns the MAC of an entry that follows the entry with the MAC `previous`.
  static func mac(of body: [UInt8], after previous: String, _ key: ChainKey) -> String {
    key.mac(Array(previous.utf8) + body).hexadecimal
  }

  /// The decoded entry; nil if the line is not a JSON entry of the agent.
  var entry: AuditEntry? {
    try? WireCoding.decode(AuditEntry.self, from: Data(body + Self.tail.dropFirst()))
  }

  /// Splits a file into lines. `torn` is the number of bytes after the last newline: an incomplete
  /// line.
  static func split(_ bytes: [UInt8]) -> (lines: [ArraySlice<UInt8>], torn: Int) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let torn = lines.popLast()?.count ?? 0
    return (lines, torn)
  }
}
