import AgentProtocol
import Testing

@testable import SignInFlows

@Suite struct PageMarkupTests {
  @Test("PR-6: external text is escaped")
  func escapes() {
    let foreign = "<b>&\"'\u{202E}\u{0}"
    let piece: HTML = "<p title=\"\(foreign)\">\(foreign)</p>"
    let shown = "&lt;b&gt;&amp;&quot;&#39;\\u{202e}\\u{0}"
    #expect(piece.text == "<p title=\"\(shown)\">\(shown)</p>")
    let outer: HTML = "<div>\(piece)\(nil as HTML?)</div>"
    #expect(outer.text == "<div>\(piece.text)</div>", "a piece is escaped once")
  }

  @Test("a combining mark does not prevent escaping", arguments: ["\"", "'", "<", ">", "&"])
  func escapesMarkedCharacters(character: String) {
    let piece: HTML = "<input value=\"\(character + "\u{301}x")\">"
    #expect(!piece.text.dropFirst(14).dropLast(2).unicodeScalars.contains { "\"'<>".unicodeScalars.contains($0) })
    #expect(piece.text.unicodeScalars.contains("\u{301}"))
  }

  @Test("SI-9: an error is shown as text, without terminal commands")
  func tellsTheNextStep() {
    let alert = PageAlert(error: AgentError(.callbackInvalid, hint: "copy <the> address")).html.text
    #expect(alert.contains("<p>Sign in failed. Please try again.</p>"))
    #expect(alert.contains("<p>Copy &lt;the&gt; address.</p>"))
    #expect(!PageAlert(error: AgentError(.callbackInvalid)).html.text.contains("ritualctl"))
  }

  @Test("SI-9: a command as the hint is not repeated in the message, and email is spelled in one way")
  func spellsEmailInOneWay() {
    let locked = PageAlert(error: AgentError(.vaultLocked))
    #expect(locked.error.data.hint == "ritualctl unlock")
    #expect(locked.html.text.contains("<p>The vault is locked.</p>\n</div>"))
    let credentials = PageAlert(error: AgentError(.invalidCredentials)).html.text
    #expect(credentials.contains("Please check your email and password."))
  }

  @Test("the buttons have the titles and colours of Apple's and Google's guidelines")
  func followsTheGuidelines() {
    #expect(MethodButton.apple.words == "Continue with Apple")
    #expect(MethodButton.google.words == "Continue with Google")
    #expect(MethodButton.apple.html.text.contains("viewBox=\"3.5 0 24 44\""), "the full height of the logo file")
    for colour in ["#EA4335", "#4285F4", "#FBBC05", "#34A853"] {
      #expect(MethodButton.google.html.text.contains(colour))
    }
    for colour in ["#1f1f1f", "#747775", "#131314", "#e3e3e3", "#8e918f"] {
      #expect(PageStyle.element.text.contains(colour))
    }
  }

  @Test("a hint's command is taken out of the sentence, unless there is more than it")
  func takesTheCommand() throws {
    let listed = try #require(PageAlert.command(AgentError(.cancelled, hint: "to see them: ritualctl identities")))
    #expect(listed.introduction == "To see them" && listed.command == "ritualctl identities")
    for hint in ["use another: ritualctl sign-in --help; its owner can enable it", "run ritualctl status", "wait"] {
      #expect(PageAlert.command(AgentError(.cancelled, hint: hint)) == nil)
    }
    for hint in ["to see them: ritualctl identities", "run ritualctl status"] {
      #expect(!PageAlert(error: AgentError(.cancelled, hint: hint)).html.text.contains("ritualctl"))
    }
  }

  @Test("SI-9: text has four sizes, and the space in and between elements is of one scale")
  func keepsToTheScales() {
    let rules = PageStyle.element.text.split(whereSeparator: { "{};".contains($0) })
    let values = { (names: Set<String>) in
      rules.compactMap { rule -> String? in
        let parts = rule.split(separator: ":", maxSplits: 1)
        return parts.count == 2 && names.contains(String(parts[0]).filter { $0 != "\n" }) ? String(parts[1]) : nil
      }
    }
    let sizes = values(["font-size"])
    #expect(Set(sizes) == ["var(--small)", "var(--text)", "var(--step)", "var(--title)"])
    let spaces = values(["margin-top", "gap", "padding", "padding-top"]).flatMap { $0.split(separator: " ") }
    #expect(spaces.count > 20)
    #expect(spaces.allSatisfy { $0 == "0" || $0.hasPrefix("var(--space-") || $0 == "min(var(--space-4),16px)" })
  }

  @Test(
    "SI-9: the time left is rounded up to minutes",
    arguments: [
      (300, "5 minutes left"), (241, "5 minutes left"), (240, "4 minutes left"), (61, "2 minutes left"),
      (60, "Less than a minute left"), (0, "Less than a minute left"), (-1, "Less than a minute left"),
    ])
  func roundsTheTime(seconds: Int, text: String) {
    #expect(PageFlow(host: "h").timeLeft(seconds) == "\(text) to sign in")
    #expect(PageFlow(host: "h", purpose: .link).timeLeft(seconds) == "\(text) to link the method")
  }
}
