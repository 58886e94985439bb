import AgentClient
import AgentProtocol
import ArgumentParser

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

  /// A script reads the address from the one document of --json, which comes when the command ends: the flow goes on
  /// without it.
  var detach: Bool? { noBrowser && common.json ? true : nil }

  static func validate(qr: Bool, _ common: CommonOptions) throws {
    if qr && common.json { throw ValidationError("--json and --qr exclude each other: the document has the address") }
  }
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
      var params = SignInStart.Params(
        account: account.account, project: project, provider: provider?.rawValue, replace: replace ? true : nil,
        redirect: browserWay.redirect, timeout: timeout, detach: browserWay.detach, port: redirectPort,
        takeOver: takeOver ? true : nil)
      do {
        return try connection.call(SignInStart.self, params)
      } catch let error as AgentError where error.kind == .flowBusy && !takeOver {
        // SI-10: no second one beside it, but the person may want this one instead.
        let question = "A sign-in for this account is running already. Cancel that one, and sign in here?"
        guard ControllingTerminal.isInUse, try ControllingTerminal.open()?.confirm(question) == true else {
          throw error
        }
        params.takeOver = true
        return try connection.call(SignInStart.self, params)
      }
    }
  }
}
