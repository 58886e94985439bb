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
    facts, told = os.pipe()
    held, release = os.pipe()
    leader, tty = pty.fork()
    if leader == 0:
        # The end of a session's leader hangs the terminal up, and that discards what nobody has read
        # yet. So the program is a child of the leader, which ends last.
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            # The threads of the tests block signals, and what they start inherits that.
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.execv(sys.argv[1], sys.argv[1:])
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP): signal.signal(number, signal.SIG_IGN)
        for stream in (0, 1, 2, release): os.close(stream)
        os.write(told, b'%d\\n' % pid)
        os.write(told, b'%d\\n' % os.waitpid(pid, 0)[1])
        os.read(held, 1)
        os._exit(0)
    for end in (told, held): os.close(end)
    # After the signal of Ctrl-C, the kernel discards output that nobody has read, which may be the program's answer.
    modes = termios.tcgetattr(tty)
    modes[3] |= termios.NOFLSH
    termios.tcsetattr(tty, termios.TCSANOW, modes)
    facts = os.fdopen(facts)
    pid = int(facts.readline())
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
        status = int(facts.readline())
        os.close(release)
        os.waitpid(leader, 0)
        print(shown.replace('\\r\\n', '\\n'), end='')
        sys.exit(os.waitstatus_to_exitcode(status))

    """
}
