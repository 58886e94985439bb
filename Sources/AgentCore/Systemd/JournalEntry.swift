import CSystemd
import Glibc

/// One entry of the journal, with fields of its own (systemd.journal-fields(7)).
public struct JournalEntry: Sendable {
  /// Longer than any value of ours; what is longer is foreign.
  private static let longestValue = 2000

  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// - Parameter priority: of syslog(3).
  public init(_ message: String, priority: Int32, identifier: String) {
    add("MESSAGE", message)
    add("PRIORITY", "\(priority)")
    add("SYSLOG_IDENTIFIER", identifier)
  }

  /// Adds a field. The name is made one that the journal takes: capitals, digits, underscores.
  public mutating func add(_ name: String, _ value: String) {
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): bytes.append(byte - 32)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): bytes.append(byte)
      default: bytes.append(UInt8(ascii: "_"))
      }
    }
    bytes.append(UInt8(ascii: "="))
    bytes += value.utf8.prefix(Self.longestValue)
    ends.append(bytes.count)
  }

  /// The fields as they are sent.
  var fields: [String] {
    zip([0] + ends, ends).map { String(decoding: bytes[$0..<$1], as: UTF8.self) }
  }

  /// Hands it to the journal (sd_journal_sendv(3)); false where that failed.
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
