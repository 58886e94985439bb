package import AccessControl
package import AgentProtocol
package import FoundationEssentials
package import NIOCore
package import SessionEngine
import Synchronization
package import SystemSupport

/// The agent's methods by name. The files of the handlers add methods; the dispatcher looks them
/// up.
package struct MethodTable: Sendable {
  /// Work that continues after the answer was sent, within the task of the frame, such as the
  /// events of a subscription.
  package typealias Afterwards = @Sendable () async -> Void

  /// Decides whether a call is allowed. Returns the params to use; throws if the call is refused.
  package typealias Admission =
    @Sendable (_ method: String, PolicyUse, _ params: Data, Call) async throws(AgentError) -> Data

  /// The types that a method decodes and encodes, for its description.
  struct Shape: Sendable {
    let params: any (Decodable & Sendable).Type
    let result: any (Decodable & Sendable).Type
  }

  /// A method with its types erased: JSON in, JSON out.
  struct Method: Sendable {
    /// True if the method waits for a person. A stop of the agent does not wait for the method.
    let waitsForPerson: Bool
    /// How the policy applies to the method.
    let policy: PolicyUse
    let cost: MethodCost
    let shape: Shape
    let notes: MethodNotes
    var returnsToken: Bool { shape.result == SessionToken.Result.self }
    fileprivate let run: @Sendable (Data, Call) async throws -> (result: Data, afterwards: Afterwards?)
  }

  private var methods: [String: Method] = [:]
  private let admit: Admission?

  /// An empty table. `admit` decides about each call before its method runs.
  package init(admit: Admission? = nil) { self.admit = admit }

  /// Adds a method. If `body` throws an `AgentError`, that is the answer; a `CancellationError` is
  /// answered as `cancelled`, any other error as `internalError`.
  package mutating func add<M: AgentMethod>(
    _ method: M.Type, policy: PolicyUse, cost: MethodCost, waitsForPerson: Bool = false,
    _ body: @escaping @Sendable (M.Params, Call) async throws -> M.Result
  ) {
    addJSON(method, policy: policy, cost: cost, waitsForPerson: waitsForPerson) { params, call in
      (try WireCoding.encode(try await body(try Self.decode(M.Params.self, params), call)), nil)
    }
  }

  /// Adds a method with work that continues after its answer.
  package mutating func addContinued<M: AgentMethod>(
    _ method: M.Type, policy: PolicyUse, cost: MethodCost,
    _ body: @escaping @Sendable (M.Params, Call) async throws -> (M.Result, Afterwards)
  ) {
    addJSON(method, policy: policy, cost: cost) { params, call in
      let (result, afterwards) = try await body(try Self.decode(M.Params.self, params), call)
      return (try WireCoding.encode(result), afterwards)
    }
  }

  /// Adds a method that decodes its params and encodes its result itself.
  package mutating func addJSON<M: AgentMethod>(
    _ method: M.Type, policy: PolicyUse, cost: MethodCost, waitsForPerson: Bool = false,
    _ body: @escaping @Sendable (Data, Call) async throws -> (Data, Afterwards?)
  ) {
    methods[M.name] = Method(
      waitsForPerson: waitsForPerson, policy: policy, cost: cost,
      shape: Shape(params: M.Params.self, result: M.Result.self), notes: M.notes
    ) { [admit] params, call in
      let params = try await admit?(M.name, policy, params, call) ?? params
      return try await body(params, call)
    }
  }

  subscript(name: String) -> Method? { methods[name] }

  /// The replacement of each removed method, as the hint of `methodNotFound`.
  static let replacements = ["api.request": "ritualctl api, or HTTP on egress.sock (docs/egress.md)"]

  /// The method names, sorted.
  var names: [String] { methods.keys.sorted() }

  /// Decodes params. Error messages name the member and never its value, which may be a secret.
  private static func decode<Params: Decodable>(_ type: Params.Type, _ json: Data) throws(AgentError) -> Params {
    do {
      return try WireCoding.decode(type, from: json)
    } catch DecodingError.keyNotFound(let key, _) {
      throw AgentError(.invalidParams, "Parameter \(key.stringValue) is missing.")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context)
    {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw AgentError(
        .invalidParams, path.isEmpty ? nil : "Parameter \(ForeignText.shown(path)) has the wrong type.")
    } catch {
      throw AgentError(.invalidParams)
    }
  }
}

