import FoundationEssentials
import SystemSupport

/// An answer as it came over the wire, whole.
struct Answer: Sendable {
  let status: Int
  let headers: [(name: String, value: String)]
  let body: [UInt8]

  var isSuccess: Bool { (200...299).contains(status) }

  /// The first header of that name.
  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  /// The server's clock when it answered.
  var date: Date? { header("date").flatMap(HTTPDate.date) }

  /// Whether the body claims to be JSON, or claims nothing. A gateway's HTML never reaches a decoder.
  var mayBeJSON: Bool {
    guard let type = header("content-type") else { return true }
    return type.prefix { $0 != ";" }.lowercased().contains("json")
  }

  /// The body as a `Value`; nil if it is none. The decoder's own error is dropped: it quotes the text.
  func json<Value: Decodable>(_ type: Value.Type) -> Value? {
    guard mayBeJSON else { return nil }
    return try? JSONDecoder().decode(type, from: Data(body))
  }

  /// How long the server asks to wait (RFC 9110, section 10.2.3): seconds, or a date, which is measured by the server's
  /// own clock where the answer has it. At most a day: no answer may put a session to sleep for longer.
  func retryAfter(now: Date) -> Duration? {
    guard let text = header("retry-after") else { return nil }
    let day = 86400.0
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if isNumber { return .seconds(min(Double(text) ?? day, day)) }
    guard let moment = HTTPDate.date(text) else { return nil }
    return .seconds(min(max(moment.timeIntervalSince(date ?? now), 0), day))
  }
}
