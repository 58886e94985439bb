import AgentProtocol
import ArgumentParser
import Glibc

/// `reset`: signs out everywhere and removes the agent's files. After a crash, a second run removes
/// the rest.
struct ResetCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Sign out of all accounts and remove the agent's data.",
    discussion:
      "Ends the sessions on the servers and reports those that could not be ended, stops the agent, and removes the "
      + "vault, its key, the audit log, and the desktop's URL handler from the directories of XDG_STATE_HOME and "
      + "XDG_DATA_HOME. Keeps the configuration, unless --config is given, and spare keys that you stored elsewhere. "
      + "An anonymous user is lost with its session, so a reset then requires --yes."
  ).examples("ritualctl reset", "ritualctl reset --yes --config")
  static let documents = [JSONDocument(ResetAnswer.self)]

  @Flag(help: "Skip the confirmation prompt.") var yes = false
  @Flag(help: "Also remove the configuration.") var config = false
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let places = AgentPaths.ofThisProcess()
    // Everything that could prevent the reset is found before anything is changed.
    let installed = try InstalledState(places, withConfiguration: config)
    let revocation = try FinalSignOut(common, names: installed.accountNames)
    try ensureSameFolder(try places.state, revocation.stateFolder)
    try confirm(revocation, installed)
    let (signedOut, unrevoked) = revocation.signOut()
    try RunningAgent(pid: revocation.pid, stopsUnits: common.socket == nil && places.hasDefaultSocket).run()
    let lock = try HeldVaultLock(state: try places.state)
    let removed = try withExtendedLifetime(lock) { try installed.remove() }
    let kept = installed.keptConfiguration.map { [$0] } ?? []
    try output.answer(ResetAnswer(signedOut: signedOut, unrevoked: unrevoked, removed: removed, kept: kept))
    for session in unrevoked { output.warning(session.words) }
    for path in Set([revocation.keyFile, places.otherKeyFile].compactMap(\.self)).sorted() where access(path, F_OK) == 0
    {
      output.warning(
        "the key file \(path, limit: 4096) was kept, because it is not in XDG_DATA_HOME\n"
          + "  if no other vault needs it, run: rm \(Quoted.ifNeeded(path), limit: 4096)")
    }
    return .done
  }

  /// Checks that the agent uses this state directory. With another XDG_STATE_HOME, or with
  /// --state-dir, its files would be elsewhere.
  private func ensureSameFolder(_ own: String, _ agents: String?) throws {
    guard let agents, Self.real(agents) != Self.real(own) else { return }
    throw Failure(
      .failed,
      "the agent's vault is in \(agents, limit: 4096), but this command would remove "
        + "\(own, limit: 4096); nothing was changed",
      hint: "use the agent's XDG_STATE_HOME, XDG_DATA_HOME, and XDG_CONFIG_HOME, or stop the agent first")
  }

  private static func real(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  private func confirm(_ revocation: FinalSignOut, _ installed: InstalledState) throws {
    guard !yes else { return }
    if let account = revocation.anonymousAccounts.first {
      throw Failure(
        .usage, "account \(account) is anonymous: a reset loses its user for good",
        hint: "to reset anyway: ritualctl reset --yes")
    }
    let lines = [revocation.words] + installed.paths.map { "will remove \($0, limit: 4096)" }
    try ControllingTerminal.confirm(
      lines.joined(separator: "\n") + "\nThis cannot be undone. Continue?", final: "a reset",
      orElse: "ritualctl reset --yes")
  }
}

/// The result of a reset.
struct ResetAnswer: Answer {
  /// The accounts that were signed out.
  let signedOut: [String]
  /// The sessions that may still be active on their server.
  let unrevoked: [UnrevokedSession]
  /// The paths that were removed.
  let removed: [String]
  /// The paths that were kept: the configuration, without `--config`.
  let kept: [String]

  func text(_ style: Style) -> Words {
    let ended = signedOut.map { "\($0): signed out" as Words }
    let gone = removed.map { "removed \($0, limit: 4096)" as Words }
    let left = kept.map { "kept \($0, limit: 4096); to remove it: ritualctl reset --config" as Words }
    let lines = ended + gone + left
    return lines.isEmpty ? "nothing to remove" : lines.joined(separator: "\n")
  }
}
