import AgentProtocol
import FoundationEssentials
import Logging
import NIOCore

/// The answer to one request, and what goes on after it was sent.
struct Answered: Sendable {
  /// nil for a notification.
  let message: ByteBuffer?
  let afterwards: [MethodTable.Afterwards]
}

/// Runs requests by the method table and makes their answers.
struct Dispatcher: Sendable {
  let methods: MethodTable
  let logger: Logger

  /// Answers one element of a frame.
  func answer(_ incoming: Incoming, _ call: Call) async -> Answered {
    switch incoming {
    case .refused(let id, let error):
      return Answered(message: id.map { Outgoing.error(error, id: $0) }, afterwards: [])
    case .request(let request):
      return await answer(request, call)
    }
  }

  /// Answers a batch: its requests run side by side, their answers stand in the order in which they ended.
  func answer(_ batch: [Incoming], _ call: Call) async -> Answered {
    await withTaskGroup(of: Answered.self) { group in
      for incoming in batch { group.addTask { await answer(incoming, call) } }
      var messages: [ByteBuffer] = []
      var afterwards: [MethodTable.Afterwards] = []
      for await answered in group {
        if let message = answered.message { messages.append(message) }
        afterwards += answered.afterwards
      }
      return Answered(message: messages.isEmpty ? nil : Outgoing.batch(messages), afterwards: afterwards)
    }
  }

  private func answer(_ request: IncomingRequest, _ call: Call) async -> Answered {
    do {
      guard let method = methods[request.method] else { throw AgentError(.methodNotFound) }
      let (result, afterwards) = try await method(request.params, call)
      return Answered(
        message: request.id.map { Outgoing.result(result, id: $0) }, afterwards: afterwards.map { [$0] } ?? [])
    } catch {
      let shown = shown(error, request.method)
      return Answered(message: request.id.map { Outgoing.error(shown, id: $0) }, afterwards: [])
    }
  }

  private func shown(_ error: any Error, _ method: String) -> AgentError {
    switch error {
    case let error as AgentError: return error
    // The caller went away, or the agent stops: the second still has somebody to tell.
    case is CancellationError: return AgentError(.notReady, "The agent is stopping. Please try again.")
    default:
      // The type alone: what an unexpected error holds is not known, and may be a secret.
      logger.error(
        "a request failed unexpectedly", metadata: ["method": "\(method)", "type": "\(type(of: error))"])
      return AgentError(.internalError)
    }
  }
}
