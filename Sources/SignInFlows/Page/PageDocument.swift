/// The frame that all pages have: head, style, the name of the program.
struct PageDocument: Sendable {
  /// What the browser's tab and a screen reader name first.
  var title: String
  var content: HTML
  /// Whether the page has anything to lock while it is being sent.
  var hasControls = false

  var html: String {
    let script: HTML? = hasControls ? "<script src=\"\(PageAddress.script.rawValue)\" defer></script>" : nil
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

  /// For what is refused: says nothing about any sign-in.
  static func notServed(_ reason: String) -> PageDocument {
    PageDocument(
      title: reason,
      content: """
        <h1>\(reason)</h1>
        <p>This page is not served.</p>
        """)
  }
}
