import AccessControl
import AgentProtocol
import Synchronization
import SystemSupport
import TestKit

@testable import AgentServer

/// A method of the tests, which takes and returns nothing, unless it says so.
protocol TestMethod: AgentMethod {
  associatedtype Params = Empty
  associatedtype Result = Empty
}

extension TestMethod {
  static var notes: MethodNotes { MethodNotes("For tests.") }
}

/// `test.subtract`: the method of the specification's examples, with parameters by name only.
enum Subtract: TestMethod {
  static let name = "test.subtract"
  typealias Result = Int
  struct Params: Codable, Sendable {
    var minuend: Int
    var subtrahend: Int
  }
}

/// `test.echo`: returns the text.
enum Echo: TestMethod {
  static let name = "test.echo"
  struct Params: Codable, Sendable { var text: String }
  typealias Result = Params
}

/// `test.hold`: answers once the test opens the gate.
enum Hold: TestMethod {
  static let name = "test.hold"
}

/// `test.costly`: as `test.hold`, with a costly method.
enum CostlyHold: TestMethod {
  static let name = "test.costly"
}

/// `test.long`: a costly method that returns a text of `count` bytes.
enum LongAnswer: TestMethod {
  static let name = "test.long"
  struct Params: Codable, Sendable { var count: Int }
  typealias Result = String
}

/// `test.follow`: sends notifications after the answer.
enum Follow: TestMethod {
  static let name = "test.follow"
  struct Params: Codable, Sendable {
    var count: Int
    var text: String
  }
}

/// `test.fail`: throws an error that no handler should throw.
enum Fail: TestMethod {
  static let name = "test.fail"
}

/// An error outside the protocol.
struct UnforeseenError: Error { let words: String }

/// Records the calls of the test methods, and holds the gate on which they wait.
final class CallRecorder: Sendable {
  private struct State {
    var begun = 0
    var cancelled = 0
    var closed = 0
    var calls: [String] = []
    var isOpen = false
    var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    var next: UInt64 = 0
  }
  private let state = Mutex(State())

  var begun: Int { state.withLock(\.begun) }
  var cancelled: Int { state.withLock(\.cancelled) }
  var closed: Int { state.withLock(\.closed) }
  var calls: [String] { state.withLock(\.calls) }

  func note(_ call: String) { state.withLock { $0.calls.append(call) } }
  func noteClosed() { state.withLock { $0.closed += 1 } }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }

  func hold() async throws {
    let id = state.withLock { state in
      state.begun += 1
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let passes = state.withLock { state in
          if !state.isOpen { state.waiting[id] = continuation }
          return state.isOpen
        }
        if passes { continuation.resume() }
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: UInt64) {
    let continuation = state.withLock { state in
      let continuation = state.waiting.removeValue(forKey: id)
      if continuation != nil { state.cancelled += 1 }
      return continuation
    }
    continuation?.resume(throwing: CancellationError())
  }
}

extension MethodTable {
  /// The methods of the tests, which report to `witness`.
  init(testing witness: CallRecorder) {
    self.init()
    add(Subtract.self, policy: .none("a test"), cost: .quick) { params, _ in
      witness.note("subtract")
      return params.minuend - params.subtrahend
    }
    add(SessionToken.self, policy: .none("a test"), cost: .quick) { _, _ in
      try await witness.hold()
      return SessionToken.Result(
        account: "work", accessToken: "abc", tokenType: "bearer", expiresAt: Timestamp(unixSeconds: 0), expiresIn: 0)
    }
    add(Echo.self, policy: .none("a test"), cost: .quick) { params, _ in params }
    add(Hold.self, policy: .none("a test"), cost: .quick) { _, call in
      await call.connection.onClose { witness.noteClosed() }
      try await witness.hold()
      return Empty()
    }
    add(CostlyHold.self, policy: .none("a test"), cost: .costly) { _, _ in
      try await witness.hold()
      return Empty()
    }
    add(LongAnswer.self, policy: .none("a test"), cost: .costly) { params, _ in
      witness.note("long")
      return String(repeating: "x", count: params.count)
    }
    addContinued(Follow.self, policy: .none("a test"), cost: .quick) { params, call in
      (
        Empty(),
        {
          for _ in 0..<params.count {
            if let message = try? Outgoing.notification("test", params.text) {
              await call.connection.notify { message }
            }
          }
        }
      )
    }
    add(Fail.self, policy: .none("a test"), cost: .quick) { _, _ in
      throw UnforeseenError(words: "secret words that must not be shown")
    }
  }
}
