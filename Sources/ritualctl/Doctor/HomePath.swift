import AgentProtocol
import Glibc

/// Paths without the name of whose home they are in.
struct HomePath {
  private let home: String?

  init() {
    var path = getenv("HOME").map { String(cString: $0) } ?? ""
    while path.last == "/" { path.removeLast() }
    home = path.hasPrefix("/") ? path : nil
  }

  /// The check with `~` for the home.
  func shortened(_ check: DiagnosticCheck) -> DiagnosticCheck {
    var check = check
    check.words = shortened(check.words)
    check.next = check.next.map { shortened($0) }
    return check
  }

  private func shortened(_ text: String) -> String {
    guard let home else { return text }
    // A longer name that begins alike, such as /home/anna2, is another's.
    return text.replacing(home + "/", with: "~/")
  }
}
