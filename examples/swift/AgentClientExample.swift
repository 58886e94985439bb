import AgentClient
import AgentProtocol
import FoundationEssentials
import Glibc

/// A client of Ritual Agent that uses the library product `AgentClient`:
///
///     agent-client-example token [ACCOUNT] | status | events
///
/// API requests need no token in your program: send HTTP to `egress.sock` (docs/egress.md).
/// In your own package: `.product(name: "AgentClient", package: "ritual-agent")`.
@main struct AgentClientExample {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch let error as AgentError {
      // The agent refused the request: programs read `kind`, people read the message and the hint.
      fail("\(error.message) \(error.data.hint ?? "")")
    } catch let error as AgentClientError {
      // No answer: the agent is not running, for example, belongs to another user, or a sandbox forbids its
      // socket (`.forbidden`).
      fail("\(error) \(error.hint ?? "")")
    } catch {
      fail("\(error)")
    }
  }

  private static func run(_ arguments: [String]) throws {
    let agent = try AgentConnection()
    _ = try agent.call(AgentHello.self, AgentHello.Params(client: "agent-client-example 1"))
    switch arguments.first ?? "status" {
    case "token":
      let account = arguments.dropFirst().first
      print(try agent.call(SessionToken.self, SessionToken.Params(account: account)).accessToken)
    case "status":
      for account in try agent.call(SessionList.self).accounts { print("\(account.name): \(account.state.rawValue)") }
    case "events":
      _ = try agent.subscribe()
      try agent.forEachEvent { event in
        write("\(event.at) \(event.type.rawValue) \(event.account ?? "")\n", to: STDOUT_FILENO)
        return true
      }
    default: fail("usage: agent-client-example token [ACCOUNT] | status | events")
    }
  }

  private static func fail(_ words: String) -> Never {
    write(words + "\n", to: STDERR_FILENO)
    exit(1)
  }

  /// Writes without the buffer of `print`, so that a reader of a pipe gets each event immediately.
  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }
}
