import Testing

@testable import AgentClient

/// The next steps if no agent listens, for each kind of machine.
@Suite struct StartAdviceTests {
  private static let enable = "systemctl --user enable --now ritual-agent.socket"
  private static let notInstalled = "ritual-agentd is not installed: install the package ritual-agent"

  @Test(
    "the first step fits the machine, the units and the source of the socket's path",
    arguments: [
      (.standard, .none, "ritual-agentd &"),
      (.standard, .system, "loginctl enable-linger"),
      (.standard, .user(.unknown), enable),
      (.standard, .user(.inactive), enable),
      (.standard, .user(.unread), "systemctl --user daemon-reload && " + enable),
      (
        .standard, .user(.failed),
        "systemctl --user reset-failed 'ritual-agent*'; "
          + "systemctl --user start ritual-agent.socket"
      ),
      (.standard, .user(.active), "systemctl --user restart ritual-agent.socket ritual-agent.service"),
      (.standard, .user(.missing), "ritual-agentd &"),
      (.named("/a/s"), .user(.inactive), "ritual-agentd --socket /a/s"),
      (.named("/a/s"), .none, "ritual-agentd --socket /a/s"),
      (.variable("/a/s"), .user(.failed), "ritual-agentd --socket /a/s"),
    ] as [(StartAdvice.Socket, StartAdvice.Manager, String)])
  func firstStep(socket: StartAdvice.Socket, manager: StartAdvice.Manager, step: String) {
    #expect(StartAdvice(socket: socket, manager: manager).hints.first == step)
  }

  @Test(
    "without ritual-agentd, every step that would start it asks to install it",
    arguments: [
      (.standard, .none), (.standard, .user(.missing)), (.named("/a/s"), .system), (.variable("/a/s"), .none),
    ] as [(StartAdvice.Socket, StartAdvice.Manager)])
  func isNotInstalled(socket: StartAdvice.Socket, manager: StartAdvice.Manager) {
    #expect(StartAdvice(socket: socket, manager: manager, program: nil).hints.first == Self.notInstalled)
  }

  @Test("root by sudo has no agent of its own, so nothing is proposed to start one")
  func isRoot() {
    for manager in [StartAdvice.Manager.none, .system, .user(.inactive)] {
      let hints = StartAdvice(socket: .standard, manager: manager, isBySudo: true).hints
      #expect(hints.first == "run the command without sudo" && !hints.joined().contains("linger"), "\(hints)")
    }
    #expect(
      StartAdvice(socket: .named("/a/s"), manager: .none, isBySudo: true).hints == ["ritual-agentd --socket /a/s"])
  }

  @Test("the path of a program outside of PATH is part of the command, and the variable is named")
  func namesPathAndVariable() {
    #expect(
      StartAdvice(socket: .variable("/a/s"), manager: .none, program: "/opt/ritual-agentd").hints
        == ["/opt/ritual-agentd --socket /a/s", "RITUAL_AGENT_SOCKET is set to this path"])
    // systemd knows the program of its own units.
    #expect(StartAdvice(socket: .standard, manager: .user(.inactive), program: nil).hints == [Self.enable])
  }
}
