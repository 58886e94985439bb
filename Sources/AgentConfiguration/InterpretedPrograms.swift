import FoundationEssentials
import Glibc

/// Programs that run other code for their caller. A rule for such a program would match everything
/// that is ever run with it, or nothing.
enum InterpretedPrograms {
  private static let shells = names(
    """
    sh bash dash zsh ksh mksh fish csh tcsh ash elvish nu pwsh rbash yash posh rc es xonsh
    """)
  /// Language interpreters, and programs that run scripts, macros or shell commands for their user.
  private static let interpreters = names(
    """
    python ipython micropython pypy perl ruby irb jruby node nodejs deno bun qjs js gjs lua luajit php php-fpm tclsh wish
    expect unbuffer java jshell scala kotlin groovy clojure dotnet mono guile racket sbcl clisp ecl gforth ghci runghc
    ocaml julia r rscript octave gnuplot erl escript iex elixir beam.smp awk gawk mawk nawk original-awk sed ed ex vi vim
    view vimdiff rvim nvim emacs emacsclient nano less more most man gdb gdbserver lldb electron osascript swift sqlite
    psql mysql mariadb mongosh redis-cli openocd bpftrace m4 bc dc jq git rsync tar zip unzip ftp lftp nmap tcpdump make
    gmake ninja cmake ant gradle mvn cargo npm npx yarn pnpm pip pipx uv go
    """)
  /// Programs that start any other program for their caller.
  private static let launchers = names(
    """
    env busybox toybox xargs find parallel entr watch sudo sudoedit su runuser doas pkexec run0 chroot nohup setsid nice
    ionice chrt taskset numactl timeout time stdbuf script scriptreplay rlwrap flock prlimit setarch x86_64 i386 linux32
    linux64 capsh setpriv unshare nsenter bwrap flatpak snap firejail fakeroot fakechroot proot faketime systemd-run
    systemd-nspawn machinectl systemd init start-stop-daemon dbus-run-session dbus-launch xdg-open gio at batch crontab
    docker podman nerdctl runc crun ctr lxc-attach lxc-exec incus distrobox toolbox tmux screen dtach zellij strace
    ltrace perf valgrind catchsegv qemu wine ld.so socat nc ncat netcat inetd
    """)
  /// The agent's own command-line tool, and remote login programs: both act for any caller.
  private static let proxies: Set<String> = ["ritualctl", "ssh", "sshd", "sshd-session", "mosh-server", "dropbear"]

  private static func names(_ list: String) -> Set<String> {
    Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  /// Returns why a rule cannot name this program; nil if it can. Follows symbolic links, and checks
  /// the file's first bytes. A missing file is judged by its name. Blocks.
  static func complaint(about path: String) -> String? {
    for name in Set([name(of: path), resolved(path).map(name)].compactMap { $0 }) {
      if let words = complaint(aboutName: name) { return words }
    }
    guard isScript(path) else { return nil }
    return "this file is a script: the kernel runs its interpreter instead; use the unit that it runs in"
  }

  static func complaint(aboutName name: String) -> String? {
    let plain = spellings(of: name)
    if !plain.isDisjoint(with: shells) || !plain.isDisjoint(with: interpreters) {
      return "\(name) is an interpreter: the rule would match every script; use the unit that your script runs in"
    }
    // The dynamic loader runs any program and has an architecture-specific name.
    let isLoader = plain.contains { $0.utf8.starts(with: "ld-".utf8) || $0.utf8.starts(with: "qemu-".utf8) }
    if !plain.isDisjoint(with: launchers) || isLoader {
      return "\(name) runs other programs: the rule would not identify them; use the program itself, or a unit"
    }
    if !plain.isDisjoint(with: proxies) {
      return "\(name) acts for any caller: the rule would match every program; use a unit"
    }
    return nil
  }

  /// Suffixes with which distributions distinguish builds of one program.
  private static let flavours = [
    "-static", "-nox", "-gtk", "-lucid", "-pgtk", "-preview", "-dbg", "-cgi", "-fpm", "-cli", "-el", ".basic", ".tiny",
    ".nox", ".gtk", ".gtk3", ".athena", ".motif", ".traditional", ".openbsd", ".exe", ".real", ".distrib",
  ]

  /// Returns the name in lower case, also without its build suffix and without its version.
  private static func spellings(of name: String) -> Set<String> {
    var found = Set([name.lowercased()])
    for _ in 0..<2 {
      for name in found {
        for flavour in flavours where name.utf8.reversed().starts(with: flavour.utf8.reversed()) {
          found.insert(String(name.dropLast(flavour.count)))
        }
      }
      for name in found { found.insert(withoutVersion(name)) }
    }
    return found
  }

  /// Returns the name before the version: `python3.12`, `lua5.4`, `ruby-3.3`, `php8`,
  /// `perl5.40-x86_64-linux-gnu`.
  private static func withoutVersion(_ lowered: String) -> String {
    let bytes = Array(lowered.utf8)
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let plain = bytes.prefix { !isDigit($0) }
    let rest = bytes[plain.endIndex...].drop(while: isDigit)
    // After the first number: nothing, one letter for the build, or a separator and anything.
    let isVersion =
      rest.isEmpty || "._-".utf8.contains(rest.first ?? 0)
      || "dmtu".utf8.contains(rest.first ?? 0) && rest.count == 1
    guard plain.count < bytes.count, isVersion else { return lowered }
    return String(decoding: plain.last == UInt8(ascii: "-") ? plain.dropLast() : plain, as: UTF8.self)
  }

  private static func name(of path: String) -> String {
    String(decoding: path.utf8.split(separator: UInt8(ascii: "/")).last ?? "".utf8[...], as: UTF8.self)
  }

  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// Returns whether the file begins with `#!` (execve(2)).
  private static func isScript(_ path: String) -> Bool {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes: [UInt8] = [0, 0]
    return read(file, &bytes, 2) == 2 && bytes == Array("#!".utf8)
  }
}
