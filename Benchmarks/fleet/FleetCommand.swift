import ArgumentParser

/// Simulates a fleet of agents and prints one line of JSON for each scenario.
@main
struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract: "Simulates many agents with the agent's own refresh policy, in virtual time.",
    discussion: """
      Prints a line of JSON for each scenario, with rates in requests per second: `mean` and `peak` of the hour \
      after the event, `ratio` of the two, `laterPeak` of the two hours after that, `failedPeak` of the requests \
      during an outage, `wakePeak` of the machines that wake up, `lost` sessions, and `secondsUntilFresh`, after which 99 % of all tokens are usable.
      """)

  @Option(help: "The number of agents.") var agents = 1_000_000
  @Option(help: "The seed of the random numbers.") var seed: UInt64 = 1
  @Option(help: "The length of a bin of the load, in seconds.") var bin = 1
  @Flag(help: "Simulate agents that do not store new refresh tokens, which must lose sessions.") var forgetful = false
  @Flag(help: "Also print the load of the three hours in bins of ten seconds, as `load`.") var curve = false
  @Argument(help: "The scenarios: \(Scenario.all.map(\.name).joined(separator: ", ")). All by default.")
  var scenarios: [String] = []

  func validate() throws {
    guard agents > 0, bin > 0 else { throw ValidationError("--agents and --bin must be positive") }
    for name in scenarios where !Scenario.all.contains(where: { $0.name == name }) {
      throw ValidationError("no scenario is called \(name)")
    }
  }

  func run() {
    for scenario in Scenario.all where scenarios.isEmpty || scenarios.contains(scenario.name) {
      var fleet = Fleet(scenario, seed: seed, areForgetful: forgetful)
      fleet.run(agents: agents)
      print(line(fleet, scenario))
    }
  }

  private func line(_ fleet: Fleet, _ scenario: Scenario) -> String {
    let rates = fleet.rates(fleet.load, from: scenario.start, length: hour, bin: bin)
    let mean = rates.reduce(0, +) / Double(rates.count)
    let peak = rates.max() ?? 0
    let later = fleet.rates(fleet.load, from: scenario.start + hour, length: 2 * hour, bin: bin).max() ?? 0
    let failed = fleet.rates(fleet.failed, from: 0, length: scenario.end, bin: bin).max() ?? 0
    let wakes = fleet.rates(fleet.wakes, from: 0, length: scenario.end, bin: bin).max() ?? 0
    var members = [
      #""scenario":"\#(scenario.name)""#, #""agents":\#(agents)"#, #""mean":\#(rounded(mean))"#,
      #""peak":\#(rounded(peak))"#, #""ratio":\#(rounded(peak / mean))"#, #""laterPeak":\#(rounded(later))"#,
      #""failedPeak":\#(rounded(failed))"#, #""wakePeak":\#(rounded(wakes))"#, #""lost":\#(fleet.lost)"#,
      #""secondsUntilFresh":\#(fleet.secondsUntilFresh)"#,
    ]
    if curve {
      let load = fleet.rates(fleet.load, from: scenario.start, length: 3 * hour, bin: 10)
      members.append(#""load":[\#(load.map { "\($0)" }.joined(separator: ","))]"#)
    }
    return "{\(members.joined(separator: ","))}"
  }

  private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
