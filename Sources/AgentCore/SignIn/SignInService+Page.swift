import AgentProtocol
import SupabaseAuth

/// What the loopback listener of a flow serves.
extension SignInService {
  func answer(_ request: LoopbackRequest, of id: String) async -> LoopbackAnswer {
    guard let flow = flows[id], case .loopback(let port) = flow.redirect.kind else { return .refused(404) }
    if request.path == "/callback" {
      let origin = "http://127.0.0.1:\(port)"
      // What became of it shows on the page that the browser is sent to; an error is told there.
      _ = try? await receive(origin + request.target, .browser(flow: id))
      return .seeOther("/result")
    }
    guard !request.hasQuery else { return .refused(404) }
    if request.path == "/result" { return .page(SignInPage(flow).html) }
    return await page(request.path, flow)
  }

  /// The sign-in page and its links, under a path that only its launch address names.
  private func page(_ path: String, _ flow: Flow) async -> LoopbackAnswer {
    guard let base = flow.pagePath, path.hasPrefix(base) else { return .refused(404) }
    guard !flow.isOver else { return .page(SignInPage(flow).html) }
    switch path.dropFirst(base.count) {
    case "": return .page(SignInPage.choice(await links(base, flow)).html)
    case "/apple": return choose(.apple, flow)
    case "/google": return choose(.google, flow)
    default: return .refused(404)
    }
  }

  private func choose(_ provider: Provider, _ flow: Flow) -> LoopbackAnswer {
    flows[flow.id]?.ticket = flow.ticket.by(provider)
    return .seeOther(flow.authorizeURL(provider))
  }

  /// What the project has on (SI-12); both where it cannot be asked: the server says no by itself.
  private func links(_ base: String, _ flow: Flow) async -> [SignInPage.Link] {
    let settings = try? await flow.ticket.project.server.settings()
    let ways = [(Provider.apple, "Continue with Apple"), (.google, "Continue with Google")]
    return ways.filter { settings?.isOn($0.0) ?? true }
      .map { SignInPage.Link(path: "\(base)/\($0.0.rawValue)", text: $0.1) }
  }
}
