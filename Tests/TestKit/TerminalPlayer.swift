/// A person at a terminal, in Python: its pty module makes one.
public enum TerminalPlayer {
  /// Comes before a script of the test's own, whose arguments are the program that gets the terminal, by its path, and what
  /// that gets.
  ///
  /// `expect` reads until a text is shown, `say` types; the script ends by `finish`, with the program's status. `echoes`
  /// tells whether the terminal shows what is typed.
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
