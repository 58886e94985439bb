/// `events.subscribe`: the present state first, then every change, as `event` notifications on this connection (SE-5).
public enum EventsSubscribe: AgentMethod {
  public static let name = "events.subscribe"
  public static let notes = MethodNotes("The present state, then every change, as `event` notifications.")

  public struct Params: Codable, Sendable, Hashable {
    /// Where the subscriber was when it lost its connection.
    public var since: Position?
    /// Adds the token to each event that brings one.
    public var tokens: Bool?

    public init(since: Position? = nil, tokens: Bool? = nil) {
      self.since = since
      self.tokens = tokens
    }
  }

  /// A place in the agent's stream of events.
  public struct Position: Codable, Sendable, Hashable {
    /// Another one after each start of the agent.
    public var epoch: String
    public var sequence: UInt64

    public init(epoch: String, sequence: UInt64) {
      self.epoch = epoch
      self.sequence = sequence
    }
  }

  public typealias Result = Position
}
