/// A person at a terminal, simulated in Python by its pty module.
public enum TerminalPlayer {
  /// The beginning of a test's own script. The script's arguments are the path of the program that
  /// gets the terminal, and that program's arguments.
  ///
  /// `expect` reads until a text is shown, and `say` types. `echoes` tells whether the terminal
  /// shows typed text, and `await_echo` waits for a change. `finish` ends the script with the
  /// program's status.
  public static let script = """
    import os, pty, select, signal, sys, termios, time
    pid, tty = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # The threads of the tests block signals, and what they start inherits that.
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.execv(sys.argv[1], sys.argv[1:])
    shown = ''
    def read():
        global shown
        try: part = os.read(tty, 4096)
        except OSError: return False
        shown += part.decode(errors='replace')
        return bool(part)
    def expect(text):
        end = time.monotonic() + 30
        while text not in shown:
            if time.monotonic() > end: sys.exit('not shown: ' + text + ' in ' + shown)
            if select.select([tty], [], [], 0.1)[0] and not read(): sys.exit('it ended; shown: ' + shown)
    def echoes(): return bool(termios.tcgetattr(tty)[3] & termios.ECHO)
    def await_echo(wanted):
        end = time.monotonic() + 30
        while echoes() != wanted:
            if time.monotonic() > end: sys.exit('echo did not change')
    def say(text): os.write(tty, text.encode())
    def finish():
        while read(): pass
        status = os.waitpid(pid, 0)[1]
        print(shown.replace('\\r\\n', '\\n'), end='')
        sys.exit(os.waitstatus_to_exitcode(status))

    """
}
