/// The progress of a refresh at the time of a kill.
enum CrashStage: String, CaseIterable, Sendable {
  case unsent = "before the server's commit"
  case lost = "committed there, not stored here"
  case stored = "stored, not answered"
  case answered = "answered"
  case again = "while it made up for another kill"
}

/// The statistics of a run.
struct CrashTally: Sendable, CustomStringConvertible {
  private(set) var stages: [CrashStage: Int] = [:]
  private(set) var calls: [String: Int] = [:]
  private(set) var unfired = 0

  var kills: Int { stages.values.reduce(0, +) }

  /// The milestones at which the agent has not been killed yet.
  var missed: [String] { SystemCall.milestones.filter { calls[$0] == nil } }

  mutating func note(_ stage: CrashStage) { stages[stage, default: 0] += 1 }

  mutating func note(call: String) { calls[call, default: 0] += 1 }

  mutating func noteUnfired() { unfired += 1 }

  var description: String {
    let stages = CrashStage.allCases.map { "\($0.rawValue): \(self.stages[$0, default: 0])" }
    let calls = self.calls.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return "\(kills) kills (\(stages.joined(separator: ", "))), \(unfired) rounds without one"
      + (calls.isEmpty ? "" : "; at \(calls.joined(separator: ", "))")
  }
}
