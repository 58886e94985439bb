import FoundationEssentials
import Glibc

/// Programs that do what others tell them: a rule about one of them would be about all that is ever run by it, or about
/// nothing.
enum InterpretedPrograms {
  private static let shells: Set<String> = [
    "sh", "bash", "dash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "ash", "elvish", "nu", "pwsh", "rbash", "yash",
  ]
  private static let interpreters: Set<String> = [
    "python", "pypy", "perl", "ruby", "irb", "node", "nodejs", "deno", "bun", "lua", "luajit", "php", "tclsh", "wish",
    "java", "dotnet", "mono", "guile", "racket", "sbcl", "ghci", "runghc", "julia", "rscript", "erl", "beam.smp",
    "awk", "gawk", "mawk", "emacs", "vim", "nvim", "gdb", "electron", "osascript", "swift",
  ]
  /// What runs another program in its place, or for whoever asks.
  private static let launchers: Set<String> = [
    "env", "busybox", "toybox", "xargs", "find", "sudo", "su", "doas", "pkexec", "nohup", "setsid", "timeout",
    "systemd-run", "bwrap", "flatpak", "firejail", "ld.so", "socat", "nc", "ncat",
  ]
  /// The agent's own command line, and ways in from elsewhere: both act for whoever calls them.
  private static let proxies: Set<String> = ["ritualctl", "ssh", "sshd", "sshd-session", "mosh-server", "dropbear"]

  /// Why a rule cannot name this program; nil where it can. Looks at where links lead, and at the file's first bytes; a
  /// file that is not there is judged by its name. Blocks.
  static func complaint(about path: String) -> String? {
    for name in Set([name(of: path), resolved(path).map(name)].compactMap { $0 }) {
      if let words = complaint(aboutName: name) { return words }
    }
    guard isScript(path) else { return nil }
    return "this file is a script: the kernel runs its interpreter instead; name a unit that it runs in"
  }

  static func complaint(aboutName name: String) -> String? {
    let plain = withoutVersion(name)
    if shells.contains(plain) || interpreters.contains(plain) {
      return "\(name) is an interpreter: the rule would be about every script; name a unit that yours runs in"
    }
    if launchers.contains(plain) || plain.hasPrefix("ld-linux") {
      return "\(name) runs other programs: the rule would say nothing about them; name the program, or a unit"
    }
    if proxies.contains(plain) {
      return "\(name) acts for whoever calls it: the rule would be about everybody; name a unit"
    }
    return nil
  }

  /// `python3.12`, `lua5.4`, `ruby-3.3`, `php8`: the name in front of the version.
  private static func withoutVersion(_ name: String) -> String {
    let lowered = name.lowercased()
    let plain = lowered.prefix { !$0.isNumber }
    let version = lowered[plain.endIndex...]
    guard !version.isEmpty, version.allSatisfy({ $0.isNumber || "._-".contains($0) || "dmtu".contains($0) }) else {
      return lowered
    }
    return plain.last == "-" ? String(plain.dropLast()) : String(plain)
  }

  private static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// Whether it begins with `#!` (execve(2)).
  private static func isScript(_ path: String) -> Bool {
    // Without O_NONBLOCK a FIFO would wait here for its writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes: [UInt8] = [0, 0]
    return read(file, &bytes, 2) == 2 && bytes == Array("#!".utf8)
  }
}
