import CSystemd
import Glibc

/// An entry of the journal, with its own fields (systemd.journal-fields(7)).
public struct JournalEntry: Sendable {
  /// Maximum bytes of a value: more than the agent's own values need.
  private static let maxValueBytes = 2000

  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// An entry with the standard fields.
  ///
  /// - Parameter priority: a priority of syslog(3).
  public init(_ message: String, priority: Int32, identifier: String) {
    add("MESSAGE", message)
    add("PRIORITY", "\(priority)")
    add("SYSLOG_IDENTIFIER", identifier)
  }

  /// Adds a field. The name is converted to what the journal accepts: capitals, digits,
  /// underscores.
  public mutating func add(_ name: String, _ value: String) {
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): bytes.append(byte - 32)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): bytes.append(byte)
      default: bytes.append(UInt8(ascii: "_"))
      }
    }
    bytes.append(UInt8(ascii: "="))
    bytes += value.utf8.prefix(Self.maxValueBytes)
    ends.append(bytes.count)
  }

  /// The fields as they are sent.
  var fields: [String] {
    zip([0] + ends, ends).map { String(decoding: bytes[$0..<$1], as: UTF8.self) }
  }

  /// Sends the entry to the journal (sd_journal_sendv(3)). Returns false on failure.
  public func send() -> Bool {
    var bytes = bytes
    return bytes.withUnsafeMutableBytes { buffer in
      var begin = 0
      var fields: [iovec] = []
      for end in ends {
        fields.append(iovec(iov_base: buffer.baseAddress.map { $0 + begin }, iov_len: end - begin))
        begin = end
      }
      return sd_journal_sendv(fields, Int32(fields.count)) == 0
    }
  }
}
