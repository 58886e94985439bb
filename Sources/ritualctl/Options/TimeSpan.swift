import AgentProtocol
import ArgumentParser

/// A span of time on the command line: a number with `s`, `m`, `h` or `d`, such as `90s`, `30m` or
/// `12h`; seconds without a unit.
struct TimeSpan: ExpressibleByArgument, Equatable {
  let seconds: Int

  private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

  init?(argument: String) {
    let unit = argument.last.flatMap { Self.units[$0] }
    let digits = unit == nil ? argument[...] : argument.dropLast()
    // `Int` also takes a sign.
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits) else {
      return nil
    }
    let (seconds, isTooLong) = number.multipliedReportingOverflow(by: unit ?? 1)
    guard !isTooLong else { return nil }
    self.seconds = seconds
  }
}
