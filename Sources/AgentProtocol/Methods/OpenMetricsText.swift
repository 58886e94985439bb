/// Families as OpenMetrics text (OpenMetrics 1.0, "Text format"): what `ritualctl metrics` prints, and a collector reads.
public enum OpenMetricsText {
  /// The whole exposition, `# EOF` included.
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

  /// Sorted, but for `le`, which is last as its readers expect.
  private static func labels(_ labels: [String: String]) -> String {
    guard !labels.isEmpty else { return "" }
    let names = labels.keys.sorted { ($0 == "le" ? 1 : 0, $0) < ($1 == "le" ? 1 : 0, $1) }
    return "{" + names.map { "\($0)=\"\(escaped(labels[$0] ?? ""))\"" }.joined(separator: ",") + "}"
  }

  /// Harmless (PR-6), then with `\`, `"` and the line's end escaped as the format asks.
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
    // Whole numbers without fraction, as far as they are exact.
    if value == value.rounded(), abs(value) < 9e15 { return String(Int64(value)) }
    return String(value)
  }
}
