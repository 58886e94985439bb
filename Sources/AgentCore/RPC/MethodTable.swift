import AgentProtocol
import FoundationEssentials

/// The methods that the agent answers, by name: what a handler's file adds, the dispatcher looks up.
struct MethodTable: Sendable {
  /// What goes on after the answer was sent, on the same task: a subscription's events.
  typealias Afterwards = @Sendable () async -> Void

  /// The types that a method decodes and encodes, for its description.
  struct Shape: Sendable {
    let params: any (Decodable & Sendable).Type
    let result: any (Decodable & Sendable).Type
  }

  /// A method with its types erased: JSON in, JSON out.
  struct Method: Sendable {
    /// Whether the method waits for a person: a stop of the agent does not wait for it.
    let waitsForPerson: Bool
    /// Whether its frame may be longer than the usual bound.
    let mayBeLong: Bool
    let shape: Shape
    fileprivate let run: @Sendable (Data, Call) async throws -> (result: Data, afterwards: Afterwards?)
  }

  private var methods: [String: Method] = [:]
  private let policy: MethodPolicy?
  private let budget: CallBudget?

  /// An empty table; `budget` and then `policy` are asked before each of its methods.
  init(policy: MethodPolicy? = nil, budget: CallBudget? = nil) {
    self.policy = policy
    self.budget = budget
  }

  /// Adds a method. What `body` throws is the answer: an `AgentError` as it is, anything else as `internalError`.
  mutating func add<M: AgentMethod>(
    _ method: M.Type, waitsForPerson: Bool = false, mayBeLong: Bool = false,
    _ body: @escaping @Sendable (M.Params, Call) async throws -> M.Result
  ) {
    let shape = Shape(params: M.Params.self, result: M.Result.self)
    methods[M.name] = Method(waitsForPerson: waitsForPerson, mayBeLong: mayBeLong, shape: shape) {
      [policy, budget] params, call in
      try budget?.admit(M.name, call.peer.pid)
      let params = try await policy?.admit(M.name, params, call) ?? params
      let result = try await body(try Self.decode(M.Params.self, params), call)
      return (try WireCoding.encode(result), nil)
    }
  }

  /// Adds a method that goes on after its answer.
  mutating func addContinued<M: AgentMethod>(
    _ method: M.Type, _ body: @escaping @Sendable (M.Params, Call) async throws -> (M.Result, Afterwards)
  ) {
    let shape = Shape(params: M.Params.self, result: M.Result.self)
    methods[M.name] = Method(waitsForPerson: false, mayBeLong: false, shape: shape) {
      [policy, budget] params, call in
      try budget?.admit(M.name, call.peer.pid)
      let params = try await policy?.admit(M.name, params, call) ?? params
      let (result, afterwards) = try await body(try Self.decode(M.Params.self, params), call)
      return (try WireCoding.encode(result), afterwards)
    }
  }

  subscript(name: String) -> Method? { methods[name] }

  /// The names, sorted.
  var names: [String] { methods.keys.sorted() }

  /// Words that name the member and never its value: a value may be a secret.
  private static func decode<Params: Decodable>(_ type: Params.Type, _ json: Data) throws(AgentError) -> Params {
    do {
      return try WireCoding.decode(type, from: json)
    } catch DecodingError.keyNotFound(let key, _) {
      throw AgentError(.invalidParams, "The parameter \(key.stringValue) is missing.")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context)
    {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw AgentError(
        .invalidParams, path.isEmpty ? nil : "The parameter \(ForeignText.shown(path)) is of the wrong kind.")
    } catch {
      throw AgentError(.invalidParams)
    }
  }
}

extension MethodTable.Method {
  /// Answers one call; absent params are an empty object.
  func callAsFunction(
    _ params: Data?, _ call: Call
  ) async throws -> (result: Data, afterwards: MethodTable.Afterwards?) {
    try await run(params ?? Data("{}".utf8), call)
  }
}
