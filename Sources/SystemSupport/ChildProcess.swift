public import Glibc

/// A program to start with posix_spawnp(3): without a shell, its name looked up in PATH.
public struct ChildProcess: Sendable {
  /// The target of a standard stream.
  public enum Stream: Sendable {
    case inherited
    /// `/dev/null`.
    case nothing
    case descriptor(Int32)
  }

  /// posix_spawnp(3) failed.
  public struct StartFailure: Error, Sendable {
    public let errno: Int32
  }

  /// The program's name, followed by its arguments.
  public var arguments: [String]
  /// Entries of the form `NAME=value`; nil inherits the current environment.
  public var environment: [String]?
  public var input: Stream
  public var output: Stream
  public var error: Stream
  /// True to start the child in its own process group, which Ctrl-C at the terminal does not reach.
  public var leadsGroup = false
  /// True to start the child with default signal handling and no signal blocked. Otherwise a child
  /// inherits ignored and blocked signals.
  public var resetsSignals = false

  /// - Parameter arguments: The program's name, followed by its arguments.
  public init(
    _ arguments: [String], environment: [String]? = nil, input: Stream = .nothing, output: Stream = .nothing,
    error: Stream = .nothing
  ) {
    self.arguments = arguments
    self.environment = environment
    (self.input, self.output, self.error) = (input, output, error)
  }

  /// Starts the program. The caller must reap the child with `exitStatus(of:)`.
  ///
  /// - Returns: The pid of the child.
  public func start() throws(StartFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, error)] {
      switch stream {
      case .inherited: break
      case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    set(&attributes)
    var pid: pid_t = 0
    let failure = Self.withCStrings(arguments) { arguments in
      guard let environment else { return posix_spawnp(&pid, arguments[0]!, &actions, &attributes, arguments, environ) }
      return Self.withCStrings(environment) { posix_spawnp(&pid, arguments[0]!, &actions, &attributes, arguments, $0) }
    }
    guard failure == 0 else { throw StartFailure(errno: failure) }
    return pid
  }

  /// Waits until a child exits (waitpid(2)). Returns its exit status, 128 plus the signal number if
  /// a signal ended it, or nil if `pid` is not a child of this process. Blocks.
  public static func exitStatus(of pid: pid_t) -> Int32? {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 { if errno != EINTR { return nil } }
    return exitStatus(status)
  }

  /// Waits until a child exits, at most until `deadline`. Returns its exit status as `exitStatus(of:)`
  /// does; nil if it still runs. Blocks.
  public static func exitStatus(of pid: pid_t, until deadline: ContinuousClock.Instant) -> Int32? {
    var status: Int32 = 0
    repeat {
      let ended = waitpid(pid, &status, WNOHANG)
      if ended == pid { return exitStatus(status) }
      guard ended == 0 || errno == EINTR else { return nil }
      // waitpid(2) has no timeout; a person does not notice 5 ms.
      usleep(5000)
    } while ContinuousClock.now < deadline
    return nil
  }

  /// Returns the exit status encoded in a wait status: WIFEXITED, WEXITSTATUS and WTERMSIG of
  /// wait(2), which are macros.
  public static func exitStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  private func set(_ attributes: inout posix_spawnattr_t) {
    var flags: Int32 = 0
    if leadsGroup { flags |= Int32(POSIX_SPAWN_SETPGROUP) }
    if resetsSignals {
      flags |= Int32(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
      var (all, none) = (sigset_t(), sigset_t())
      sigfillset(&all)
      sigemptyset(&none)
      posix_spawnattr_setsigdefault(&attributes, &all)
      posix_spawnattr_setsigmask(&attributes, &none)
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
  }
}
