import SystemSupport

/// A random generator that depends on its seed alone: SplitMix64 (Steele, Lea, Flood, "Fast
/// Splittable Pseudorandom Number Generators", 2014).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Returns a duration between the bounds, evenly distributed by its logarithm: short ones are as
  /// likely as long ones.
  mutating func duration(from least: Duration, to most: Duration) -> Duration {
    let (low, high) = (least.nanoseconds, most.nanoseconds)
    var span = 0
    while low << (span + 1) < high { span += 1 }
    let base = low << below(span + 1)
    return .nanoseconds(min(high, base + Int64(next() % UInt64(base))))
  }

  static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number for a place in a history, independent of earlier calls: two requests that
  /// begin at one instant may come in either order.
  static func hashed(_ seed: UInt64, _ parts: UInt64...) -> UInt64 {
    parts.reduce(mixed(seed)) { mixed(($0 &+ 0x9E37_79B9_7F4A_7C15) ^ mixed($1)) }
  }
}
