import AgentProtocol
import FoundationEssentials
import Logging
import NIOCore
import ServiceLifecycle
import SessionEngine

/// The answer to a request or a frame, and the work that continues after it was sent.
struct Answered: Sendable {
  /// Nil if there is none, as for a notification.
  let message: ByteBuffer?
  let afterwards: [MethodTable.Afterwards]
  /// The epoch in which the tokens of the message were read, and the message without them. Nil without tokens.
  var tokens: (epoch: UInt64, withdrawn: ByteBuffer)?

  /// The message to write in `epoch`. A token that was read before a lock is not written after it.
  func message(in epoch: UInt64) -> ByteBuffer? {
    guard let tokens, tokens.epoch != epoch else { return message }
    return tokens.withdrawn
  }
}

/// Runs requests by the method table, and builds their answers.
struct Dispatcher: Sendable {
  let methods: MethodTable
  let tokens: TokenSnapshot
  let logger: Logger
  /// Threads for costly requests.
  let workers = CostlyWorkers()

  func answer(_ frame: IncomingFrame, _ call: Call) async -> Answered {
    switch frame {
    case .single(let incoming): await answer(incoming, call)
    case .batch(let batch): await answer(batch, call)
    case .refused(let error): Answered(message: Outgoing.error(error, id: Incoming.nullID), afterwards: [])
    }
  }

  private func answer(_ incoming: Incoming, _ call: Call) async -> Answered {
    switch incoming {
    case .refused(let id, let error):
      return Answered(message: id.map { Outgoing.error(error, id: $0) }, afterwards: [])
    case .request(let request):
      return await answer(request, call)
    }
  }

  /// Answers a batch. Requests run concurrently, except for costly ones, which run one after
  /// another. Answers are in order of completion; those of costly requests stay together.
  private func answer(_ batch: [Incoming], _ call: Call) async -> Answered {
    await withTaskGroup(of: [Answered].self) { group in
      for incoming in batch where !isCostly(incoming) { group.addTask { [await answer(incoming, call)] } }
      group.addTask { await answer(costly: batch.filter { isCostly($0) }, call) }
      let answers = await group.reduce(into: []) { $0 += $1 }
      let messages = answers.compactMap(\.message)
      let epoch = answers.compactMap(\.tokens?.epoch).min()
      return Answered(
        message: messages.isEmpty ? nil : Outgoing.batch(messages), afterwards: answers.flatMap(\.afterwards),
        tokens: epoch.map { ($0, Outgoing.batch(answers.compactMap { $0.tokens?.withdrawn ?? $0.message })) })
    }
  }

  private func answer(costly batch: [Incoming], _ call: Call) async -> [Answered] {
    var answers: [Answered] = []
    var bytes = 0
    for incoming in batch {
      let isRefused = bytes > RPCLimits.maxCostlyAnswers && incoming.answerID != nil
      let next = isRefused ? .refused(id: incoming.answerID, .answersTooLarge) : incoming
      answers.append(await answer(next, call))
      bytes += answers.last?.message?.readableBytes ?? 0
    }
    return answers
  }

  /// True if the frame contains a costly request.
  func isCostly(_ frame: IncomingFrame) -> Bool {
    switch frame {
    case .single(let incoming): isCostly(incoming)
    case .batch(let batch): batch.contains { isCostly($0) }
    case .refused: false
    }
  }

  private func isCostly(_ incoming: Incoming) -> Bool {
    guard case .request(let request) = incoming else { return false }
    return methods[request.method]?.cost == .costly
  }

  private func answer(_ request: IncomingRequest, _ call: Call) async -> Answered {
    let method = methods[request.method]
    guard method?.cost == .costly else { return await answer(request, by: method, call) }
    return await withTaskExecutorPreference(workers) { await answer(request, by: method, call) }
  }

  private func answer(_ request: IncomingRequest, by method: MethodTable.Method?, _ call: Call) async -> Answered {
    do {
      guard let method else {
        throw AgentError(.methodNotFound, hint: MethodTable.replacements[request.method])
      }
      // The connection may have closed while the request was queued.
      try Task.checkCancellation()
      let epoch = tokens.epoch
      let (result, afterwards) = try await perform(method, request, call)
      let message = request.id.map { Outgoing.result(result, id: $0) }
      guard (message?.readableBytes ?? 0) <= Wire.answerLimit else { throw AgentError.answerTooLarge }
      let withdrawn = method.returnsToken ? request.id.map { Outgoing.error(AgentError(.vaultLocked), id: $0) } : nil
      return Answered(
        message: message, afterwards: afterwards.map { [$0] } ?? [], tokens: withdrawn.map { (epoch, $0) })
    } catch {
      let shown = shown(error, request.method)
      return Answered(message: request.id.map { Outgoing.error(shown, id: $0) }, afterwards: [])
    }
  }

  /// Runs a method. A wait for a person ends when the agent begins to stop; other requests have the
  /// grace period of the stop.
  private func perform(
    _ method: MethodTable.Method, _ request: IncomingRequest, _ call: Call
  ) async throws -> (result: Data, afterwards: MethodTable.Afterwards?) {
    guard method.waitsForPerson else { return try await method(request.params, call) }
    return try await cancelWhenGracefulShutdown { try await method(request.params, call) }
  }

  private func shown(_ error: any Error, _ method: String) -> AgentError {
    // The agent is stopping or the caller has disconnected, and the failure is a consequence.
    if Task.isCancelled { return AgentError(.cancelled) }
    switch error {
    case let error as AgentError: return error
    case is CancellationError: return AgentError(.cancelled)
    default:
      // Only the type is logged, because an unexpected error may contain a secret.
      logger.error(
        "a request failed unexpectedly", metadata: ["method": "\(method)", "type": "\(type(of: error))"])
      return AgentError(.internalError)
    }
  }
}
