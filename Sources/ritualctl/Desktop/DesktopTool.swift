import Glibc

/// Programs of the desktop, started without a voice: what they say would end up in the middle of our output, or in the
/// document of --json.
enum DesktopTool {
  /// Starts the program in a process group of its own, so that Ctrl-C here does not reach it.
  ///
  /// - Returns: its pid; nil where it cannot be started.
  static func start(_ name: String, _ arguments: [String]) -> pid_t? {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&actions)
    }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    CoreDumps.allow()
    defer { CoreDumps.turnOff() }
    var words = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    return posix_spawnp(&pid, name, &actions, &attributes, &words, environ) == 0 ? pid : nil
  }

  /// Runs the program to its end; whether it ended well.
  static func run(_ name: String, _ arguments: [String]) -> Bool {
    guard let pid = start(name, arguments) else { return false }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 { if errno != EINTR { return false } }
    return status == 0
  }
}
