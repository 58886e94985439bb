import Glibc

/// The desktop's browser, by xdg-open(1).
enum Browser {
  /// Why no browser is opened for `url`; nil if one is.
  static func reasonNotToOpen(_ url: String) -> String? {
    guard WebAddress(url) != nil else { return "the address is neither https nor this machine's own" }
    if isSet("SSH_CONNECTION") { return "this is an ssh session" }
    guard isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") else { return "there is no display" }
    return nil
  }

  /// Opens `url`; false if there is no xdg-open. The browser outlives this program, and Ctrl-C here does not reach it.
  static func open(_ url: String) -> Bool {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&actions)
    }
    // What a browser says would end up in the middle of our output, or in the document of --json.
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    CoreDumps.allow()
    defer { CoreDumps.turnOff() }
    var arguments = [strdup("xdg-open"), strdup(url), nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    return posix_spawnp(&pid, "xdg-open", &actions, &attributes, &arguments, environ) == 0
  }

  private static func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }
}
