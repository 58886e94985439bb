/// Bounds of one connection's requests.
enum RPCBounds {
  /// Requests of one connection that may be unfinished at a time, subscriptions included: many times what a tool that
  /// runs requests side by side needs, and few enough that one client's tasks cost the others nothing.
  static let inFlight = 64
}
