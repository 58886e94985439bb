/// How long and how much: the bounds of each exchange with the auth server.
public struct RequestLimits: Sendable, Hashable {
  /// For DNS, TCP and TLS together. 5 s: three lost SYNs take 7 s, and by then a fresh try is better.
  public var connect: Duration
  /// For the whole exchange, body included. 12 s: the server's own limit is 10 s, then it answers 504; waiting a little
  /// longer turns "unknown whether committed" into an answer. Under the 15 s that a caller of the agent waits.
  public var request: Duration
  /// The largest body that is read, in bytes. 1 MiB is GoTrue's own limit for requests; its answers are about 2 KiB.
  public var body: Int
  /// How long a connection is kept for the next call. 2 s: long enough for the calls of one sign-in, and over before the 3 s
  /// in which a lock has to leave no token in memory (VA-4), for an open connection keeps the buffers into which it read
  /// its last answers. One that slept through a suspend would cost a time limit besides.
  public var idle: Duration
  /// For `shutdown`: connections that do not close by then are left behind.
  public var shutdown: Duration

  /// Limits by their parts; the defaults have their reasons beside them.
  public init(
    connect: Duration = .seconds(5), request: Duration = .seconds(12), body: Int = 1 << 20,
    idle: Duration = .seconds(2), shutdown: Duration = .seconds(2)
  ) {
    self.connect = connect
    self.request = request
    self.body = body
    self.idle = idle
    self.shutdown = shutdown
  }
}
