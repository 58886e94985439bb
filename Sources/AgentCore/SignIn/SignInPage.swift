import AgentProtocol

/// The pages that a browser sees, plain and without any style: they load nothing.
struct SignInPage: Sendable {
  struct Link: Sendable {
    let path: String
    let text: String
  }

  var title: String
  /// Paragraphs.
  var text: [String]
  var links: [Link] = []

  /// The whole document; every text in it is escaped.
  var html: String {
    let paragraphs = text.map { "<p>\(ForeignText.html($0, limit: 400))</p>" }
    let items = links.map { "<p><a href=\"\(ForeignText.html($0.path))\">\(ForeignText.html($0.text))</a></p>" }
    let lines =
      [
        "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
        "<meta name=\"color-scheme\" content=\"light dark\">", "<title>\(ForeignText.html(title))</title>", "</head>",
        "<body>", "<main>", "<h1>\(ForeignText.html(title))</h1>",
      ] + paragraphs + items + ["</main>", "</body>", "</html>", ""]
    return lines.joined(separator: "\n")
  }
}

extension SignInPage {
  /// Apple first, then Google (SI-1).
  static func choice(_ links: [Link]) -> SignInPage {
    SignInPage(
      title: "Sign in", text: links.isEmpty ? ["This project offers neither Apple nor Google.", email] : [email],
      links: links)
  }

  private static let email = "To sign in with e-mail and password, run this in a terminal: ritualctl sign-in email"

  static let signedIn = SignInPage(title: "Signed in", text: ["You are signed in. You can close this page."])

  static let cancelled = SignInPage(title: "Cancelled", text: ["Nothing was changed. You can close this page."])

  static let waiting = SignInPage(title: "Sign in", text: ["This sign-in is still waiting for an answer."])

  static func failed(_ error: AgentError) -> SignInPage {
    SignInPage(title: "Sign in failed", text: [error.message, "Go back to where you began, and try again."])
  }

  /// The page for how a flow stands.
  init(_ flow: Flow) {
    switch (flow.outcome.settled, flow.lastRefusal) {
    case (.success, _): self = .signedIn
    case (.failure(let error), _): self = error.kind == .cancelled ? .cancelled : .failed(error)
    case (nil, let refusal?): self = .failed(refusal)
    case (nil, nil): self = .waiting
    }
  }
}
