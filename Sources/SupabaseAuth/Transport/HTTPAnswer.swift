import FoundationEssentials
import SystemSupport

/// A complete HTTP response.
struct HTTPAnswer: Sendable {
  let status: Int
  let headers: [(name: String, value: String)]
  let body: [UInt8]

  var isSuccess: Bool { (200...299).contains(status) }

  /// Returns the value of the first header with this name.
  /// - Parameter name: the name in lower case.
  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  /// The server's clock at the time of the response.
  var date: Date? { header("date").flatMap(HTTPDate.date) }

  /// True if the body is declared as JSON, or not declared. A gateway's HTML never reaches a
  /// decoder.
  var mayBeJSON: Bool {
    guard let type = header("content-type") else { return true }
    return type.prefix { $0 != ";" }.lowercased().contains("json")
  }

  /// Returns the body as a `Value`, or nil if it cannot be decoded. The decoder's error is dropped
  /// because it quotes the text.
  func json<Value: Decodable>(_ type: Value.Type) -> Value? {
    guard mayBeJSON else { return nil }
    return try? JSONDecoder().decode(type, from: Data(body))
  }

  /// Returns the wait that the server asks for (RFC 9110, section 10.2.3), given in seconds or as a
  /// date. A date is compared with the server's own clock if the response has one. At most one day,
  /// so that no response can suspend a session for longer.
  func retryAfter(now: Date) -> Duration? {
    guard let text = header("retry-after") else { return nil }
    let day = 86400.0
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if isNumber { return .seconds(min(Double(text) ?? day, day)) }
    guard let moment = HTTPDate.date(text) else { return nil }
    return .seconds(min(max(moment.timeIntervalSince(date ?? now), 0), day))
  }
}
