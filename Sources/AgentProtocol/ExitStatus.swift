/// The exit status of `ritualctl`; scripts branch on it.
public struct ExitStatus: RawRepresentable, Sendable, Hashable {
  /// The number that exit(3) gets.
  public let rawValue: Int32

  /// A status by its number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let done = ExitStatus(rawValue: 0)
  public static let failed = ExitStatus(rawValue: 1)
  public static let cancelled = ExitStatus(rawValue: 2)
  public static let unreachable = ExitStatus(rawValue: 3)
  public static let signInNeeded = ExitStatus(rawValue: 4)
  public static let vaultLocked = ExitStatus(rawValue: 5)
  public static let refused = ExitStatus(rawValue: 6)
  public static let temporary = ExitStatus(rawValue: 7)
  /// EX_USAGE of sysexits.h(3head).
  public static let usage = ExitStatus(rawValue: 64)
}
