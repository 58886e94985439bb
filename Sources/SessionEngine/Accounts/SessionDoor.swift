package import AgentProtocol

/// Whether the accounts' sessions are in memory.
package enum SessionDoor: Sendable {
  case open
  /// A lock is under way: what was sent is completed, nothing begins, no token is issued.
  case closing
  /// They are not in memory. Requests get `refusal` if there is one, else `vaultLocked`.
  case locked(KnownAccounts, refusal: AgentError?)

  package var isOpen: Bool { if case .open = self { true } else { false } }
  package var isLocked: Bool { if case .locked = self { true } else { false } }
}
