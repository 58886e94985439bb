import Testing

@testable import AgentProtocol

/// OpenMetrics 1.0, "Text format".
@Suite struct OpenMetricsTests {
  @Test("the exposition is exact, byte for byte")
  func wholeText() {
    let families = [
      MetricFamily(
        "a_b", type: "counter", help: "Help \\ \"quoted\".",
        samples: [.init("_total", ["method": "x"], 3), .init("_total", ["le": "1.0", "z": "q\"\\"], 0.5)]),
      MetricFamily("c_seconds", type: "gauge", unit: "seconds", help: "C.", samples: [.init("", [:], 12)]),
      MetricFamily("d", type: "counter", help: "Nothing yet.", samples: []),
    ]
    #expect(
      OpenMetricsText.text(families) == """
        # TYPE a_b counter
        # HELP a_b Help \\\\ \\"quoted\\".
        a_b_total{method="x"} 3
        a_b_total{z="q\\"\\\\",le="1.0"} 0.5
        # TYPE c_seconds gauge
        # UNIT c_seconds seconds
        # HELP c_seconds C.
        c_seconds 12
        # TYPE d counter
        # HELP d Nothing yet.
        # EOF

        """)
  }

  @Test("PR-6: a label value is escaped, bounded and on one line")
  func escapesValues() {
    #expect(OpenMetricsText.escaped("a\nb\u{202E}") == "a\\\\u{a}b\\\\u{202e}")
    #expect(OpenMetricsText.escaped(String(repeating: "x", count: 500)).count == ForeignText.limit + 1)
  }

  @Test(arguments: [(0.0, "0"), (1.5, "1.5"), (-2, "-2"), (1e18, "1e+18"), (.infinity, "+Inf")])
  func writesNumbers(_ value: Double, _ text: String) { #expect(OpenMetricsText.number(value) == text) }
}
