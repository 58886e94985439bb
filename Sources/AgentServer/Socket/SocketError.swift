/// Why the agent's socket cannot be served. Two errors are equal if their codes are.
public struct SocketError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What went wrong, for programs.
  public struct Code: Sendable, Hashable {
    private enum Name { case occupied, insecure, invalid, system }
    private let name: Name

    /// Another agent serves this socket.
    public static let occupied = Code(name: .occupied)
    /// The folder or what lies at the path is not the user's alone.
    public static let insecure = Code(name: .insecure)
    /// The path or the descriptor that was given cannot be served.
    public static let invalid = Code(name: .invalid)
    /// The system refused.
    public static let system = Code(name: .system)
  }

  public let code: Code
  /// What the user reads, the remedy included.
  public let message: String
  /// The `errno` behind it (errno(3)), where there is one.
  public let errno: Int32?

  init(_ code: Code, _ message: String, errno: Int32? = nil) {
    self.code = code
    self.message = message
    self.errno = errno
  }

  public var description: String { message }

  public static func == (left: SocketError, right: SocketError) -> Bool { left.code == right.code }
}
