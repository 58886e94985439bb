import FoundationEssentials
import Glibc
import SystemSupport

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
        throw Failure(.failed, "\(folder)/\(file) cannot be removed: \(words(of: errno))")
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
