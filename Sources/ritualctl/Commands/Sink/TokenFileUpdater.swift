import AgentClient
import AgentProtocol
import Glibc

/// Follows the agent's events, and writes or removes the file.
struct TokenFileUpdater {
  /// The change of the file that an event causes.
  enum Action: Equatable {
    case write(SessionToken.Result)
    case remove(String)
    /// The account has a usable token that the event lacks: only the agent can tell why.
    case ask
    /// The state has changed as a whole.
    case subscribe
  }

  /// Seconds until the next attempt to connect, doubled from the first to the last.
  private static let pauses = (first: 1, last: 30)
  /// Timeout of a call; longer than the agent waits for a refresh.
  private static let callTimeout = Duration.seconds(20)

  private var account: String
  private var file: TokenFile
  /// Returns the file for another default account; nil if the default account is not followed.
  var fileOfDefault: ((String) throws -> TokenFile)?
  private let signals: SignalListener
  private let common: CommonOptions
  private let output: Output
  private var expiresAt: Timestamp?
  /// True while all events but those about the default account are of `account`.
  private var followsOne = false
  /// True until the agent has answered: an error is then one of the command.
  private var isFirst = true
  /// Why there is no file; nil while there is one.
  private var reason: String?

  init(account: String, file: TokenFile, signals: SignalListener, common: CommonOptions, output: Output) {
    (self.account, self.file, self.signals, self.common, self.output) = (account, file, signals, common, output)
  }

  /// Returns the signal that ended the command. The file is removed then, and if an error is thrown.
  mutating func run(_ first: AgentConnection) throws -> Int32 {
    defer {
      file.remove()
      file.unlock()
    }
    var connection: AgentConnection? = first
    var pause = Self.pauses.first
    while true {
      do {
        if let live = try connection ?? (isFirst ? nil : common.connect()) {
          connection = nil
          pause = Self.pauses.first
          if let number = try follow(live) { return number }
          isFirst = false
          continue
        }
      } catch let error as AgentClientError {
        if isFirst { throw error }
        try removed("the agent is not reachable")
      } catch let error as AgentError {
        if isFirst { throw error }
        try removed(error.message)
      }
      isFirst = false
      if let number = signals.wait(.seconds(pause)) { return number }
      pause = min(pause * 2, Self.pauses.last)
    }
  }

  /// Follows one connection. Returns the signal that ended it, or nil to subscribe again.
  private mutating func follow(_ connection: AgentConnection) throws -> Int32? {
    if let name = try otherDefault(connection) { try change(to: name) }
    try subscribe(connection)
    // Events that preceded the subscription were missed.
    if try otherDefault(connection) != nil { return nil }
    while true {
      while let event = try connection.nextEvent(timeout: .zero) {
        // The account was renamed.
        if followsOne, event.type != .defaultChanged, let name = event.account { account = name }
        guard let action = action(for: event) else { continue }
        switch action {
        case .write(let token): try write(token)
        case .remove(let reason): try removed(reason)
        case .ask: try ask(connection)
        case .subscribe: return nil
        }
        isFirst = false
      }
      let left = expiresAt.map { Duration.seconds(max(0, $0.unixSeconds - Times.now.unixSeconds)) }
      if left == .zero { try removed("the token has expired") }
      if let number = signals.wait(left == .zero ? nil : left, or: connection.descriptor) { return number }
    }
  }

  /// Subscribes to the account. While the vault is locked, the unlock is awaited.
  private mutating func subscribe(_ connection: AgentConnection) throws {
    do {
      _ = try connection.subscribe(accounts: [account], tokens: true)
      followsOne = true
    } catch let error as AgentError where error.kind == .vaultLocked {
      _ = try connection.subscribe()
      followsOne = false
      try removed("the vault is locked")
      isFirst = false
    }
  }

  /// The default account, if it is followed and is another one.
  private func otherDefault(_ connection: AgentConnection) throws -> String? {
    guard fileOfDefault != nil else { return nil }
    let usual = try connection.call(AgentStatusMethod.self, .init(), timeout: Self.callTimeout).accounts.first(
      where: \.isDefault)
    return usual.flatMap { $0.name == account ? nil : $0.name }
  }

  /// Continues with another account, in the file that is named after it, if no other path was given.
  private mutating func change(to name: String) throws {
    try removed("the default account is \(name)")
    let next = try fileOfDefault?(name) ?? file
    if next !== file { file.unlock() }
    (account, file, reason) = (name, next, nil)
  }

  /// The meaning of an event; nil if it does not concern the file.
  func action(for event: AgentEvent) -> Action? {
    if event.type == .vaultLocked { return .remove("the vault is locked") }
    if event.type == .vaultUnlocked || event.type == .resync { return .subscribe }
    guard event.account == account else {
      return event.type == .defaultChanged && fileOfDefault != nil ? .subscribe : nil
    }
    if let token = event.token { return .write(token) }
    if event.type == .signedOut { return .remove(event.reason ?? "the account is signed out") }
    guard let status = event.status else { return nil }
    switch status.state {
    case .authenticated, .degraded: return status.tokenUsable ? .ask : nil
    case .locked: return .remove("the vault is locked")
    default: return .remove("account \(account) needs a sign-in: ritualctl sign-in --account \(account)")
    }
  }

  /// Asks for the token as a program would, because the rules may refuse it in events.
  private mutating func ask(_ connection: AgentConnection) throws {
    let params = SessionToken.Params(account: account, reason: "ritualctl sink")
    do {
      try write(connection.call(SessionToken.self, params, timeout: Self.callTimeout))
    } catch let error as AgentError where !isFirst {
      try removed(error.message)
    }
  }

  private mutating func write(_ token: SessionToken.Result) throws {
    try TokenFormat.check(token.accessToken)
    try file.write(token.accessToken)
    (expiresAt, reason) = (token.expiresAt, nil)
    try output.stream(
      TokenFileAnswer(account: account, path: file.path, isWritten: true, expiresAt: token.expiresAt))
  }

  private mutating func removed(_ why: String) throws {
    file.remove()
    expiresAt = nil
    guard reason != why else { return }
    reason = why
    try output.stream(TokenFileAnswer(account: account, path: file.path, isWritten: false, reason: why))
  }
}
