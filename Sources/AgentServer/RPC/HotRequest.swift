import AgentProtocol

/// A `session.token` request in its common form: its params have no duplicate or unknown member, no
/// escape in a string and no fraction in a number. Any other request is nil here and takes the
/// general path, which gives the same answer.
struct HotRequest {
  /// Range of the id in the frame.
  let id: Range<Int>
  private(set) var account: String?
  /// The caller's directory, in its resolved form.
  private(set) var directory: String?
  private(set) var endpoints = false
  private(set) var minTTL: Double?
  private(set) var rejected: String?

  init?(_ bytes: Span<UInt8>) {
    var reader = JSONReader()
    guard bytes.isUTF8, let outline = try? RequestOutline(&reader, bytes, depth: 0), reader.peek(bytes) == nil,
      let version = outline.version, bytes.holds("\"2.0\"", at: version),
      let method = outline.method, bytes.holds("\"session.token\"", at: method),
      let id = outline.id, bytes.isID(id)
    else { return nil }
    self.id = id
    if let params = outline.params {
      guard readParams(at: params.lowerBound, bytes) else { return nil }
    }
  }

  private mutating func readParams(at start: Int, _ bytes: Span<UInt8>) -> Bool {
    var reader = JSONReader(at: start)
    var seen = Seen()
    guard reader.take(UInt8(ascii: "{"), bytes) else { return false }
    if reader.take(UInt8(ascii: "}"), bytes) { return true }
    repeat {
      // The grammar is already checked, so a failure here only means an uncommon form.
      guard let name = try? reader.string(bytes), reader.take(UInt8(ascii: ":"), bytes),
        let value = try? reader.value(bytes, depth: 1), readParam(name, value, bytes, &seen)
      else { return false }
    } while reader.take(UInt8(ascii: ","), bytes)
    return true
  }

  private mutating func readParam(
    _ name: Range<Int>, _ value: Range<Int>, _ bytes: Span<UInt8>, _ seen: inout Seen
  ) -> Bool {
    if bytes.holds("account", at: name) {
      account = bytes.plainString(value)
      return account != nil && seen.first(.account)
    }
    if bytes.holds("directory", at: name) {
      directory = bytes.plainString(value)
      return directory.map(DirectoryAccount.isResolved) == true && seen.first(.directory)
    }
    if bytes.holds("endpoints", at: name) {
      endpoints = bytes.holds("true", at: value)
      return endpoints && seen.first(.endpoints)
    }
    if bytes.holds("minTTL", at: name) {
      minTTL = bytes.plainNumber(value)
      return minTTL != nil && seen.first(.minTTL)
    }
    if bytes.holds("rejected", at: name) {
      rejected = bytes.plainString(value)
      return rejected.map(SessionToken.isFingerprint) == true && seen.first(.rejected)
    }
    if bytes.holds("reason", at: name) { return bytes.isPlainString(value) && seen.first(.reason) }
    return false
  }

  /// Members that were already read, to detect duplicates.
  private struct Seen: OptionSet {
    var rawValue: UInt8 = 0
    static let account = Seen(rawValue: 1)
    static let minTTL = Seen(rawValue: 2)
    static let rejected = Seen(rawValue: 4)
    static let reason = Seen(rawValue: 8)
    static let directory = Seen(rawValue: 16)
    static let endpoints = Seen(rawValue: 32)

    mutating func first(_ member: Seen) -> Bool { insert(member).inserted }
  }
}

extension Span<UInt8> {
  fileprivate func isPlainString(_ value: Range<Int>) -> Bool {
    self[value.lowerBound] == UInt8(ascii: "\"") && !hasEscape(value)
  }

  fileprivate func plainString(_ value: Range<Int>) -> String? {
    guard isPlainString(value) else { return nil }
    return text((value.lowerBound + 1)..<(value.upperBound - 1))
  }

  /// The value of at most nine digits, which a Double represents exactly; nil for any other form.
  fileprivate func plainNumber(_ value: Range<Int>) -> Double? {
    guard value.count <= 9 else { return nil }
    var number = 0
    for index in value {
      guard self[index].isDigit else { return nil }
      number = number * 10 + Int(self[index] - UInt8(ascii: "0"))
    }
    return Double(number)
  }
}
