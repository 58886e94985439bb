import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport
import WebAddresses

/// The desktop's handler of a custom scheme (SI-7b): a desktop entry that hands addresses to `complete-sign-in`.
///
/// Desktop Entry Specification 1.5; Association between MIME types and applications, 1.0.1.
struct SchemeHandler {
  let scheme: String

  /// - Throws: for what is no scheme (RFC 3986, section 3.1), or one that would take the browser's own addresses.
  init(_ scheme: String) throws {
    let name = scheme.lowercased()
    let isName =
      name.utf8.first.map { (0x61...0x7A).contains($0) } == true && name.utf8.count <= 64
      && name.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
      }
    guard isName, !["http", "https", "file", "mailto", "about", "data", "javascript"].contains(name) else {
      throw Failure(.usage, "the scheme is a name like dailyritual, and none of the web's own")
    }
    self.scheme = name
  }

  var file: String { "ritual-agent-\(scheme).desktop" }
  private var type: String { "x-scheme-handler/\(scheme)" }

  /// The entry; `program` is the absolute path of ritualctl.
  func entry(program: String) -> String {
    return """
      [Desktop Entry]
      Type=Application
      Name=Ritual Agent sign-in
      Comment=Hands the address that a sign-in ended on to ritual-agentd
      Exec=\(Self.quoted(program)) complete-sign-in --quiet %u
      NoDisplay=true
      Terminal=false
      MimeType=\(type);

      """
  }

  /// As the specification has it for Exec, and only where it has to be: xdg-open's own reader knows no quotes.
  static func quoted(_ program: String) -> String {
    // A percent sign is a field code.
    let plain = program.flatMap { $0 == "%" ? ["%", "%"] : [$0] }
    let reserved = Set(" \t\n\"'\\><~|&;$*?#()`")
    guard plain.contains(where: reserved.contains) else { return String(plain) }
    let escaped = plain.flatMap { ["\"", "`", "$", "\\"].contains($0) ? ["\\", $0] : [$0] }
    // The value is a string too, in which a backslash is escaped once more.
    return "\"" + String(escaped.flatMap { $0 == "\\" ? ["\\", "\\"] : [$0] }) + "\""
  }

  /// Writes the entry and makes it the default for the scheme.
  ///
  /// - Returns: the programs of the desktop that were not there, or failed.
  func install(program: String, in folder: String) throws -> [String] {
    try OwnFolder(folder).replace(file, with: entry(program: program))
    return tell(folder) + (DesktopTool.run("xdg-mime", ["default", file, type]) ? [] : ["xdg-mime"])
  }

  /// The handlers that have an entry in `folder`.
  static func registered(in folder: String) -> [SchemeHandler] {
    let (before, behind) = ("ritual-agent-", ".desktop")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { $0.hasPrefix(before) && $0.hasSuffix(behind) }.compactMap {
      try? SchemeHandler(String($0.dropFirst(before.count).dropLast(behind.count)))
    }.filter { names.contains($0.file) }
  }

  /// Removes the entry; whether it was there.
  func remove(from folder: String) throws -> Bool {
    guard unlink(folder + "/" + file) == 0 else {
      guard errno == ENOENT else {
        throw Failure(.failed, "\(folder)/\(file) cannot be removed: \(errorDescription(errno))")
      }
      return false
    }
    _ = tell(folder)
    MIMEDefaults.forget(type, handler: file)
    return true
  }

  /// The cache in which the desktop looks handlers up; one without it reads the entries.
  private func tell(_ folder: String) -> [String] {
    DesktopTool.run("update-desktop-database", [folder]) ? [] : ["update-desktop-database"]
  }
}

/// The user's mimeapps.list, in which `xdg-mime default` has noted our handler.
enum MIMEDefaults {
  /// Removes the line that gives `type` to `handler` alone. All else stays, and so does a file that is no plain file of the
  /// user's: a note about a handler that is gone is ignored by the desktop.
  static func forget(_ type: String, handler: String) {
    guard let path = try? Places.ofThisProcess().mimeDefaults, access(path, F_OK) == 0,
      let slash = path.lastIndex(of: "/")
    else { return }
    let name = String(path[path.index(after: slash)...])
    // A file that other programs write, too: what goes wrong here leaves it as it was.
    guard let folder = try? OwnFolder(String(path[..<slash])), let file = try? folder.read(name, limit: 1 << 20),
      let old = String(validating: file.bytes, as: UTF8.self)
    else { return }
    let lines = old.split(separator: "\n", omittingEmptySubsequences: false)
    let kept = lines.filter { ![type + "=" + handler, type + "=" + handler + ";"].contains(String($0)) }
    guard kept.count < lines.count else { return }
    // With headings alone it says nothing: xdg-mime(1) has made it for our line.
    guard kept.contains(where: { !$0.isEmpty && !$0.hasPrefix("[") }) else {
      unlink(path)
      return
    }
    try? folder.replace(name, with: kept.joined(separator: "\n"))
  }
}

/// Programs of the desktop, started without a voice: what they say would end up in the middle of our output, or in the
/// document of --json.
enum DesktopTool {
  /// Starts the program in a process group of its own, so that Ctrl-C here does not reach it.
  ///
  /// - Returns: its pid; nil where it cannot be started.
  static func start(_ name: String, _ arguments: [String]) -> pid_t? {
    var child = ChildProcess([name] + arguments)
    child.leadsGroup = true
    CoreDumps.allow()
    defer { CoreDumps.turnOff() }
    return try? child.start()
  }

  /// Runs the program to its end; whether it ended well.
  static func run(_ name: String, _ arguments: [String]) -> Bool {
    start(name, arguments).flatMap { ChildProcess.exitStatus(of: $0) } == 0
  }
}

/// The desktop's browser, by xdg-open(1).
enum Browser {
  /// Why no browser is opened for `url`; nil if one is.
  static func reasonNotToOpen(_ url: String) -> String? {
    guard (try? WebAddress(url)) != nil else { return "the address is neither https nor this machine's own" }
    if isSet("SSH_CONNECTION") { return "this is an ssh session" }
    return hasDisplay ? nil : "there is no display"
  }

  /// Whether the person's browser runs on another machine than this, or outside of this container.
  static var isElsewhere: Bool { isSet("SSH_CONNECTION") || !hasDisplay }

  private static var hasDisplay: Bool { isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") }

  /// Opens `url`; false if there is no xdg-open. The browser outlives this program, and Ctrl-C here does not reach it.
  static func open(_ url: String) -> Bool { DesktopTool.start("xdg-open", [url]) != nil }

  private static func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }
}
