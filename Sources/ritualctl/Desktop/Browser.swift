import Glibc
import SystemSupport
import WebURLs

/// The browser for a sign-in: a program of the variable BROWSER, or xdg-open(1) on a desktop.
enum Browser {
  /// Opens `url`. The browser outlives this program, and Ctrl-C does not reach it.
  ///
  /// A program in BROWSER was chosen for this session, so it is started also over SSH and without a
  /// display: remote editors and WSL set it to a helper that opens the browser in front of the
  /// user.
  ///
  /// - Returns: the reason if no browser was started, or each failed at once; else nil.
  static func open(_ url: String) -> String? {
    guard (try? WebURL(url)) != nil else {
      return "no browser was opened: the URL is neither https nor on this machine"
    }
    let commands = BrowserVariable.commands(for: url)
    if commands.contains(where: { fault($0[0], Array($0.dropFirst())) == nil }) { return nil }
    let note = isSet("BROWSER") ? ", and BROWSER names no graphical browser that can be started" : ""
    if isSet("SSH_CONNECTION") { return "no browser was opened: this is an SSH session" + note }
    guard hasDisplay else { return "no browser was opened: there is no display" + note }
    return fault("xdg-open", [url]).map { "no browser could be opened: xdg-open \($0)" + note }
  }

  /// The time in which a program fails that finds no browser: xdg-open(1) asks some desktop tools
  /// before. One that runs longer is the browser itself.
  private static let failureTime = Duration.seconds(2)

  /// Starts a program. Returns why it opened no browser; nil if it ended well, or still runs.
  private static func fault(_ program: String, _ arguments: [String]) -> String? {
    guard let pid = DesktopTool.start(program, arguments) else { return "is missing" }
    let status = ChildProcess.exitStatus(of: pid, until: .now + failureTime) ?? 0
    return status == 0 ? nil : "failed with exit status \(status)"
  }

  /// Whether the person's browser runs on another machine, outside of this container, or probably on Windows.
  static var isElsewhere: Bool { isSet("SSH_CONNECTION") || !hasDisplay || WSL.isPresent }

  private static var hasDisplay: Bool { isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") }

  private static func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }
}

/// The variable BROWSER, in the notation of xdg-open(1) and sensible-browser(1): commands separated
/// by colons, which are tried in order. `%s` in a command is the URL, which is otherwise appended;
/// `%%` is a percent sign. No shell is involved, so there are no quotes.
enum BrowserVariable {
  /// The maximum number of commands that are tried.
  private static let limit = 16

  /// Browsers that need the terminal, which `ritualctl` itself uses for its questions. The names
  /// are those that xdg-open(1) knows.
  private static let textBrowsers: Set<String> = ["www-browser", "links", "links2", "elinks", "lynx", "w3m", "browsh"]

  /// The commands for `url`, without text browsers.
  static func commands(for url: String) -> [[String]] {
    let value = getenv("BROWSER").map { String(cString: $0) } ?? ""
    return value.split(separator: ":").prefix(limit).map { command(String($0), url) }.filter { words in
      words.first.map { !textBrowsers.contains(String($0.split(separator: "/").last ?? "")) } ?? false
    }
  }

  private static func command(_ text: String, _ url: String) -> [String] {
    // A path may contain spaces, as in /mnt/c/Program Files.
    let isPath = text.hasPrefix("/") && access(text, X_OK) == 0
    let words = isPath ? [text] : text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let program = words.first else { return [] }
    let arguments = words.dropFirst().map { replacing($0, url) }
    return [program] + arguments.map { $0.word } + (arguments.contains { $0.isURL } ? [] : [url])
  }

  private static func replacing(_ word: String, _ url: String) -> (word: String, isURL: Bool) {
    var (result, isURL, rest) = ("", false, word[...])
    while let character = rest.popFirst() {
      switch (character, rest.first) {
      case ("%", "s"): (result, isURL) = (result + url, true)
      case ("%", "%"): result += "%"
      default:
        result.append(character)
        continue
      }
      rest.removeFirst()
    }
    return (result, isURL)
  }
}
