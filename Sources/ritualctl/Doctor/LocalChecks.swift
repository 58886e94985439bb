import AgentClient
import AgentProtocol

/// The checks of `doctor`, in the order of a person's questions: does it run, is it mine alone, does it work.
struct LocalChecks {
  /// `--socket`
  let socket: String?

  /// The agent's own checks end within 10 s.
  private static let patience = Duration.seconds(20)

  func all() throws -> [DiagnosticCheck] {
    let places = Places.ofThisProcess()
    let connected = connect()
    let (agent, diagnosis) = ask(connected)
    return try agent + PermissionChecks(places, socket: try socket ?? places.socket).checks()
      + [UnitCheck(isReachable: (try? connected.get()) != nil).check()]
      + (diagnosis?.checks ?? [])
      + HandlerCheck(redirect: diagnosis?.redirect, schemes: diagnosis?.schemes ?? []).checks() + [SwapCheck().check()]
  }

  private func connect() -> Result<AgentConnection, any Error> {
    Result {
      let limit = CommonOptions.connectTimeout
      return try socket.map { try AgentConnection(to: $0, timeout: limit) } ?? AgentConnection(timeout: limit)
    }
  }

  /// What the socket says, and what the agent finds.
  private func ask(_ connected: Result<AgentConnection, any Error>) -> ([DiagnosticCheck], AgentDiagnose.Result?) {
    var checks: [DiagnosticCheck] = []
    do {
      let connection = try connected.get()
      let hello = try connection.call(
        AgentHello.self, AgentHello.Params(client: "ritualctl doctor \(AgentVersion.current)"), timeout: Self.patience)
      checks.append(Self.answered(hello))
      checks += AccountChecks.checks(of: connection, timeout: Self.patience)
      return (checks, try connection.call(AgentDiagnose.self, timeout: Self.patience))
    } catch {
      let failure = FailedUnits.explained(Failure(error), socket: socket)
      let name = checks.isEmpty ? "socket" : "agent"
      checks.append(
        DiagnosticCheck(
          name, failure.retryable && name == "agent" ? .warn : .fail,
          "\(failure.message); what only the agent can check is left out", next: failure.hints.first))
      return (checks, nil)
    }
  }

  private static func answered(_ hello: AgentHello.Result) -> DiagnosticCheck {
    guard hello.version != AgentVersion.current else {
      return DiagnosticCheck("socket", .ok, "agent \(hello.version) answers")
    }
    return DiagnosticCheck(
      "socket", .warn, "agent \(hello.version) answers, and this is ritualctl \(AgentVersion.current)",
      next: ServiceManager.restartAgent)
  }
}
