import AgentProtocol
import SessionEngine
import SupabaseAuth

/// The ways to sign in: Apple first, then Google, then e-mail (SI-1), those that the project has on (SI-12).
struct ChoicePage: Sendable {
  let providers: [ProviderButton]
  let offersEmail: Bool
  /// What the sign-in is for.
  let project: String
  let origin: String
  let account: String
  /// A callback that was refused.
  let refusal: AgentError?

  var document: PageDocument {
    PageDocument(
      title: refusal == nil ? "Sign in" : "Not signed in",
      content: """
        <h1>Sign in</h1>
        <p class="lead">Project <strong>\(project)</strong>, account <strong>\(account)</strong></p>
        \(refusal.map { PageAlert(error: $0).html })
        \(ways)
        \(PageState.cancelForm)
        <p class="small">This page comes from the agent on this computer, and can be used for five minutes. What you enter \
        goes only to <span class="origin">\(origin)</span>.</p>
        """, hasControls: true)
  }

  private var ways: HTML {
    var links = providers.map(\.html)
    guard offersEmail || !links.isEmpty else {
      return "<p>This project has none of Apple, Google and e-mail switched on.</p>"
    }
    if offersEmail && !links.isEmpty { links.append("<p class=\"or\"><span>or</span></p>") }
    if offersEmail {
      links.append("<a class=\"way plain\" href=\"\(PageAddress.email.rawValue)\"><span>Continue with Email</span></a>")
    }
    return "<div class=\"ways\">\n\(HTML.lines(links))\n</div>"
  }
}
