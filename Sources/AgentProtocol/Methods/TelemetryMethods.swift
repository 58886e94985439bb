/// `telemetry.snapshot`: returns the agent's counters since its start. They stay on this machine
/// and contain no personal data: no account names, addresses or ids.
public enum TelemetrySnapshot: AgentMethod {
  public static let name = "telemetry.snapshot"
  public static let notes = MethodNotes("Returns metrics since the agent started. No personal data.")
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// The counters, as metric families of OpenMetrics.
    public var families: [MetricFamily]
    /// The last events, oldest first.
    public var events: [TelemetryRecord]

    public init(families: [MetricFamily], events: [TelemetryRecord]) {
      self.families = families
      self.events = events
    }
  }
}

/// One event, such as `auth_completed` with `duration_ms`.
public struct TelemetryRecord: Codable, Sendable, Hashable {
  /// When the event happened.
  public var at: Timestamp
  /// The event's name.
  public var event: String
  /// Values of `method`, `reason`, `error_type` or `duration_ms`: numbers or members of a fixed
  /// set.
  public var properties: [String: String]

  public init(at: Timestamp, event: String, properties: [String: String]) {
    self.at = at
    self.event = event
    self.properties = properties
  }
}

/// A metric family of OpenMetrics 1.0, section "MetricFamily".
public struct MetricFamily: Codable, Sendable, Hashable {
  /// A sample of a family: one value with its labels.
  public struct Sample: Codable, Sendable, Hashable {
    /// The suffix of the metric name: `_total`, `_bucket`, `_count`, `_sum`, `_info` or empty.
    public var suffix: String
    /// The labels of the sample, by name.
    public var labels: [String: String]
    /// The value of the sample.
    public var value: Double

    public init(_ suffix: String = "", _ labels: [String: String] = [:], _ value: Double) {
      self.suffix = suffix
      self.labels = labels
      self.value = value
    }
  }

  /// The name of the family.
  public var name: String
  /// `counter`, `gauge`, `histogram`, `info` or `stateset`.
  public var type: String
  /// The unit, which is the last part of the name; absent if there is none.
  public var unit: String?
  /// A readable description of the family.
  public var help: String
  /// The samples of the family.
  public var samples: [Sample]

  public init(_ name: String, type: String, unit: String? = nil, help: String, samples: [Sample]) {
    self.name = name
    self.type = type
    self.unit = unit
    self.help = help
    self.samples = samples
  }
}

/// Metric families as OpenMetrics text (OpenMetrics 1.0, "Text format"), for `ritualctl metrics`
/// and for collectors.
public enum OpenMetricsText {
  /// Returns the complete exposition, including `# EOF`.
  public static func text(_ families: [MetricFamily]) -> String {
    families.map(text).joined() + "# EOF\n"
  }

  private static func text(_ family: MetricFamily) -> String {
    var lines = ["# TYPE \(family.name) \(family.type)"]
    if let unit = family.unit { lines.append("# UNIT \(family.name) \(unit)") }
    lines.append("# HELP \(family.name) \(escaped(family.help))")
    lines += family.samples.map { family.name + $0.suffix + labels($0.labels) + " " + number($0.value) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Labels in sorted order, except that `le` comes last, as parsers expect.
  private static func labels(_ labels: [String: String]) -> String {
    guard !labels.isEmpty else { return "" }
    let names = labels.keys.sorted { ($0 == "le" ? 1 : 0, $0) < ($1 == "le" ? 1 : 0, $1) }
    return "{" + names.map { "\($0)=\"\(escaped(labels[$0] ?? ""))\"" }.joined(separator: ",") + "}"
  }

  /// Escapes unprintable characters, then `\`, `"` and newlines as the format requires.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in ForeignText.shown(text).unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func number(_ value: Double) -> String {
    if value == .infinity { return "+Inf" }
    // Integers are written without a fraction while `Double` is exact.
    if value == value.rounded(), abs(value) < 9e15 { return String(Int64(value)) }
    return String(value)
  }
}
