import AgentClient
import AgentProtocol
import Glibc

/// Waits for a flow's end while the person may paste the address that the browser ended on into this very terminal.
struct PastedAddress {
  let connection: AgentConnection
  let output: Output

  /// How the flow ended: by a paste here, or elsewhere.
  func result(of wait: StartedRequest<SignInWait>) throws -> SignInResult {
    var readsTerminal = true
    while true {
      if let result = try connection.answer(to: wait, within: .zero) { return result }
      guard awaitInput(readsTerminal) else { continue }
      guard let line = try Streams.readLine(from: STDIN_FILENO, limit: CallbackAddress.limit) else {
        readsTerminal = false
        continue
      }
      guard let address = try? CallbackAddress.checked(line) else { continue }
      if let result = try handIn(address, wait) { return result }
    }
  }

  /// What the address led to; nil where it was the wrong one and the flow goes on.
  private func handIn(_ address: String, _ wait: StartedRequest<SignInWait>) throws -> SignInResult? {
    do {
      return try connection.call(SignInComplete.self, SignInComplete.Params(callback: address))
    } catch let error as AgentError {
      // Where this ended the flow, the waiting request hears of it at once, and says it better.
      if let result = try connection.answer(to: wait, within: .milliseconds(200)) { return result }
      output.failure(Failure(error))
      return nil
    }
  }

  /// Sleeps until the terminal or the agent has something; whether it is the terminal.
  private func awaitInput(_ readsTerminal: Bool) -> Bool {
    // poll(2) passes over negative descriptors.
    var entries = [
      pollfd(fd: readsTerminal ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    return poll(&entries, nfds_t(entries.count), -1) > 0 && entries[0].revents != 0
  }
}
