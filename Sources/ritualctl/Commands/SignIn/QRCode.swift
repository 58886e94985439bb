import Glibc

/// The address as a QR code on the terminal, by qrencode(1): for a phone that is at hand where no browser is.
enum QRCode {
  /// - Throws: where there is no qrencode, with what to install.
  static func show(_ address: String, on descriptor: Int32) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[1])
    // The address on standard input: arguments can be read by everybody.
    var arguments = [strdup("qrencode"), strdup("--type=UTF8"), strdup("--output=-"), nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    let failed = posix_spawnp(&pid, "qrencode", &actions, nil, &arguments, environ) != 0
    close(ends[0])
    if !failed { try? Streams.write(address, to: ends[1]) }
    close(ends[1])
    guard !failed else { throw failure }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else { throw failure }
  }

  private static var failure: Failure {
    Failure(.failed, "no QR code can be drawn: qrencode is missing", hint: "sudo apt install qrencode")
  }
}
