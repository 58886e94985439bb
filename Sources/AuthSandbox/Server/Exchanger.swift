import Synchronization

/// What happens to a request: an answer, perhaps a spoilt one, or nothing at all.
enum Outcome: Sendable {
  case answer(Answer)
  /// The head promises all of the body, half of it follows, then the connection ends.
  case cut(Answer)
  case drop
}

/// Takes a request through journal, faults, gateway and endpoint.
struct Exchanger: Sendable {
  let backend: Backend
  let table: RouteTable
  /// What answers `/sandbox`, past journal, faults and gateway.
  let control: @Sendable (Incoming) async -> Answer

  func exchange(_ request: Incoming) async throws -> Outcome {
    if request.path == "/sandbox" || request.path.hasPrefix("/sandbox/") {
      return .answer(await control(request))
    }
    let routing = table.find(request)
    let endpoint = table.endpoint(of: request, routing)
    for waiter in backend.journal.withLock({ $0.note(request, endpoint) }) { waiter.resume() }
    let fault = backend.faults.withLock { $0.take(for: endpoint) }
    if let fault, !fault.afterCommit, let outcome = try await strike(fault, request) { return outcome }
    let answer = await perform(request, routing)
    if let fault, fault.afterCommit { return try await spoil(answer, by: fault, request) }
    return .answer(answer)
  }

  /// What a fault does before the commit; nil lets the request go on.
  private func strike(_ fault: Fault, _ request: Incoming) async throws -> Outcome? {
    switch fault.effect {
    case .drop: return .drop
    case .answer(let answer): return .answer(answer)
    case .error(let error): return .answer(error.answer(newShape: request.wantsNewErrorShape))
    // A caller waits for it in real time: the sandbox's clock, which tests move, is for tokens.
    case .delay(let seconds): try await Task.sleep(for: .seconds(seconds))
    case .hang: try await backend.hangs.wait()
    case .truncate, .cut: break
    }
    return nil
  }

  /// What a fault does to an answer whose request has taken effect.
  private func spoil(_ answer: Answer, by fault: Fault, _ request: Incoming) async throws -> Outcome {
    switch fault.effect {
    case .truncate:
      var half = answer
      half.body = Array(answer.body.prefix(answer.body.count / 2))
      return .answer(half)
    case .cut: return .cut(answer)
    default: return try await strike(fault, request) ?? .answer(answer)
    }
  }

  private func perform(_ request: Incoming, _ routing: Routing) async -> Answer {
    if let refusal = backend.gatewayRefusal(request) { return refusal }
    guard case .found(let route) = routing else {
      if case .wrongMethod = routing { return Answer(status: 405) }
      let plain = [(name: "content-type", value: "text/plain; charset=utf-8")]
      return Answer(status: 404, headers: plain, body: Array("404 page not found\n".utf8))
    }
    do {
      try backend.checkRate(request)
      return try await route.handler(backend, request)
    } catch let error as APIError {
      return error.answer(newShape: request.wantsNewErrorShape)
    } catch {
      let failure = APIError(500, "unexpected_failure", "Unexpected failure, please check server logs")
      return failure.answer(newShape: request.wantsNewErrorShape)
    }
  }
}
