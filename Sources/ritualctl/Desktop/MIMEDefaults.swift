import AgentProtocol
import FoundationEssentials
import Glibc

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
