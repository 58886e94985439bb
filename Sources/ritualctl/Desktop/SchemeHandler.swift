import AgentProtocol
import FoundationEssentials
import Glibc
import SystemSupport

/// A handler for a custom URL scheme: a desktop entry that passes URLs to
/// `complete-sign-in`.
///
/// Desktop Entry Specification 1.5; Association between MIME types and applications, 1.0.1.
struct SchemeHandler {
  let scheme: String

  /// - Throws: wrong usage if the name is not a scheme (RFC 3986, section 3.1), or is a scheme that
  ///   browsers need.
  init(_ scheme: String) throws {
    let name = scheme.lowercased()
    let isName =
      name.utf8.first.map { (0x61...0x7A).contains($0) } == true && name.utf8.count <= 64
      && name.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
      }
    guard isName, !["http", "https", "file", "mailto", "about", "data", "javascript"].contains(name) else {
      throw Failure(.usage, "the scheme must be a name such as dailyritual, not a standard scheme such as https")
    }
    self.scheme = name
  }

  var file: String { "ritual-agent-\(scheme).desktop" }
  private var type: String { "x-scheme-handler/\(scheme)" }

  /// The text of the desktop entry; `program` is the absolute path of ritualctl.
  func entry(program: String) -> String {
    return """
      [Desktop Entry]
      Type=Application
      Name=Ritual Agent sign-in
      Comment=Passes the redirect URL of a sign-in to ritual-agentd
      Exec=\(Self.quoted(program)) complete-sign-in --quiet %u
      NoDisplay=true
      Terminal=false
      MimeType=\(type);

      """
  }

  /// Quotes a program's path for Exec as the specification requires, but only if necessary: the
  /// parser of xdg-open does not support quotes.
  static func quoted(_ program: String) -> String {
    // A percent sign would start a field code.
    let plain = program.flatMap { $0 == "%" ? ["%", "%"] : [$0] }
    let reserved = Set(" \t\n\"'\\><~|&;$*?#()`")
    guard plain.contains(where: reserved.contains) else { return String(plain) }
    let escaped = plain.flatMap { ["\"", "`", "$", "\\"].contains($0) ? ["\\", $0] : [$0] }
    // The value is also a string, in which a backslash needs a second escape.
    return "\"" + String(escaped.flatMap { $0 == "\\" ? ["\\", "\\"] : [$0] }) + "\""
  }

  /// Writes the entry and makes it the default handler of the scheme.
  ///
  /// - Returns: the desktop programs that are missing or failed.
  func install(program: String, in folder: String) throws -> [String] {
    try UserDirectory(folder).replace(file, with: entry(program: program))
    return tell(folder) + (DesktopTool.run("xdg-mime", ["default", file, type]) ? [] : ["xdg-mime"])
  }

  /// The handlers with an entry in the directory `folder`.
  static func registered(in folder: String) -> [SchemeHandler] {
    let (before, behind) = ("ritual-agent-", ".desktop")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { $0.hasPrefix(before) && $0.hasSuffix(behind) }.compactMap {
      try? SchemeHandler(String($0.dropFirst(before.count).dropLast(behind.count)))
    }.filter { names.contains($0.file) }
  }

  /// Removes the entry. Returns whether it existed.
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

  /// Updates the cache in which the desktop looks up handlers. A desktop without the cache reads
  /// the entries.
  private func tell(_ folder: String) -> [String] {
    DesktopTool.run("update-desktop-database", [folder]) ? [] : ["update-desktop-database"]
  }
}

/// The user's mimeapps.list, to which `xdg-mime default` added the handler.
enum MIMEDefaults {
  /// Removes the line that assigns `type` to `handler` only. The rest stays, and so does a file
  /// that is not a regular file of the user: the desktop ignores an entry for a missing handler.
  static func forget(_ type: String, handler: String) {
    guard let path = try? AgentPaths.ofThisProcess().mimeDefaults, access(path, F_OK) == 0,
      let slash = path.lastIndex(of: "/")
    else { return }
    let name = String(path[path.index(after: slash)...])
    // Other programs write this file too, so an error leaves it unchanged.
    guard let folder = try? UserDirectory(String(path[..<slash])), let file = try? folder.read(name, limit: 1 << 20),
      let old = String(validating: file.bytes, as: UTF8.self)
    else { return }
    let lines = old.split(separator: "\n", omittingEmptySubsequences: false)
    let kept = lines.filter { ![type + "=" + handler, type + "=" + handler + ";"].contains(String($0)) }
    guard kept.count < lines.count else { return }
    // With only headings left, the file is deleted: xdg-mime(1) created it for the removed line.
    guard kept.contains(where: { !$0.isEmpty && !$0.hasPrefix("[") }) else {
      unlink(path)
      return
    }
    _ = try? folder.replace(name, with: kept.joined(separator: "\n"))
  }
}

/// Runs programs of the desktop with their output discarded: it would mix with this program's
/// output, or with the document of --json.
enum DesktopTool {
  /// Starts the program in its own process group, so that Ctrl-C does not reach it.
  ///
  /// - Returns: its pid; nil if it cannot be started.
  static func start(_ name: String, _ arguments: [String]) -> pid_t? {
    var child = ChildProcess([name] + arguments)
    child.leadsGroup = true
    CoreDumps.allow()
    defer { CoreDumps.turnOff() }
    return try? child.start()
  }

  /// Runs the program and waits for its end. Returns whether its exit status is 0.
  static func run(_ name: String, _ arguments: [String]) -> Bool {
    start(name, arguments).flatMap { ChildProcess.exitStatus(of: $0) } == 0
  }
}