extension MethodTable.Method {
  /// Runs one call. Absent params count as an empty object.
  func callAsFunction(
    _ params: Data?, _ call: Call
  ) async throws -> (result: Data, afterwards: MethodTable.Afterwards?) {
    try await run(params ?? Data("{}".utf8), call)
  }
}

/// The context of a call, for its handler.
package struct Call: Sendable {
  package let peer: Peer
  package let connection: ConnectionHandle
}

/// A connection, as handlers see it. Thread-safe.
package final class ConnectionHandle: Sendable {
  package typealias Closer = @Sendable () async -> Void

  /// Unique among the connections of this agent process.
  package let id: UInt64

  private let send: @Sendable (@escaping @Sendable () -> ByteBuffer) async -> Void
  private let cut: @Sendable (String) -> Void
  private let readProcess: @Sendable () async -> PeerProcess?
  /// nil once the connection has closed.
  private let closers: Mutex<[Closer]?> = Mutex([])
  private let subscriptions = Mutex(0)
  private let isOver = Atomic(false)

  init(
    id: UInt64, send: @escaping @Sendable (@escaping @Sendable () -> ByteBuffer) async -> Void,
    cut: @escaping @Sendable (String) -> Void,
    process: @escaping @Sendable () async -> PeerProcess? = { nil }
  ) {
    self.id = id
    self.send = send
    self.cut = cut
    readProcess = process
  }

  /// Runs `body` once when the connection has closed, or immediately if it already has.
  package func onClose(_ body: @escaping Closer) async {
    let isClosed = closers.withLock { closers in
      closers?.append(body)
      return closers == nil
    }
    if isClosed { await body() }
  }

  /// Counts a subscription, which lasts as long as the connection.
  ///
  /// - Throws: `tooMany` above `RPCLimits.maxSubscriptions`.
  package func addSubscription() throws(AgentError) {
    let isAllowed = subscriptions.withLock { count in
      count += 1
      return count <= RPCLimits.maxSubscriptions
    }
    guard isAllowed else {
      throw AgentError(.tooMany, "A connection can have at most \(RPCLimits.maxSubscriptions) subscriptions.")
    }
  }

  /// Sends a notification, given as JSON text without its newline. Returns when the kernel has
  /// accepted the message, so that a client that does not read delays the sender, or when the
  /// connection has closed.
  /// - Parameter message: Called on the event loop just before the message is written. It must not block.
  package func notify(_ message: @escaping @Sendable () -> ByteBuffer) async { await send(message) }

  /// True once the connection has closed. No more work starts for it.
  var isClosed: Bool { isOver.load(ordering: .relaxed) }

  func markClosed() { isOver.store(true, ordering: .relaxed) }

  /// Returns the process that opened the connection, for as long as the result is kept; nil once the
  /// connection has closed.
  package func process() async -> PeerProcess? { await readProcess() }

  /// Closes the connection immediately, and logs `reason`.
  package func cutOff(_ reason: String) { cut(reason) }

  /// Runs the closures of `onClose`. Called when the connection has closed.
  func closed() async {
    let waiting = closers.withLock { closers in
      defer { closers = nil }
      return closers ?? []
    }
    for closer in waiting { await closer() }
  }
}

extension IssuedTokens {
  /// Records the token in an answer of the general path.
  package func note(_ result: SessionToken.Result, _ way: TokenDelivery, _ call: Call) {
    note(
      Token(account: result.account, way: way, fingerprint: TokenFingerprint.short(result.accessToken)),
      to: Connection(id: call.connection.id, pid: call.peer.pid), at: result.handedOutAt)
  }
}
