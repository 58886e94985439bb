/// What can go wrong with the sandbox itself. Equal by code.
public struct SandboxError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure.
  public struct Code: Hashable, Sendable {
    private enum Kind { case cannotListen, unknownUser }

    private let kind: Kind
    /// The port is taken or refused.
    public static let cannotListen = Code(kind: .cannotListen)
    /// No user has that address.
    public static let unknownUser = Code(kind: .unknownUser)
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do about it.
  public let message: String
  /// What lies beneath, if anything.
  public let cause: (any Error)?

  /// The message.
  public var description: String { message }

  /// Compares the codes alone.
  public static func == (left: SandboxError, right: SandboxError) -> Bool { left.code == right.code }
}
