import Glibc

/// Switches a terminal's echo off for the time of a password.
enum Echo {
  static func off<Result>(_ descriptor: Int32, _ body: () throws -> Result) throws -> Result {
    // The newline is still shown, so that the next output begins on a line of its own.
    try TerminalModes.changed(
      descriptor,
      { modes in
        modes.c_lflag &= ~tcflag_t(ECHO)
        modes.c_lflag |= tcflag_t(ECHONL)
      }, body)
  }
}
