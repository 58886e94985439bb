/// The events of a history, line by line, and a checksum. The checksum does not depend on the order
/// of the lines, because events of one instant may come in either order.
struct Trace: Sendable {
  private(set) var lines: [String] = []
  private(set) var sum: UInt64 = 0

  mutating func add(_ line: String, at elapsed: Int64) {
    let (seconds, rest) = elapsed.quotientAndRemainder(dividingBy: 1_000_000_000)
    let whole = "\(seconds).\(rest / 1_000_000) \(line)"
    lines.append(whole)
    let bytes = whole.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    sum &+= SeededRandom.mixed(bytes)
  }
}
