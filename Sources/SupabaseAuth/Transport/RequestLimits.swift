/// How long and how much: the bounds of each exchange with the auth server.
public struct RequestLimits: Sendable, Hashable {
  /// For DNS, TCP and TLS together. 5 s: three lost SYNs take 7 s, and by then a fresh try is better.
  public var connect: Duration
  /// For the whole exchange, body included. 12 s: the server's own limit is 10 s, then it answers 504; waiting a little
  /// longer turns "unknown whether committed" into an answer. Under the 15 s that a caller of the agent waits.
  public var request: Duration
  /// The largest body that is read, in bytes. 1 MiB is GoTrue's own limit for requests; its answers are about 2 KiB.
  public var body: Int
  /// For `shutdown`: connections that do not close by then are left behind.
  public var shutdown: Duration

  /// Limits by their parts; the defaults have their reasons beside them.
  public init(
    connect: Duration = .seconds(5), request: Duration = .seconds(12), body: Int = 1 << 20,
    shutdown: Duration = .seconds(2)
  ) {
    self.connect = connect
    self.request = request
    self.body = body
    self.shutdown = shutdown
  }
}
