import AgentProtocol
import Testing

@testable import SignInFlows

/// The HTML of the pages.
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

  @Test("the buttons have the titles and colours of Apple's and Google's guidelines")
  func followsTheGuidelines() {
    #expect(ProviderButton.apple.words == "Continue with Apple")
    #expect(ProviderButton.google.words == "Continue with Google")
    #expect(ProviderButton.apple.html.text.contains("viewBox=\"0 0 31 44\""))
    for colour in ["#EA4335", "#4285F4", "#FBBC05", "#34A853"] {
      #expect(ProviderButton.google.html.text.contains(colour))
    }
    for colour in ["#1f1f1f", "#747775", "#131314", "#e3e3e3", "#8e918f"] {
      #expect(PageStyle.element.text.contains(colour))
    }
  }
}
