import AgentProtocol
import SystemSupport

/// A fragment of a page. Interpolated text is always escaped by `ForeignText.html`, so no caller
/// can forget it.
///
///     let greeting: HTML = "<p>Hello, \(name)</p>"
struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
  let text: String

  /// The maximum length of one inserted text, in characters. The longest is an email address in the
  /// form, at most 320 bytes.
  private static let limit = 400

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  private init(raw: String) { text = raw }

  /// Returns the fragments joined by line breaks.
  static func lines(_ pieces: [HTML]) -> HTML { HTML(raw: pieces.map(\.text).joined(separator: "\n")) }

  /// Returns the content of a raw text element (`style`), where nothing is escaped. Only for
  /// literals of this source.
  static func verbatim(_ source: StaticString) -> HTML { HTML(raw: "\(source)") }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate(set) var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ foreign: String) { text += ForeignText.html(foreign, limit: HTML.limit) }

    mutating func appendInterpolation(_ piece: HTML) { text += piece.text }

    mutating func appendInterpolation(_ piece: HTML?) { text += piece?.text ?? "" }
  }
}

/// The frame of all pages: head, style and brand.
struct PageDocument: Sendable {
  /// The title; browser tabs show it, and screen readers read it first.
  var title: String
  var content: HTML
  /// True if the page has controls that the script must lock after a submit.
  var hasControls = false

  var html: String {
    let script: HTML? = hasControls ? "<script src=\"\(PagePath.script.rawValue)\" defer></script>" : nil
    let document: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      <title>\(title) – Ritual Agent</title>
      <style>\(PageStyle.element)</style>
      \(script)
      </head>
      <body>
      <main>
      <p class="brand">\(PageDrawing.mark)<span>Ritual Agent</span></p>
      \(content)
      </main>
      </body>
      </html>

      """
    return document.text
  }

  /// Returns the page for a refused request. Reveals nothing about any sign-in.
  static func notServed(_ reason: String) -> PageDocument {
    PageDocument(
      title: reason,
      content: """
        <h1>\(reason)</h1>
        <p>This page is not available.</p>
        """)
  }
}

/// Inline drawings, so that nothing is loaded. All are decoration; the adjacent text carries the
/// meaning.
enum PageDrawing {
  /// The program's logo: a nearly closed circle, for the round of a day.
  static let mark: HTML = """
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path fill="none" stroke="currentColor" \
    stroke-width="2.5" stroke-linecap="round" d="M16.9 4.6a9 9 0 1 0 3.6 4.3"/><circle cx="12" cy="12" r="2.75" \
    fill="currentColor"/></svg>
    """

  static let check: HTML = """
    <svg class="sign good" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>\
    <path pathLength="1" d="M15 24.5l6.5 6.5L34 18"/></svg>
    """

  static let letter: HTML = """
    <svg class="sign" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><rect x="6" y="11" width="36" height="26" \
    rx="4"/><path d="M7 14l17 13 17-13"/></svg>
    """

  static let stop: HTML = """
    <svg class="sign bad" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>\
    <path d="M24 14v13M24 33.5v.01"/></svg>
    """

  static let pause: HTML = """
    <svg class="sign" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>\
    <path d="M17 24h14"/></svg>
    """

  static let clock: HTML = """
    <svg class="sign" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>\
    <path d="M24 12.5V24l7.5 5"/></svg>
    """

  static let progress: HTML = """
    <svg class="sign turning" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle class="rail" cx="24" \
    cy="24" r="20"/><path d="M24 4a20 20 0 0 1 20 20"/></svg>
    """
}

/// An error message with its hint. It gets the focus without any script, so that a screen reader
/// begins there.
struct PageAlert: Sendable {
  static let id = "alert"

  let error: AgentError

  var html: HTML {
    """
    <div class="alert" id="\(Self.id)" role="alert" tabindex="-1" autofocus>
    <p>\(error.message)</p>\(nextStep.map { "\n<p>\($0)</p>" as HTML })
    </div>
    """
  }

  /// The hint, unless it names a command: commands are for terminals.
  private var nextStep: HTML? {
    guard let hint = error.data.hint, !hint.hasPrefix("ritualctl ") else { return nil }
    return "\(hint.prefix(1).uppercased() + hint.dropFirst())."
  }
}

/// The only script. The page works without it: the script shows at once that a form was sent, and
/// prevents a second click from sending it again.
enum PageScript {
  static let source = """
    "use strict";
    (() => {
      let sent = false;
      const words = (control) => control.querySelector("span") ?? control;
      const lock = (chosen) => {
        sent = true;
        for (const control of document.querySelectorAll("button, a.way")) {
          control.setAttribute("aria-disabled", "true");
          if (control instanceof HTMLButtonElement) control.disabled = true;
        }
        if (!chosen?.dataset.busy) return;
        chosen.classList.add("busy");
        words(chosen).textContent = chosen.dataset.busy;
      };
      document.addEventListener("submit", (event) => {
        if (sent) { event.preventDefault(); return; }
        lock(event.submitter ?? event.target.querySelector("button"));
      });
      document.addEventListener("click", (event) => {
        const way = event.target.closest?.("a.way");
        if (!way || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
        if (sent) { event.preventDefault(); return; }
        if (way.dataset.busy) lock(way);
      });
      addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
      document.querySelector("[autofocus]")?.focus();
    })();

    """
}
