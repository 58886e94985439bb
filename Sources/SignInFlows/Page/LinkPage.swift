import AgentProtocol

/// Asks whether an identity that the server linked by itself is to stay linked (LK-2). Neither answer is made the easier one.
struct LinkPage: Sendable {
  let decision: SignInDecision

  private var provider: String { Self.shown(decision.identity?.provider ?? decision.user.provider ?? "") }
  private var others: String { (decision.others ?? []).map { Self.shown($0.provider) }.joined(separator: ", ") }

  var document: PageDocument {
    PageDocument(
      title: "One question",
      content: """
        <h1>Keep \(provider) linked?</h1>
        <p class="lead" role="status">\(provider)\(address) was linked to the account of \
        <strong class="who">\(decision.user.email ?? decision.user.id)</strong>, which you sign in to by: \(others).</p>
        <form method="post" action="\(PageAddress.keep.rawValue)"><button class="main" data-busy="Signing in…">\
        Keep it, and sign in</button></form>
        <form method="post" action="\(PageAddress.undo.rawValue)"><button class="main" data-busy="Undoing…">\
        Undo the sign-in</button></form>
        """, hasControls: true)
  }

  private var address: HTML? { decision.identity?.email.map { " (\($0))" } }

  private static func shown(_ provider: String) -> String {
    switch provider {
    case "apple": "Apple"
    case "google": "Google"
    case "email": "e-mail"
    default: provider
    }
  }
}
