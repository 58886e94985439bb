/// The events of one simulation. Times are in seconds from the start of the
/// simulation.
struct Scenario: Sendable {
  /// The server's response to a refresh during an outage.
  enum Fault: Sendable {
    /// No response; the server does not get the request.
    case unreachable
    /// A gateway answers 404, so that the agent takes the configuration for wrong.
    case notFound
    /// The server rotates the token, and its response is lost.
    case responseLost
  }

  struct Outage: Sendable {
    let during: Range<Double>
    let fault: Fault
  }

  /// A machine sleeps from a random time in `begins` to a random time in `ends`, which are most
  /// frequent in the middle of `ends`.
  struct Night: Sendable {
    let begins: ClosedRange<Double>
    let ends: ClosedRange<Double>
  }

  let name: String
  /// Where the measurement begins: the end of the outage, or the event itself. The load is measured
  /// for an hour, and then for two more, in which the refreshes of the first hour repeat.
  let start: Double
  var outage: Outage?
  var night: Night?
  /// When every machine's clock is set.
  var clockSet: Double?

  var end: Double { start + 3 * hour }
}

let minute = 60.0
let hour = 3600.0

extension Scenario {
  static let all = [
    Scenario(name: "steady", start: hour),
    outage("outage-5m", 5 * minute), outage("outage-30m", 30 * minute), outage("outage-1h", hour),
    outage("outage-6h", 6 * hour), outage("outage-1d", 24 * hour),
    outage("outage-1h-404", hour, .notFound), outage("outage-1h-responses-lost", hour, .responseLost),
    // From the evening to nine o'clock, give or take ten minutes.
    resume("resume", spread: 10 * minute), resume("resume-in-1m", spread: 0.5 * minute),
    Scenario(name: "clock-set", start: hour, clockSet: hour),
    Scenario(
      name: "clock-set-in-outage", start: 2 * hour, outage: Outage(during: hour..<2 * hour, fault: .unreachable),
      clockSet: 1.5 * hour),
  ]

  private static func outage(_ name: String, _ length: Double, _ fault: Fault = .unreachable) -> Scenario {
    Scenario(name: name, start: hour + length, outage: Outage(during: hour..<hour + length, fault: fault))
  }

  private static func resume(_ name: String, spread: Double) -> Scenario {
    let nine = 16 * hour
    return Scenario(
      name: name, start: nine - spread, night: Night(begins: hour...2 * hour, ends: nine - spread...nine + spread))
  }
}
