import AgentClient
import AgentProtocol

/// How a command goes through a browser.
struct BrowserWay {
  let common: CommonOptions
  let noBrowser: Bool
  let timeout: Double?
  let redirectPort: Int?
  /// Whether the address is drawn as well.
  var qr = false
  /// `--yes`.
  let acceptsAnybody: Bool
  /// What is said of the account at the end.
  var done = SignInAnswer.signedIn

  /// A port is given for `ssh -L`: then the browser does come back to this machine.
  var redirect: String? { noBrowser && redirectPort == nil ? "manual" : nil }
}

extension SignInCommand {
  /// The same for a sign-in.
  var browserWay: BrowserWay {
    BrowserWay(
      common: common, noBrowser: noBrowser, timeout: timeout, redirectPort: redirectPort, qr: qr,
      acceptsAnybody: yes)
  }

  /// A sign-in by the provider's page, or by ours.
  func browserSignIn(_ provider: SignInMethod?, _ output: Output) -> BrowserSignIn {
    BrowserSignIn(way: browserWay, provider: provider, output: output) { connection in
      try connection.call(
        SignInStart.self,
        SignInStart.Params(
          account: account.account, project: project, provider: provider?.rawValue, replace: replace ? true : nil,
          redirect: browserWay.redirect, timeout: timeout, port: redirectPort))
    }
  }
}
