package import AgentProtocol
import SystemSupport

/// What `telemetry.snapshot` shows of the agent as it is now, beside what was counted.
package enum AgentMetrics {
  package static func families(_ status: AgentStatusMethod.Result, served: [HandOutWay: UInt64]) -> [MetricFamily] {
    [
      MetricFamily(
        "ritual_build", type: "info", help: "The agent's version.",
        samples: [.init("_info", ["version": status.version], 1)]),
      MetricFamily(
        "ritual_uptime_seconds", type: "gauge", unit: "seconds", help: "How long the agent has been running.",
        samples: [.init("", [:], Double(status.uptime))]),
      stateSet("ritual_vault_state", "Whether the vault is open.", vaultStates, status.vault.state),
      MetricFamily(
        "ritual_accounts", type: "gauge", help: "Accounts, by state.",
        samples: AccountState.known.map { state in
          .init("", ["state": state.rawValue], Double(status.accounts.count { $0.state == state }))
        }),
      MetricFamily(
        "ritual_tokens_served", type: "counter",
        help: "Access tokens that were handed out or used, by the way they went.",
        samples: HandOutWay.allCases.map { .init("_total", ["way": $0.rawValue], Double(served[$0] ?? 0)) }),
    ]
  }

  private static let vaultStates = ["open", "copied", "locked", "unavailable"]

  private static func stateSet(_ name: String, _ help: String, _ states: [String], _ state: String) -> MetricFamily {
    MetricFamily(
      name, type: "stateset", help: help, samples: states.map { .init("", [name: $0], $0 == state ? 1 : 0) })
  }
}
