import AgentProtocol

/// Whether the desktop hands addresses of the custom scheme to the agent, where sign-ins come back that way (SI-7b).
struct HandlerCheck {
  /// `[sign_in] redirect`; nil where the agent could not be asked.
  let redirect: String?
  let schemes: [String]

  func checks() -> [DiagnosticCheck] {
    guard let redirect else { return [] }
    guard redirect == "scheme" else {
      return [DiagnosticCheck("handler", .ok, "not needed: browsers come back by 127.0.0.1")]
    }
    return schemes.compactMap { try? SchemeHandler($0) }.map(Self.check)
  }

  private static func check(_ handler: SchemeHandler) -> DiagnosticCheck {
    let register = "ritualctl register-handler --scheme \(handler.scheme)"
    let type = "x-scheme-handler/\(handler.scheme)"
    guard let answer = CapturedTool.output("xdg-mime", ["query", "default", type]) else {
      return DiagnosticCheck(
        "handler", .fail, "the desktop cannot be asked who opens \(handler.scheme)://: xdg-mime is missing or failed",
        next: "sudo apt install xdg-utils, then: \(register)")
    }
    let entry = answer.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    guard entry == handler.file else {
      let words = entry.isEmpty ? "nothing" : ForeignText.shown(entry, limit: 80)
      return DiagnosticCheck("handler", .fail, "\(handler.scheme):// is opened by \(words)", next: register)
    }
    return DiagnosticCheck("handler", .ok, "\(handler.scheme):// is handed to the agent")
  }
}
